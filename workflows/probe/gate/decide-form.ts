import type { Decision, GateRequest } from '../../model/gate.ts';
import { actingAsCalled } from './acting-query.ts';
import { isAdding } from './adding.ts';
import { withoutExtension } from './address-words.ts';
import { namesInRequest } from './entries.ts';
import { exactKey, formKey, isSentAs, type RequestShape, shapeOfRequest } from './form-key.ts';
import type { FormKind } from './form-kind.ts';
import { type KnownControls, type KnownForm, sentHere } from './knowledge.ts';
import { partsOf } from './parts.ts';
import { allowed, type Circumstances, makesKey, mayDo, refused, setsAll } from './refusal.ts';
import { formOfRequest, kindOfRequest, valuesIn } from './request-kind.ts';
import { isOfSettings } from './site-settings.ts';
import { kindOfForm } from './structure.ts';
import { actingInName, appliedIn } from './words.ts';

/** A POST, by its form and by the entry that it works on: the audit's own are changed, and on a test system others where it has none. */
export function decideForm(
  request: GateRequest,
  body: string,
  shape: RequestShape,
  known: KnownControls,
  circumstances: Circumstances,
): Decision {
  const decision = decideByForm(request, body, shape, known, circumstances);
  const isRead = known.verdictOn({ key: formKey(shape), exact: exactKey(shape) }) === 'reads';
  const { visitor, writes, licence } = circumstances;
  const isTried = licence === 'observation' && visitor === 'nobody' && writes !== 'create';
  const isKept = visitor === 'admin' && !isRead && kindOfRequest(request, body, shape).kind !== 'reads';
  if (decision.allowed && (isTried || isKept) && isOfSettings(request.url)) return refused('would-act', setsAll);
  // An observation has chosen what it sends.
  if (!decision.allowed || isRead || licence === 'observation') return decision;
  const isTestSystem = takesAll(circumstances);
  if (isTestSystem && known.isProgram(request.url)) return decision;
  const isOwn = (key: string) => known.verdictOf(key) !== undefined;
  const isRecorded = circumstances.licence === 'lasting';
  const mayChange = { isRecorded, isTestSystem: isTestSystem && visitor !== 'admin' };
  const changed = known.entries.changedBy(request, isOwn, mayChange);
  return changed === undefined ? decision : refused('others-entry', changed);
}

const takesAll = ({ depth, writes }: Circumstances): boolean => depth === 'deep' && writes === 'create';

/** That of a form that is known, or what the request shows of one. The gravest of those that it may belong to counts. */
function decideByForm(
  request: GateRequest,
  body: string,
  shape: RequestShape,
  known: KnownControls,
  circumstances: Circumstances,
): Decision {
  const there = known.formsAt('POST', request.url);
  const unpressed = pressesAnother(there, [...valuesIn(body)]);
  if (unpressed !== undefined) return refused('would-act', mayDo(unpressed));
  const keepsAll = takesAll(circumstances) && circumstances.visitor !== 'admin';
  const own = kindOfRequest(request, body, shape);
  const called = own.kind === 'login' ? undefined : shape.operation;
  const acts = (word: string | undefined) => word !== undefined && !(keepsAll && isAdding(word));
  const procedure =
    called?.split('.').find((name) => acts(actingInName(name)?.word ?? appliedIn(name))) ??
    [commandInBody(request)?.word].find(acts);
  if (procedure !== undefined) return refused('would-act', mayDo(procedure));
  const at = { url: request.url, isProgram: takesAll(circumstances) && known.isProgram(request.url) };
  const covering = sentHere(at, (form) => shape.fields.every((name) => hasField(form, name)), there);
  if (own.kind === 'would-act' || own.kind === 'ends-session') return decideKind(own, undefined, circumstances);
  const sent = { key: formKey(shape), exact: exactKey(shape) };
  if (covering.length === 0) {
    // A form of no fields is what its page's script fills, or sends in its place.
    const around = at.isProgram ? sentHere(at, () => true, there) : there;
    const named = around.filter(({ fields }) => fields.size > 0);
    const sources = named.length > 0 ? named : known.requestsAt('POST', request.url);
    const isAllowed = sources.length > 0 && sources.every((form) => mayRename(form, shape, known, circumstances));
    if (isAllowed) return allowed;
    const gravest = around.length === 0 ? own : { kind: 'unknown' as const };
    return decideKind(gravest, known.verdictOn(sent), circumstances);
  }
  // Sent to another place or with another command than any of them, it is not one of those that were observed.
  const same = covering.filter((form) => isSentAs(form, shape));
  const ofKinds = (forms: readonly KnownForm[], on: (form: KnownForm) => { key: string; exact: string }) =>
    firstRefusal(forms.map((form) => decideKind(form.kind, known.verdictOn(on(form)), circumstances)));
  return same.length > 0 ? ofKinds(same, (form) => form) : ofKinds(covering, () => sent);
}

/** `{"id":"delete_rows"}` sent to "/actions" does what "/actions/delete_rows" does. */
const commandInBody = (request: GateRequest) =>
  actingAsCalled(withoutExtension(partsOf(request.url).segments.at(-1) ?? ''), namesInRequest(request).pairs);

/** On a test system one field of a form that was seen, and not seen to write, may have another name, which is no command. */
function mayRename(form: KnownForm, shape: RequestShape, known: KnownControls, at: Circumstances): boolean {
  const [name, ...others] = shape.fields.filter((each) => !hasField(form, each));
  if (name === undefined || others.length > 0 || shape.fields.length > form.fields.size) return false;
  if (at.depth !== 'deep' || at.writes !== 'create' || !isSentAs(form, shape)) return false;
  if (actingInName(name) !== undefined || appliedIn(name) !== undefined) return false;
  const verdict = known.verdictOn(form);
  return verdict !== 'writes' && decideKind(form.kind, verdict, at).allowed;
}

/** A member of a field is the field's: where somebody is let in, and nothing is kept, a list or an object is a value like any other. */
const hasField = ({ fields, kind }: KnownForm, name: string): boolean =>
  fields.has(withoutPoint(name)) ||
  (letsIn.includes(kind.kind) && fields.has(name.replace(/(?:\[[^[\]]*\]){1,2}$/, '')));

const letsIn: readonly FormKind['kind'][] = ['login', 'entrance'];

/** An image button sends where it was pressed. */
const withoutPoint = (name: string): string => (/\.[xy]$/.test(name) ? name.slice(0, -2) : name);

/** The word by which a request says that it does something else than what is meant by it, by its fields or commands. */
export function actingBesides(
  request: GateRequest,
  body: string,
  shape: RequestShape,
  isMeant: (word: string) => boolean,
): string | undefined {
  const kind = kindOfForm(formOfRequest(request, body, shape));
  if (kind.kind === 'sensitive' || kind.kind === 'entrance' || kind.kind === 'addressed' || kind.kind === 'message')
    return kind.kind;
  return 'word' in kind && !isMeant(kind.word) ? kind.word : undefined;
}

/** The button that a request would press though its form is sent by another one. */
function pressesAnother(forms: readonly KnownForm[], values: readonly (readonly [string, string])[]) {
  const unpressed = forms.flatMap((form) => form.unpressed);
  if (unpressed.length === 0) return undefined;
  const isField = (name: string) => forms.some(({ fields }) => fields.has(name));
  return values.find(([name, value]) =>
    unpressed.some((button) => button.name === name && (!isField(name) || button.value === value)),
  )?.[0];
}

/** A GET with values: the forms of its address that it belongs to. */
export function decideGetForm(request: GateRequest, known: KnownControls, circumstances: Circumstances): Decision {
  const { url } = request;
  const forms = known.formsAt('GET', url);
  if (forms.length === 0) return allowed;
  const unpressed = pressesAnother(forms, [...new URL(url).searchParams]);
  if (unpressed !== undefined) return refused('would-act', mayDo(unpressed));
  // What no form has is not a part of any: a random value that keeps caches away, a parameter that a check makes up.
  const parameters = [...new URL(url).searchParams].filter(([name]) => forms.some(({ fields }) => fields.has(name)));
  const shape = shapeOfRequest({ ...request, body: undefined });
  const decisions = forms.map((form) => {
    // Under another command it is not what was observed.
    const sent = isSentAs(form, shape) ? form : { ...form, exact: exactKey(shape) };
    return { form, decision: decideSubmission(sent, known, circumstances) };
  });
  const isCovered = decisions.some(
    ({ form, decision }) => decision.allowed && parameters.every(([name]) => form.fields.has(name)),
  );
  if (isCovered) return allowed;
  const refusal = firstRefusal(
    decisions
      .filter(({ form }) =>
        parameters.some(([name, value]) => form.identifying.has(name) || form.identifying.has(`${name}=${value}`)),
      )
      .map(({ decision }) => decision),
  );
  const isUnknown = !refusal.allowed && refusal.code === 'not-observed' && circumstances.visitor !== 'admin';
  // What the site itself links to with these parameters shows a page.
  return isUnknown && known.isLikePage(url) ? allowed : refusal;
}

function decideSubmission(form: KnownForm, known: KnownControls, circumstances: Circumstances): Decision {
  const { kind, hasToken } = form;
  if (hasToken) return refused('one-time-token', 'a form that has a token changes something');
  return decideKind(kind, known.verdictOn(form), circumstances);
}

/** What may be sent of a form of this kind, by what an observation has shown. */
function decideKind(kind: FormKind, verdict: string | undefined, at: Circumstances): Decision {
  const decision = decideBy(kind, verdict, at);
  return decision.allowed && verdict === 'writes' ? { allowed: true, writes: true } : decision;
}

function decideBy(kind: FormKind, verdict: string | undefined, at: Circumstances): Decision {
  if (verdict === 'writes' && !(at.writes === 'create' && at.depth === 'deep' && isUndecided(kind)))
    return refused('writes', 'it stores what it is sent');
  switch (kind.kind) {
    case 'reads':
      return allowed;
    case 'login':
      // A name that nobody has is refused; in a session it would end that session.
      return at.visitor === 'nobody' ? allowed : refused('sensitive-fields', 'it has a password in it');
    case 'ends-session':
    case 'would-act':
      return refused(
        kind.kind,
        kind.kind === 'ends-session' ? `it may end a session: "${kind.word}"` : mayDo(kind.word),
      );
    case 'sensitive':
      return refused(
        'sensitive-fields',
        'it has a password, a file or a card in it, or a personal address and a word for something that is done',
      );
    case 'entrance':
      return at.writes === 'create' && at.visitor === 'nobody'
        ? decideUnknown(verdict, at)
        : refused('sensitive-fields', 'it has a password in it');
    case 'addressed':
      // Somebody's own would be the address of their account.
      return at.writes === 'create' && at.visitor === 'nobody'
        ? decideUnknown(verdict, at)
        : refused('sensitive-fields', 'it has a personal address in it');
    case 'upload':
      return at.licence === 'lasting'
        ? decideUnknown(verdict, asAdder(at))
        : refused('sensitive-fields', 'it takes a file');
    case 'message':
      return at.writes === 'create' ? decideUnknown(verdict, at) : refused('message', 'it sends a message to somebody');
    case 'credential':
      return at.writes === 'create' ? decideUnknown(verdict, at) : refused('would-act', makesKey);
    case 'sets':
      return at.writes === 'create' ? decideUnknown(verdict, at) : refused('would-act', setsAll);
    case 'adds':
      if (at.writes !== 'create') return refused('would-act', mayDo(kind.word));
      return kind.takesFile && at.licence !== 'lasting'
        ? refused('sensitive-fields', 'it takes a file')
        : decideUnknown(verdict, asAdder(at));
    case 'bare':
      // A test system shows what it does when it is sent once.
      return at.writes === 'create' ? decideUnknown(verdict, at) : refused('would-act', mayDo('submit'));
    case 'keeps':
      return decideUnknown(verdict, kind.isFilledIn ? at : asAdder(at));
    case 'asks':
      // Nobody's GET, in a scan that observes no forms: where they are observed, what is seen decides.
      return at.depth === 'standard' && at.visitor === 'nobody'
        ? allowed
        : decideKind({ kind: 'unknown' }, verdict, at);
    case 'unknown':
      // An administrator of a test system uses what was seen to keep nothing, or works with what it is given: a tool, and no setting.
      return at.visitor === 'admin' &&
        at.writes === 'create' &&
        at.depth === 'deep' &&
        (verdict === 'reads' || (verdict === 'unknown' && kind.isTool))
        ? allowed
        : decideUnknown(verdict, at);
  }
}

/** What is added by an administrator of a test system changes nothing that is there, as with anybody; what stands in a form already would. */
const asAdder = (at: Circumstances): Circumstances =>
  at.visitor === 'admin' && at.writes === 'create' ? { ...at, visitor: 'user' } : at;

const isUndecided = ({ kind }: FormKind): boolean =>
  kind === 'reads' ||
  kind === 'keeps' ||
  kind === 'adds' ||
  kind === 'asks' ||
  kind === 'unknown' ||
  kind === 'bare' ||
  kind === 'message' ||
  kind === 'addressed' ||
  kind === 'entrance' ||
  kind === 'credential' ||
  kind === 'sets' ||
  kind === 'upload';

function decideUnknown(verdict: string | undefined, { depth, visitor, licence, writes }: Circumstances): Decision {
  // A test system may keep what is left: there it is enough that what it does was looked for.
  const isObserved = verdict === 'reads' || (verdict !== undefined && writes === 'create');
  if (depth === 'deep' && visitor !== 'admin' && isObserved) return allowed;
  if (depth === 'deep' && licence === 'observation' && writes !== 'none') return allowed;
  if (depth === 'deep' && licence === 'lasting' && writes === 'create' && visitor !== 'admin') return allowed;
  return refused('not-observed', 'nothing shows that it only reads');
}

/** Of what is allowed, what writes counts for all. */
const firstRefusal = (decisions: readonly Decision[]): Decision =>
  decisions.find((each) => !each.allowed) ?? decisions.find((each) => each.allowed && each.writes) ?? allowed;
