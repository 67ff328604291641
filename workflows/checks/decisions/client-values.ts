import { percentDecodedOrSame } from '../../../kit/percent.ts';
import { parseJson } from '../../model/json.ts';

/** A value that a client keeps, changed in one place. */
export type ChangedValue = {
  /** For the reader: `"role" from "user" to "admin"`. */
  what: string;
  value: string;
};

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

/** The value that stands for all rights, in the case that the site uses; undefined where this one is about something else. */
function raised(name: string, value: string): string | undefined {
  const other = opposites[value.toLowerCase()];
  const isNamed = isRole(value)
    ? roleNames.test(spelled(name)) || flagNames.test(spelled(name))
    : flagNames.test(spelled(name));
  if (other === undefined || !isNamed) return undefined;
  if (value.length > 1 && value === value.toUpperCase()) return other.toUpperCase();
  return /^\p{Lu}/u.test(value) ? other.charAt(0).toUpperCase() + other.slice(1) : other;
}

const told = (name: string, from: string, to: string): string => `"${name}" from "${from}" to "${to}"`;

/**
 * Ways to change a value so that it says that its sender may do more: plain, percent-encoded, base64, JSON, fields beside each other
 * and what PHP serialises, one in the other.
 * @param name of the cookie or parameter
 */
export function raisedValues(name: string, value: string, depth = 0): ChangedValue[] {
  if (value === '' || value.length > 4_000 || depth > 3) return [];
  const plain = raised(name, value);
  if (plain !== undefined) return [{ what: told(name, value, plain), value: plain }];
  // What is in an encoding for no reason is meant to be read by nobody; its name says less then.
  const bare = depth > 0 && isRole(value) ? raised('role', value) : undefined;
  if (bare !== undefined) return [{ what: told(name, value, bare), value: bare }];
  const decoded = percentDecodedOrSame(value);
  if (decoded !== value)
    return raisedValues(name, decoded, depth + 1).map((each) => ({ ...each, value: encodeURIComponent(each.value) }));
  return [
    ...inJson(name, value),
    ...inFields(value),
    ...inPhp(value),
    ...inBase64(name, value, depth),
    ...inHex(name, value, depth),
  ];
}

function inJson(name: string, text: string): ChangedValue[] {
  if (!/^\s*[{[]/.test(text)) return [];
  const root = parseJson(text);
  if (typeof root !== 'object' || root === null) return [];
  return Object.entries(root).flatMap(([key, member]): ChangedValue[] => {
    const put = (changed: unknown) => JSON.stringify(Array.isArray(root) ? changed : { ...root, [key]: changed });
    if (typeof member === 'object' && member !== null && !Array.isArray(member))
      return inJson(name, JSON.stringify(member)).map(({ what, value }) => ({ what, value: put(parseJson(value)) }));
    if (Array.isArray(root)) return [];
    const other = raised(key, String(member));
    if (other === undefined) return [];
    const changed = typeof member === 'string' ? other : typeof member === 'boolean' ? true : Number(other);
    return [{ what: told(key, String(member), other), value: put(changed) }];
  });
}

/** "admin=0&lang=en", "user:guest|lang:en". */
function inFields(text: string): ChangedValue[] {
  if (/[{}"]/.test(text)) return [];
  return [...text.matchAll(/(?<=^|[&;|,])([\w.-]{1,40})([=:])([\w-]{1,20})(?=$|[&;|,])/g)].flatMap(
    (match): ChangedValue[] => {
      const [whole, key = '', sign = '', value = ''] = match;
      const other = raised(key, value);
      if (other === undefined) return [];
      const changed = text.slice(0, match.index) + key + sign + other + text.slice(match.index + whole.length);
      return [{ what: told(key, value, other), value: changed }];
    },
  );
}

/** Source: PHP manual, serialize. */
function inPhp(text: string): ChangedValue[] {
  const member = /(s:\d+:"([\w.-]{1,40})";)(?:([bi]):0;|s:\d+:"(\w{1,20})";)/g;
  return [...text.matchAll(member)].flatMap((match): ChangedValue[] => {
    const [whole, head = '', key = '', type, role] = match;
    const other = raised(key, role ?? '0');
    if (other === undefined) return [];
    const changed = type === undefined ? `s:${other.length}:"${other}";` : `${type}:1;`;
    return [
      {
        what: told(key, role ?? '0', other),
        value: text.slice(0, match.index) + head + changed + text.slice(match.index + whole.length),
      },
    ];
  });
}

const readable = /^[\x20-\x7e]+$/;

function inBase64(name: string, text: string, depth: number): ChangedValue[] {
  if (!/^[\w+/-]{4,}={0,2}$/.test(text)) return [];
  const isUrl = /[-_]/.test(text);
  const decoded = Buffer.from(text, 'base64').toString('latin1');
  const encode = (value: string): string => {
    const encoded = Buffer.from(value, 'latin1').toString(isUrl ? 'base64url' : 'base64');
    return text.endsWith('=') || isUrl || text.length % 4 === 0 ? encoded : encoded.replace(/=+$/, '');
  };
  if (!readable.test(decoded) || encode(decoded).replace(/=+$/, '') !== text.replace(/=+$/, '')) return [];
  return raisedValues(name, decoded, depth + 1).map(({ what, value }) => ({ what, value: encode(value) }));
}

function inHex(name: string, text: string, depth: number): ChangedValue[] {
  if (!/^(?:[0-9a-f]{2}){3,}$/i.test(text)) return [];
  const decoded = Buffer.from(text, 'hex').toString('latin1');
  if (!readable.test(decoded)) return [];
  return raisedValues(name, decoded, depth + 1).map(({ what, value }) => ({
    what,
    value: Buffer.from(value, 'latin1').toString('hex'),
  }));
}
