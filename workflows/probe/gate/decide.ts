import type { Decision, GateRequest } from '../../model/gate.ts';
import { isSocketUrl, lastMessage } from '../../model/socket-messages.ts';
import { storedByQuery } from './acting-query.ts';
import { isAdding, isIntoBasket } from './adding.ts';
import { isCodePage } from './code-page.ts';
import { actingBesides, decideForm, decideGetForm } from './decide-form.ts';
import { excessIn } from './excess.ts';
import { keysOfRequest, pageKey, parameterKey, sessionParameterKey, shapeOfRequest } from './form-key.ts';
import { graphQlOperations, isMildMutation } from './graphql.ts';
import type { KnownControls } from './knowledge.ts';
import { asksByName, decideMessage } from './messages.ts';
import { partsOf } from './parts.ts';
import { allowed, type Circumstances, mayDo, refused } from './refusal.ts';
import { callsLogin } from './request-kind.ts';
import { namesWhatIsSaved } from './saving-names.ts';
import { type ReadAddress, readAddress } from './urls.ts';
import { orders } from './words/ordering.ts';

/** Methods that only ask. Source: RFC 9110 §9.2.1, for PROPFIND RFC 4918 §9.1. */
const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'];
const overrideHeader = /^x-(?:http-)?method(?:-override)?$/i;
/** What is beside a basket, and is nobody's to try. */
const orderingCommand =
  /[=:]\s*"?(?:check-?_?out|(?:place|submit)?-?_?order|purchase|buy-?_?(?:now|it)?|pay-?_?(?:now)?)\b/i;
/** What the pages of a login are called, the further ones among them. */
const loginPages =
  /log-?_?[io]n|sign-?_?[io]n|auth|session|verif|otp|2fa|mfa|password|step|challenge|enter|entrance|identif|anmeld|connexion|two-?factor|\/(?:code|passcode|pin)(?=$|[/.])/i;
/** Words for what is done on them. */
const loginWords = /^(?:verif|confirm|check|validat|challeng|submit|auth|enter|access)/i;
/** Words that say that something is done, and nothing of what: behind an identifier or in a form without fields it is that thing. */
const workingWord = /^exec(?:ute)?$/;
/** What is read more often than made, and made by no more than a message. */
const report = /^reports?$/;
/** Mild words of pages that set something going, without an object. */
const running = /^(?:start|stop|run|generate|sync|refresh|reload|optimi[sz]e|backup|cron|collect|warm)/;
/** And of those with a form that shows one thing. */
const editing = /^(?:edit|update|change|modify)/;
/** The one of them that no address does at once. */
const showing = /^edit/;
/** "/send" is where a visitor hands something over; below another name it may send what is there: "/newsletter/send". */
const isPlaceToSend = (url: string, word: string): boolean =>
  word === 'send' && new URL(url).pathname.split('/').filter(Boolean).length === 1;

/** Decides whether a request may be sent: by its structure, what is known of its target, its session, and what the org allows. */
export function decide(given: GateRequest, known: KnownControls, circumstances: Circumstances): Decision {
  const { licence } = circumstances;
  if (licence === 'undo' || licence === 'write' || licence === 'own-session') return allowed;
  const request = isSocketUrl(given.url) ? { ...given, body: lastMessage(given.url, bodyText(given)) } : given;
  const address = readAddress(request.url);
  const { acting } = address;
  const excess = excessIn(request.url);
  if (excess !== undefined) return refused('would-act', `it asks for very much at once: "${excess}"`);
  if (acting?.code === 'ends-session') return refused('ends-session', `it may end a session: "${acting.word}"`);
  if (licence === 'credentials') return allowed;
  if (licence === 'registration') return decideRegistration(request, circumstances);
  if (licence === 'own-account') return decideOwnAccount(request, circumstances);
  if (licence === 'login-step') return decideLoginStep(request, address, circumstances);
  if (licence === 'basket') return decideBasket(request, address, circumstances);
  if (request.headers.some(isAhead))
    return refused('would-act', 'a page has it fetched ahead, and no visitor asked for it');
  const method = methodOf(request);
  if (safeMethods.includes(method)) return decideSafe(request, address, known, circumstances);
  if (method !== 'POST') return refused('unsafe-method', `${method} changes something`);
  const message = isSocketUrl(given.url) ? decideMessage(bodyText(given), circumstances) : undefined;
  if (message) return message;
  // On a test system the form decides.
  const { depth, writes, visitor } = circumstances;
  const mayAdd = depth === 'deep' && writes === 'create';
  // An administrator adds, and edits nothing.
  const isKeeping = (word: string) =>
    isAdding(word) ||
    (visitor !== 'admin' &&
      (word === address.mild || (isPlaceToSend(request.url, word) && takesFile(request.url, known))));
  if (acting && !(mayAdd && isKeeping(acting.word))) return refused('would-act', mayDo(acting.word));
  return decidePost(request, known, circumstances);
}

/**
 * Nobody opens an account, on a test system, whatever the words for it and the fields that it takes; and the page to which the
 * answer led, whatever token is in its address.
 */
const decideRegistration = (request: GateRequest, at: Circumstances): Decision =>
  ['POST', 'GET'].includes(methodOf(request)) && mayKeep(at) && at.visitor === 'nobody'
    ? allowed
    : refused('would-act', 'it opens an account, which the scope of the domain does not allow');

/** On a test system an account that a trial has opened may change accounts of that trial. */
const decideOwnAccount = (request: GateRequest, at: Circumstances): Decision =>
  ['POST', 'PUT', 'PATCH'].includes(methodOf(request)) && mayKeep(at) && at.visitor !== 'admin'
    ? allowed
    : refused('would-act', 'it changes an account, which the scope of the domain does not allow');

/** Nobody goes on in a login with a form that a page of it has just shown. A word that acts is refused as ever. */
function decideLoginStep(request: GateRequest, address: ReadAddress, at: Circumstances): Decision {
  const { acting, mild, making } = address;
  const words = [acting?.word, mild, making].filter((word) => word !== undefined);
  const mayBeSent =
    ['POST', 'GET'].includes(methodOf(request)) &&
    at.depth === 'deep' &&
    at.writes !== 'none' &&
    at.visitor === 'nobody' &&
    loginPages.test(new URL(request.url).pathname) &&
    words.every((word) => loginWords.test(word));
  return mayBeSent ? allowed : refused('would-act', mayDo(words[0] ?? 'log in'));
}

/** On a test system a thing may lie in a basket. What its address or its fields say besides is refused as ever: to buy it, above all. */
function decideBasket(request: GateRequest, { acting }: ReadAddress, at: Circumstances): Decision {
  const body = bodyText(request);
  const isOrder = orders(new URL(request.url).pathname) || orderingCommand.test(body);
  const isPut = !isOrder && (acting === undefined || isIntoBasket(acting.word));
  if (methodOf(request) !== 'POST' || !mayKeep(at) || !isPut)
    return refused('would-act', mayDo(acting?.word ?? 'put into a basket'));
  const word = actingBesides(request, body, shapeOfRequest(request), isIntoBasket);
  return word === undefined ? allowed : refused('would-act', mayDo(word));
}

/** Browsers say so when they prefetch. Source: Fetch Standard, `Sec-Purpose`; older ones say `Purpose`. */
export const isAhead = ([name, value]: readonly [string, string]): boolean =>
  /^(?:sec-|x-)?purpose$/i.test(name) && /\bpre(?:fetch|render|view)/i.test(value);

const methodOf = ({ method, headers }: GateRequest): string =>
  (headers.find(([name]) => overrideHeader.test(name))?.[1] ?? method).toUpperCase();

function decideSafe(request: GateRequest, address: ReadAddress, known: KnownControls, at: Circumstances): Decision {
  const { url } = request;
  // Whoever opens it, however it is called.
  if (known.makes(url)) return refused('writes', 'something is made as soon as it is opened');
  if (address.token !== undefined)
    return refused('one-time-token', `what takes the token "${address.token}" changes something`);
  const isWork = worksOnText(url, address, known, at) || (mayKeep(at) && report.test(address.acting?.word ?? ''));
  if (address.acting && !isWork && !isCodePage(url, address)) {
    const reason = mayDo(address.acting.word);
    // It was seen to be no more than the place of its form.
    const isPlace = !address.hasQuery && isPlaceToSend(url, address.acting.word);
    if (isPlace && mayKeep(at) && takesFile(url, known)) return allowed;
    if (!mayBeLookedAt(url, address, at)) return refused('would-act', reason);
    return at.mayLook(url, 1) ? allowed : refused('looked-once', `${reason}, and it was looked at`);
  }
  const stored = isWork || mayKeep(at) ? undefined : storedByQuery(partsOf(url).parameters);
  if (stored !== undefined) return refused('would-act', mayDo(stored));
  // A name that script or a document mentions may be a command; one that a page links to is a page.
  if (address.valued !== undefined && !isWork && !at.isPlainLink(url) && !at.isCatalogued(url) && !known.isPage(url))
    return refused('would-act', mayDo(address.valued));
  if (known.isRefused(url)) return refused('refused-before', 'it may do something, by the control that leads there');
  if (graphQlOperations(request, '') === 'others') return refused('would-act', mayDo('mutation'));
  if (address.hasQuery) {
    if (isKept(url, known, at) && !mayKeep(at)) return refused('writes', 'it stores what it is sent');
    const decision = decideGetForm(request, known, at);
    if (!decision.allowed) return decision;
  }
  const decision = decideMild(url, address, known, at);
  if (!decision.allowed || at.visitor === 'nobody' || address.making === undefined) return decision;
  return decideMaking(url, address.making, known, at);
}

/** One of its parameters was seen to be stored, or names what a search is saved under in somebody's session. */
const isKept = (url: string, known: KnownControls, { visitor }: Circumstances): boolean =>
  [...new URL(url).searchParams].some(
    ([name, value]) =>
      value !== '' &&
      ((visitor !== 'nobody' && namesWhatIsSaved(name)) ||
        known.verdictOf(parameterKey(url, name)) === 'writes' ||
        (visitor !== 'nobody' && known.verdictOf(sessionParameterKey(url, name)) === 'writes')),
  );

/** What the org allows to be made is made by addresses as by forms. */
const mayKeep = ({ depth, writes, visitor }: Circumstances): boolean =>
  depth === 'deep' && writes === 'create' && visitor !== 'admin';

/**
 * On a test system, the place of a form that a page shows to be filled in and whose address says no more than that something is done with
 * what is typed: "/run/exec". What was seen of the form, its fields and its buttons decides, as everywhere.
 */
const worksOnText = (url: string, address: ReadAddress, known: KnownControls, at: Circumstances): boolean =>
  workingWord.test(address.acting?.word ?? address.valued ?? '') &&
  !address.hasIdentifier &&
  mayKeep(at) &&
  known.formsAt('GET', url).length > 0;

/** Every form that is known there hands a file over. */
const takesFile = (url: string, known: KnownControls): boolean => {
  const forms = known.formsAt('POST', url);
  return forms.length > 0 && forms.every(({ kind }) => kind.kind === 'adds' && kind.takesFile);
};

/** A page whose path contains a word for an action, and nothing that names the object of the action. */
function mayBeLookedAt(url: string, { acting, hasQuery, hasIdentifier }: ReadAddress, at: Circumstances): boolean {
  const word = acting?.word ?? '';
  const showsForm = mayKeep(at) && isPlaceToSend(url, word);
  const isHarmless = !acting?.isSelfSufficient || showsForm;
  return (
    (at.visitor === 'nobody' || showsForm || (mayKeep(at) && isAdding(word))) &&
    (at.isCatalogued(url) || (!hasQuery && !hasIdentifier && isHarmless && at.isPlainLink(url)))
  );
}

const looksAtMaking = 2;

/**
 * With a session a page that makes something new may make it as soon as it is opened: an editor stores its draft. As an administrator,
 * who observes nothing, none is opened, and on a test system each by HTTP and in the browser.
 */
function decideMaking(url: string, word: string, known: KnownControls, at: Circumstances): Decision {
  if (at.visitor !== 'admin') return allowed;
  if (at.writes !== 'create') return refused('would-act', mayDo(word));
  const place = new URL(`#${encodeURIComponent(pageKey(url))}`, url).href;
  return !known.isOpened(url) && at.mayLook(place, looksAtMaking)
    ? allowed
    : refused('looked-once', 'it may make something, and it was looked at');
}

/**
 * With a session "add", "save" and the like are asked for as the site itself links to them, and with no value of ours. On a test system
 * the page that shows one thing to be edited takes values like any other.
 */
function decideMild(
  url: string,
  { mild, hasQuery, hasIdentifier }: ReadAddress,
  known: KnownControls,
  at: Circumstances,
): Decision {
  if (mild === undefined || at.visitor === 'nobody') return allowed;
  const isApplied = hasQuery || hasIdentifier;
  if (running.test(mild) && (at.visitor === 'admin' || (isApplied && !mayKeep(at))))
    return refused('would-act', mayDo(mild));
  if (!isApplied) return allowed;
  const isLinked = at.isPlainLink(url) || known.isPage(url);
  const showsForm = hasQuery
    ? mayKeep(at) && known.isLikePage(url)
    : showing.test(mild) || isLinked || known.isLikePage(url);
  if (editing.test(mild) && showsForm) return allowed;
  return at.visitor === 'user' && isLinked ? allowed : refused('would-act', mayDo(mild));
}

function decidePost(request: GateRequest, known: KnownControls, circumstances: Circumstances): Decision {
  const body = bodyText(request);
  const operations = graphQlOperations(request, body);
  if (operations === 'queries') return allowed;
  const shape = shapeOfRequest(request);
  // What a mutation calls, and what it is given, decides as with a form: of a login, and of others on a test system.
  const isMild = mayKeep(circumstances) && isMildMutation(body);
  if (operations === 'others' && !isMild && !callsLogin(request, body, shape))
    return refused('would-act', mayDo('mutation'));
  const isObserved = known.verdictOn(keysOfRequest(request)) !== undefined;
  if (mayKeep(circumstances) && !isObserved && asksByName(body)) return allowed;
  const savesSearch = [...new URLSearchParams(body)].some(([name, value]) => value !== '' && namesWhatIsSaved(name));
  if (savesSearch && circumstances.visitor !== 'nobody' && !mayKeep(circumstances))
    return refused('writes', 'it saves what is searched for under a name');
  return decideForm(request, body, shape, known, circumstances);
}

const bodyText = ({ body }: GateRequest): string =>
  typeof body === 'string' ? body : body === undefined ? '' : Buffer.from(body).toString('utf8');
