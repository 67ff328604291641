import { createHash } from 'node:crypto';
import { parseJson } from '../../model/json.ts';
import { disguises, encodings } from '../sessions/text-codings.ts';
import { type ChangedValue, raisedTokens } from './raised-jwt.ts';

/** Names of what says that somebody may do something. */
const flagNames =
  /(?:^|[_.\-[])(?:is_?)?(?:admin(?:istrator)?|staff|super_?user|root|privileged|auth(?:enticated|ori[sz]ed|ed)?|logged_?(?:in|on)|login|premium|internal|debug|verified|access|allowed|granted|paid|vip)\]?$/i;
const roleNames =
  /(?:^|[_.\-[])(?:user_?)?(?:role|roles|type|level|group|privileges?|rights?|access|rank|user|username|usr|login|account|profile|who)\]?$/i;
/** What stands for no rights, and what has the same form and stands for all. */
const opposites: Readonly<Record<string, string>> = {
  0: '1',
  false: 'true',
  no: 'yes',
  n: 'y',
  off: 'on',
  f: 't',
  none: 'admin',
  guest: 'admin',
  user: 'admin',
  users: 'admin',
  customer: 'admin',
  member: 'admin',
  anonymous: 'admin',
  visitor: 'admin',
  public: 'admin',
  normal: 'admin',
  regular: 'admin',
  standard: 'admin',
};
const isRole = (value: string): boolean => opposites[value.toLowerCase()] === 'admin';

/** "isLoggedIn" is "is_Logged_In". */
const spelled = (name: string): string => name.replace(/(\p{Ll})(\p{Lu})/gu, '$1_$2');

/** Names that stand for a role and nothing else, whatever the site calls its roles. */
const roleOnly = /(?:^|[_.\-[])(?:user_?)?(?:roles?|rank|privileges?|permissions?|user_?(?:type|group|level))\]?$/i;
const word = /^[a-z]{3,20}$/i;

/** The values that stand for more rights, in the case that the site uses; none where this one is about something else. */
function raised(name: string, value: string, roles: readonly string[]): string[] {
  const other = opposites[value.toLowerCase()];
  const isNamed = isRole(value)
    ? roleNames.test(spelled(name)) || flagNames.test(spelled(name))
    : flagNames.test(spelled(name));
  const isUnknown = other === undefined && word.test(value) && roleOnly.test(spelled(name));
  if (!isUnknown && (other === undefined || !isNamed)) return [];
  const known = other === undefined ? ['admin'] : [other];
  const all = isUnknown || isRole(value) ? [...known, ...roles] : known;
  return [...new Set(all.map((each) => inCaseOf(value, each)))].filter((each) => each !== value);
}

function inCaseOf(value: string, other: string): string {
  if (value.length > 1 && value === value.toUpperCase()) return other.toUpperCase();
  return /^\p{Lu}/u.test(value) ? other.charAt(0).toUpperCase() + other.slice(1) : other;
}

const describeChange = (name: string, from: string, to: string): string => `"${name}" from "${from}" to "${to}"`;

/** Where a value stands in what a client keeps: how many encodings are around it, and names of roles that the site itself uses. */
type ValuePlace = { depth: number; isDisguised: boolean; roles: readonly string[] };

/**
 * Ways to change a value so that it says that its sender may do more: plain, percent-encoded, base64, JSON, fields beside each other
 * what PHP serialises and the claims of tokens, one in the other.
 * @param name of the cookie or parameter
 * @param roles names that the site has for who may see a page
 */
export const raisedValues = (name: string, value: string, roles: readonly string[] = []): ChangedValue[] =>
  raisedIn(name, value, { depth: 0, isDisguised: false, roles });

function raisedIn(name: string, value: string, reading: ValuePlace): ChangedValue[] {
  const { depth, roles } = reading;
  if (value === '' || value.length > 4_000 || depth > 3) return [];
  const plain = raised(name, value, roles);
  // What is in an encoding for no reason is meant to be read by nobody; its name says less then.
  const bare = plain.length === 0 && depth > 0 && isRole(value) ? raised('role', value, roles) : plain;
  if (bare.length > 0) return bare.map((other) => ({ what: describeChange(name, value, other), value: other }));
  const tokens = raisedTokens(value, (claims) => inJson(name, claims, roles));
  if (tokens.length > 0) return tokens;
  const own = [
    ...inJson(name, value, roles),
    ...inFields(value, roles),
    ...inPhp(value, roles),
    ...inDigest(name, value, roles),
  ];
  return own.length > 0 ? own : encoded(name, value, reading);
}

/** Base64 is read without its padding, too. */
const padded = (text: string): string =>
  /^[\w+/-]{4,}$/.test(text) ? text.padEnd(Math.ceil(text.length / 4) * 4, '=') : text;

function encoded(name: string, value: string, { depth, isDisguised, roles }: ValuePlace): ChangedValue[] {
  for (const coding of [...encodings, ...(isDisguised ? [] : disguises)]) {
    const given = coding.what === 'base64' ? padded(value) : value;
    const text = coding.read(given);
    if (text === undefined || text === given) continue;
    const next = { depth: depth + 1, isDisguised: isDisguised || disguises.includes(coding), roles };
    const write = (changed: string): string =>
      given === value ? coding.write(changed) : coding.write(changed).replace(/=+$/, '');
    const inner = raisedIn(name, text, next);
    if (inner.length > 0) return inner.map((each) => ({ ...each, value: write(each.value) }));
  }
  return [];
}

/** What is about whoever sends it says by a flag of any name what they may do. */
const senderName = /^(?:u|user(?:_?(?:name|id))?|login|name|e?mail|sub|uid|account(?:_?id)?|customer(?:_?id)?)$/i;

function inJson(name: string, text: string, roles: readonly string[]): ChangedValue[] {
  if (!/^\s*[{[]/.test(text)) return [];
  const root = parseJson(text);
  if (typeof root !== 'object' || root === null || Array.isArray(root)) return [];
  const isAboutSender = Object.keys(root).some((key) => senderName.test(key));
  return Object.entries(root).flatMap(([key, member]): ChangedValue[] => {
    const put = (changed: unknown) => JSON.stringify({ ...root, [key]: changed });
    if (typeof member === 'object' && member !== null)
      return inJson(name, JSON.stringify(member), roles).map(({ what, value }) => ({
        what,
        value: put(parseJson(value)),
      }));
    const typed = (other: string) =>
      typeof member === 'string' ? other : typeof member === 'boolean' ? true : Number(other);
    const others = raised(key, String(member), roles);
    return (others.length === 0 && member === false && isAboutSender ? ['true'] : others).map((other) => ({
      what: describeChange(key, String(member), other),
      value: put(typed(other)),
    }));
  });
}

const algorithms: Readonly<Record<number, string>> = { 32: 'md5', 40: 'sha1', 64: 'sha256' };

/** The digest of a word, without a secret. */
function inDigest(name: string, value: string, roles: readonly string[]): ChangedValue[] {
  const algorithm = algorithms[value.length];
  if (algorithm === undefined || !/^[\da-f]+$/i.test(value)) return [];
  const digest = (text: string) => createHash(algorithm).update(text).digest('hex');
  const words = Object.keys(opposites).flatMap((text) => [text, text.charAt(0).toUpperCase() + text.slice(1)]);
  const known = words.find((text) => digest(text) === value.toLowerCase());
  if (known === undefined) return [];
  return raised(isRole(known) ? 'role' : name, known, roles).map((other) => ({
    what: describeChange(name, `${algorithm} of ${known}`, `${algorithm} of ${other}`),
    value: value === value.toLowerCase() ? digest(other) : digest(other).toUpperCase(),
  }));
}

/** "admin=0&lang=en", "user:guest|lang:en". */
function inFields(text: string, roles: readonly string[]): ChangedValue[] {
  if (/[{}"]/.test(text)) return [];
  return [...text.matchAll(/(?<=^|[&;|,])([\w.-]{1,40})([=:])([\w-]{1,20})(?=$|[&;|,])/g)].flatMap((match) => {
    const [whole, key = '', sign = '', value = ''] = match;
    return raised(key, value, roles).map((other) => ({
      what: describeChange(key, value, other),
      value: text.slice(0, match.index) + key + sign + other + text.slice(match.index + whole.length),
    }));
  });
}

/** Source: PHP manual, serialize. */
function inPhp(text: string, roles: readonly string[]): ChangedValue[] {
  const member = /(s:\d+:"([\w.-]{1,40})";)(?:([bi]):0;|s:\d+:"(\w{1,20})";)/g;
  return [...text.matchAll(member)].flatMap((match) => {
    const [whole, head = '', key = '', type, role] = match;
    return raised(key, role ?? '0', roles).map((other) => {
      const changed = type === undefined ? `s:${other.length}:"${other}";` : `${type}:1;`;
      return {
        what: describeChange(key, role ?? '0', other),
        value: text.slice(0, match.index) + head + changed + text.slice(match.index + whole.length),
      };
    });
  });
}
