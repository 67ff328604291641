import { type Parts, partsOf } from './parts.ts';
import { remembered } from './remembered.ts';
import { addingForeign } from './words/applied.ts';
import { objects, states, storingVerbs } from './words/english.ts';
import { namingSegments, readingNames } from './words/harmless.ts';
import { decoded, folded, tokensOf } from './words/spelling.ts';
import { viewParts } from './words/views.ts';
import { type Acting, actingInName, appliedIn, isTitle, makingIn, mildIn, sessionEndIn } from './words.ts';

/** What an address says of itself. */
export type ReadAddress = {
  /** What it says that it does; what its path alone says goes first. */
  acting?: Acting & { in: 'path' | 'query' };
  /** Its last name is a word that acts as soon as it is given a value. */
  valued?: string;
  /** The word of what shows a form as often as it acts. */
  mild?: string;
  /** The word by which its page makes something new, perhaps as soon as it is opened. */
  making?: string;
  hasQuery: boolean;
  /** A segment of its path names one of many things. */
  hasIdentifier: boolean;
  /** Its path or a value in its query names one of many things. */
  hasObject: boolean;
  /** The last segment does. */
  endsInIdentifier: boolean;
  /** Name of a parameter with a token that sites give to what changes something. */
  token?: string;
};

/** Parameters whose value names what is to be done, or the page of a site that has one entry for all. */
const commandParameter =
  /^(?:_?method|_?action|act|a|cmd|command|do|op|oper|operation|task|event|mode|m|todo|job|step|go|func|function|fn|submit|button|btn|page|p|view|route|r|path|controller|c|option|module|mod|section|request|req|service|handler|doaction|subaction|sub|type|what)(?:\[\])?$/i;
/** A name or a path, as sites write them; values of ours are none. */
const nameLike = /^[\p{L}\p{M}\p{N}_.:/ -]{1,80}$/u;

const tokenParameter =
  /^_?(?:wp_?nonce|sectok|csrf[-_]?\w*|xsrf[-_]?\w*|\w*[-_]?(?:csrf|xsrf|nonce)|authenticity[-_]?token|form_?key|form_?hash|form[-_]?token|sess_?key|edit_?token|security_?token|s?token|__requestverificationtoken|verification_?token|request_?token|anti_?forgery\w*|confirm(?:ation)?[-_]?(?:token|key|code)|reset[-_]?(?:token|key|code)|unsubscribe[-_]?token|invite[-_]?token|activation[-_]?(?:key|code))$/i;
const isTokenName = remembered((name) => tokenParameter.test(name));
const minTokenLength = 4;
/** Names of tokens that are other things as well: these have values that nobody could guess. */
const hashParameter = /^(?:hash|tok|token|secret|auth|chk|checksum|secure_?key|skey|sign_?key)$/i;
const hashValue = /^(?=.*\d)(?=.*[a-z])[\w.~+/=-]{12,}$/i;

const state = new RegExp(`^(?:${states})$`, 'u');
const storing = new RegExp(`^(?:${storingVerbs}|${folded(addingForeign)})`, 'u');
const object = new RegExp(`^(?:${objects})$`, 'u');

/** Of those parameters the ones whose value is a verb more often than a name. */
const verbParameter =
  /^(?:_?action|act|cmd|command|do|op|oper|operation|task|event|todo|job|doaction|subaction|func|function|fn)(?:\[\])?$/i;
const naming = new RegExp(`^(?:${namingSegments})$`, 'u');
const readingName = new RegExp(`^(?:${readingNames})$`, 'i');
const viewPart = new RegExp(`^(?:${viewParts.replaceAll(' ?', '')})$`, 'u');
/** Segments whose members have names instead of numbers: "/projects/alpha/fork". */
const named =
  /^(?:u|users?|members?|profiles?|people|projects?|repos?|repositor(?:y|ies)|groups?|teams?|channels?|orgs?|services?|nodes?|jobs?|queues?|pages?|wiki|pods?|containers?|plugins?|modules?|branches)$/i;

/** Segments, and parameters, that are read. */
const maxParts = 64;

/** No site has one of so many parts: what it does is not worked out, and it is not asked for. */
const overlong = (parts: number): ReadAddress => ({
  acting: { code: 'would-act', word: `an address of ${parts} parts`, isSelfSufficient: true, in: 'path' },
  hasQuery: true,
  hasIdentifier: true,
  hasObject: true,
  endsInIdentifier: false,
});

const countOf = ({ pathname, parameters }: Parts): number =>
  Math.max(pathname.split('/').length - 1, parameters.length);

/** Has more parts than are read: nobody is allowed to ask for it. */
export const isOverlong = (url: string): boolean => countOf(partsOf(url)) > maxParts;

/** Reads an absolute address. */
export function readAddress(text: string): ReadAddress {
  const parts = partsOf(text);
  const { search, segments, ids, parameters } = parts;
  if (isOverlong(text)) return overlong(countOf(parts));
  const hasQuery = search.length > 1;
  const hasIdentifier = ids.includes(true);
  const acting = actingInPath(segments, ids, hasQuery) ?? actingInQuery(parameters);
  const named = asset.test(segments.at(-1) ?? '') ? segments.slice(0, -1) : segments;
  const mild = named.map((segment) => mildIn(withoutExtension(segment))).findLast((word) => word !== undefined);
  const lastName = segments.at(-1) ?? '';
  const last = dataFile.test(lastName) ? undefined : actingInName(withoutExtension(lastName));
  const makes = makingIn(withoutExtension(segments.findLast((_, index) => !ids[index]) ?? ''));
  const token = parameters.find(([name, value]) => isToken(name, value))?.[0];
  const stores = mild !== undefined && storing.test(mild) && (hasQuery || hasIdentifier);
  const found = acting ?? (stores ? { code: 'would-act' as const, word: mild, in: 'path' as const } : undefined);
  return {
    hasQuery,
    hasIdentifier,
    hasObject: hasIdentifier || parameters.some(([, value]) => objectLike.test(value)),
    endsInIdentifier: ids.at(-1) ?? false,
    ...(found ? { acting: found } : {}),
    ...(last?.needs === 'value' ? { valued: last.word } : {}),
    ...(mild === undefined ? {} : { mild }),
    ...(makes === undefined ? {} : { making: makes }),
    ...(token === undefined ? {} : { token }),
  };
}

/** Joomla's token is the name of its parameter: 32 hexadecimal digits, with the value 1. */
const isToken = (name: string, value: string): boolean =>
  (isTokenName(name) && value.length >= minTokenLength) ||
  (hashParameter.test(name) && hashValue.test(value)) ||
  (/^[0-9a-f]{32}$/.test(name) && value === '1');

/** Files that are read as they are: what they are called is no command. */
const dataFile =
  /\.(?:m?js|css|map|png|jpe?g|gif|svg|webp|avif|ico|woff2?|ttf|eot|txt|md|log|bak|old|orig|save|swp|tsx?|jsx|go|rs|java|kt|swift|c|h|cpp|hpp|cs|vue|svelte|s[ac]ss|less|ya?ml|toml|ini|conf|cfg|env|sh|rb|py|sql|gz|zip|tar|tgz|pdf|csv|lock|rst|dist|example|mp[34]|webm)$/i;

/** What pages are made of: a script is called like what it is for, and has its version in its query. */
const asset = /\.(?:m?js|css|map|png|jpe?g|gif|svg|webp|avif|ico|woff2?|ttf|eot)$/i;

function actingInPath(segments: readonly string[], ids: readonly boolean[], hasQuery: boolean): ReadAddress['acting'] {
  let found: Acting | undefined;
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1;
    if (isLast && dataFile.test(segment)) continue;
    const name = withoutExtension(segment);
    const read = ids[index] && !/\p{L}{3,}/u.test(decoded(segment)) ? undefined : actingInName(name);
    const acting = read && isName(read, segments, ids, index) ? undefined : read;
    if (isBehindThing(segments, ids, index) && (isLast || ids[index + 1])) {
      const word = appliedIn(name);
      if (word !== undefined) found ??= { code: 'would-act', word };
    }
    const isBehindId = ids.slice(0, index).includes(true);
    if (isLast && index > 0 && /^(?:on|off)$/i.test(name))
      found ??= { code: 'would-act', word: name, isSelfSufficient: true };
    if (acting?.code === 'ends-session') return { ...acting, in: 'path' };
    const isValued = acting?.needs === 'value' && ((isLast && hasQuery) || ids[index + 1] === true);
    if (acting && (acting.needs === undefined || isValued || (isBehindId && isLast))) found ??= acting;
    if (isBehindId && isLast && isState(name)) found ??= { code: 'would-act', word: decoded(name) };
  }
  // Numbers say nothing, and each would be read anew.
  const ending = sessionEndIn(`/${segments.map((segment) => (isNumber.test(segment) ? '0' : segment)).join('/')}`);
  if (ending !== undefined) return { code: 'ends-session', word: ending, in: 'path' };
  if (!found) return undefined;
  const { isSelfSufficient, ...word } = found;
  return isSelfSufficient && !segments.some(asksForPassword)
    ? { ...word, isSelfSufficient, in: 'path' }
    : { ...word, in: 'path' };
}

const isNumber = /^\d+$/;

const isBehindThing = (segments: readonly string[], ids: readonly boolean[], index: number): boolean =>
  (ids[index - 1] ?? false) || (index >= 2 && named.test(segments[index - 2] ?? ''));

/** Whether a word that acts elsewhere only names something by where it stands. */
function isName(acting: Acting, segments: readonly string[], ids: readonly boolean[], index: number): boolean {
  if (acting.code === 'ends-session') return false;
  const isLast = index === segments.length - 1;
  const last = withoutExtension(segments.at(-1) ?? '');
  // "/mod/assign/view.php" is a view of a module.
  if (!isLast && !acting.isSelfSufficient && !ids[index + 1] && readingName.test(last)) return true;
  const before = folded(decoded(segments[index - 1] ?? ''));
  // "/sidebar/hide" changes what is seen.
  if (isLast && /^(?:un)?hide$|^toggle$|^close$/.test(acting.word) && viewPart.test(before)) return true;
  const isAtEnd = segments.slice(index + 1).every((_, offset) => ids[index + 1 + offset]);
  return isAtEnd && naming.test(before) && isTitle(withoutExtension(segments[index] ?? ''));
}

/** "/password/reset" is where somebody without a password asks for one. */
const asksForPassword = (segment: string): boolean =>
  tokensOf(decoded(segment)).some((token) =>
    /^(?:pass(?:word|wort|wd)?|pwd?|contrasena|senha|parola|haslo|heslo|passe)$/.test(token),
  );

function isState(name: string): boolean {
  const [first = '', ...others] = tokensOf(decoded(name));
  return state.test(first) && others.every((token) => /^(?:for|as|in|by|of)$/.test(token) || object.test(token));
}

function actingInQuery(parameters: readonly (readonly [string, string])[]): ReadAddress['acting'] {
  for (const [name, value] of parameters) {
    const acting =
      actingInParameter(name, value) ??
      (isCommand(name, value) ? (actingInValue(value) ?? actingInVerb(name, value)) : undefined);
    if (acting) return { ...acting, in: 'query' };
  }
  return undefined;
}

/** Values that name one thing, or say yes. */
const objectLike = /^(?:\d+|[0-9a-f]{8,}|true|yes|on|up|down)$/i;
/** Names that filter and sort as often as they act. */
const filtering = /^(?:orders?|reports?|features?|blocks?|archives?|issues?|tips?|imports?|orderby|marks?)$/;

/** Apache Wicket calls a listener of a component by it: "?1-1.ILinkListener-rows-3-remove". */
const listener = /^\d+(?:-\d+)?\.(?:I[A-Z]\w{1,40}Listener)?-./;
const maxWordLength = 60;

/** "?order=asc" sorts, "?like=" filters; "?close", "?trash=7" and "?add=12" are commands. */
function actingInParameter(name: string, value: string): Acting | undefined {
  if (listener.test(name)) return { code: 'would-act', word: name.slice(0, maxWordLength) };
  const acting = actingInName(name);
  if (acting && (acting.needs === undefined || value === '')) return acting;
  if (acting && objectLike.test(value) && !filtering.test(acting.word)) return acting;
  if (acting && !/^orders?$/.test(acting.word) && object.test(folded(value))) return acting;
  const mild = mildIn(name);
  return mild !== undefined && storing.test(mild) && objectLike.test(value) && mild !== 'set'
    ? { code: 'would-act', word: mild }
    : undefined;
}

/** Where a visitor goes on to afterwards. */
const afterwards =
  /next|return|redirect|continue|back|dest|target|url|uri|link|ref|from|to$|goto|callback|success|fail/i;

/** A name in a parameter for commands, or a path in any but those that say where a visitor goes on to. */
const isCommand = (name: string, value: string): boolean =>
  nameLike.test(value) &&
  (commandParameter.test(name) || (/^\/?[\w-]+\/[\w/-]+$/.test(value) && !afterwards.test(name)));

function actingInValue(value: string): Acting | undefined {
  const parts = value.split(/[/:.]/).map((part) => actingInName(part));
  return parts.find((each) => each !== undefined) ?? actingInName(value.replaceAll('/', ' '));
}

/** "draftdel", "delchoice", "markpatrolled": as programmers shorten them. */
const shortened = /^(?:del(?!iver|ta$|eg|ay)|rm)\p{L}{3,}$|^\p{L}{3,}(?<!mo)del$|^mark\p{L}+ed$/u;

function actingInVerb(name: string, value: string): Acting | undefined {
  if (!verbParameter.test(name)) return undefined;
  const parts = value.split(/[/:.]/);
  const word =
    parts.map((part) => appliedIn(part)).find((each) => each !== undefined) ??
    parts.find((part) => isState(part) || shortened.test(tokensOf(part).join('')));
  return word === undefined ? undefined : { code: 'would-act', word };
}

const withoutExtension = (segment: string): string =>
  segment.replace(/;.*$/s, '').replace(/\.[a-z][a-z0-9]{0,4}$/i, '');

/** Whether a parameter says what is to be done, or which page is meant. */
export const namesCommand = (name: string, value: string): boolean =>
  commandParameter.test(name) && nameLike.test(value);

/**
 * What one piece of code serves: route and parameter names, with the values of those that name a command. "/notes?do=view&id=3" and
 * "/notes?do=del&id=3" are different, and "/notes?do=view&id=4" is like the first.
 */
export function commandShape(text: string): string {
  const { route, parameters } = partsOf(text);
  const names = parameters.map(([name, value]) =>
    namesCommand(name, value) && !/\d/.test(value) ? `${name}=${value}` : name,
  );
  return `${route}?${[...new Set(names)].sort().join('&')}`;
}
