import { normaliseRoute } from '../routes.ts';
import { objects, states, storingVerbs } from './words/english.ts';
import { decoded, tokensOf } from './words/spelling.ts';
import { type Acting, actingInName, mildIn } from './words.ts';

/** What an address says of itself. */
export type Address = {
  /** What it says that it does; what its path alone says goes first. */
  acting?: Acting & { in: 'path' | 'query' };
  /** Its last name is a word that acts as soon as it is given a value. */
  valued?: string;
  /** The word of what shows a form as often as it acts. */
  mild?: string;
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
const minTokenLength = 4;
/** Names of tokens that are other things as well: these have values that nobody could guess. */
const hashParameter = /^(?:hash|tok|token|secret|auth|chk|checksum|secure_?key|skey|sign_?key)$/i;
const hashValue = /^(?=.*\d)(?=.*[a-z])[\w.~+/=-]{12,}$/i;

const state = new RegExp(`^(?:${states})$`, 'u');
const storing = new RegExp(`^(?:${storingVerbs})`, 'u');
const object = new RegExp(`^(?:${objects})$`, 'u');

/** Segments, and parameters, that are read. */
const maxParts = 64;

/** No site has one of so many parts: what it does is not worked out, and it is not asked for. */
const overlong = (parts: number): Address => ({
  acting: { code: 'would-act', word: `an address of ${parts} parts`, isSelfSufficient: true, in: 'path' },
  hasQuery: true,
  hasIdentifier: true,
  hasObject: true,
  endsInIdentifier: false,
});

const partsOf = ({ pathname, searchParams }: URL): number =>
  Math.max(pathname.split('/').length - 1, searchParams.size);

/** Has more parts than are read: nobody is allowed to ask for it. */
export const isOverlong = (url: URL): boolean => partsOf(url) > maxParts;

/** Reads an absolute address. */
export function readAddress(text: string): Address {
  const url = new URL(text);
  if (isOverlong(url)) return overlong(partsOf(url));
  const segments = url.pathname.split('/').filter((segment) => segment !== '');
  const hasQuery = url.search.length > 1;
  const ids = segments.map((segment) => normaliseRoute(`/${segment}`).includes('{'));
  const hasIdentifier = ids.includes(true);
  const acting = actingInPath(segments, ids, hasQuery) ?? actingInQuery(url.searchParams);
  const mild = segments.map((segment) => mildIn(withoutExtension(segment))).findLast((word) => word !== undefined);
  const last = actingInName(withoutExtension(segments.at(-1) ?? ''));
  const token = [...url.searchParams].find(([name, value]) => isToken(name, value))?.[0];
  const stores = mild !== undefined && storing.test(mild) && (hasQuery || hasIdentifier);
  const found = acting ?? (stores ? { code: 'would-act' as const, word: mild, in: 'path' as const } : undefined);
  return {
    hasQuery,
    hasIdentifier,
    hasObject: hasIdentifier || [...url.searchParams.values()].some((value) => objectLike.test(value)),
    endsInIdentifier: ids.at(-1) ?? false,
    ...(found ? { acting: found } : {}),
    ...(last?.needs === 'value' ? { valued: last.word } : {}),
    ...(mild === undefined ? {} : { mild }),
    ...(token === undefined ? {} : { token }),
  };
}

/** Joomla's token is the name of its parameter: 32 hexadecimal digits, with the value 1. */
const isToken = (name: string, value: string): boolean =>
  (tokenParameter.test(name) && value.length >= minTokenLength) ||
  (hashParameter.test(name) && hashValue.test(value)) ||
  (/^[0-9a-f]{32}$/.test(name) && value === '1');

/** Files that are read as they are: what they are called is no command. */
const dataFile =
  /\.(?:m?js|css|map|png|jpe?g|gif|svg|webp|avif|ico|woff2?|ttf|eot|txt|md|log|bak|old|orig|save|swp|ya?ml|toml|ini|conf|cfg|env|sh|rb|py|sql|gz|zip|tar|tgz|pdf|csv|lock|rst|dist|example|mp[34]|webm)$/i;

function actingInPath(segments: readonly string[], ids: readonly boolean[], hasQuery: boolean): Address['acting'] {
  let found: Acting | undefined;
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1;
    if (isLast && dataFile.test(segment)) continue;
    const name = withoutExtension(segment);
    const acting = ids[index] && !/\p{L}{3,}/u.test(decoded(segment)) ? undefined : actingInName(name);
    const isBehindId = ids.slice(0, index).includes(true);
    if (isLast && index > 0 && /^(?:on|off)$/i.test(name))
      found ??= { code: 'would-act', word: name, isSelfSufficient: true };
    if (acting?.code === 'ends-session') return { ...acting, in: 'path' };
    const isValued = acting?.needs === 'value' && ((isLast && hasQuery) || ids[index + 1] === true);
    if (acting && (acting.needs === undefined || isValued || (isBehindId && isLast))) found ??= acting;
    if (isBehindId && isLast && isState(name)) found ??= { code: 'would-act', word: decoded(name) };
  }
  // What ends a session may stand in two segments: "/session/destroy".
  const whole = actingInName(`/${segments.join('/')}`);
  if (whole?.code === 'ends-session') return { ...whole, in: 'path' };
  if (!found) return undefined;
  const { isSelfSufficient, ...word } = found;
  return isSelfSufficient && !segments.some(asksForPassword)
    ? { ...word, isSelfSufficient, in: 'path' }
    : { ...word, in: 'path' };
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

function actingInQuery(parameters: URLSearchParams): Address['acting'] {
  for (const [name, value] of parameters) {
    const acting = actingInParameter(name, value) ?? (isCommand(name, value) ? actingInValue(value) : undefined);
    if (acting) return { ...acting, in: 'query' };
  }
  return undefined;
}

/** Values that name one thing, or say yes. */
const objectLike = /^(?:\d+|[0-9a-f]{8,}|true|yes|on|up|down)$/i;
/** Names that filter and sort as often as they act. */
const filtering = /^(?:orders?|reports?|features?|blocks?|archives?|issues?|tips?|imports?|orderby|marks?)$/;

/** "?order=asc" sorts, "?like=" filters; "?close", "?trash=7" and "?add=12" are commands. */
function actingInParameter(name: string, value: string): Acting | undefined {
  const acting = actingInName(name);
  if (acting && (acting.needs === undefined || value === '')) return acting;
  if (acting && objectLike.test(value) && !filtering.test(acting.word)) return acting;
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

const withoutExtension = (segment: string): string =>
  segment.replace(/;.*$/s, '').replace(/\.[a-z][a-z0-9]{0,4}$/i, '');

/**
 * What one piece of code serves: route and parameter names, with the values of those that name a command. "/notes?do=view&id=3" and
 * "/notes?do=del&id=3" are different, and "/notes?do=view&id=4" is like the first.
 */
export function commandShape(text: string): string {
  const url = new URL(text);
  const names = [...url.searchParams].map(([name, value]) =>
    commandParameter.test(name) && nameLike.test(value) && !/\d/.test(value) ? `${name}=${value}` : name,
  );
  return `${normaliseRoute(url.pathname)}?${[...new Set(names)].sort().join('&')}`;
}
