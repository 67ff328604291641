import { createHash } from 'node:crypto';
import type { Login } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import type { CookieJar, HeaderList } from '../probe/types.ts';
import { type Json, parseJson } from './json-path.ts';
import type { Answer } from './marker.ts';
import { usernameOf } from './settings.ts';

/** By what an account is known again, whichever way it logs in. Digests: they are compared, and never read. */
export type Account = {
  checkUrl: string;
  /** Of the user name that was typed. */
  username?: string;
  /** Of issuer and subject of its token (RFC 7519 §4.1). */
  subject?: string;
  /** Of the addresses and ids that the check page shows to it, and not to anonymous visitors. */
  names: string[];
  /** Of the words that the check page shows to it each time, and not to anonymous visitors. */
  words: string[];
};

type Seen = { url: string; mine: readonly Answer[]; anonymous: readonly Answer[] };

const maxWords = 1_000;

/** @param seen answers of the check page */
export function accountOf(
  login: Login,
  session: { jar: CookieJar; headers: HeaderList },
  { url, mine, anonymous }: Seen,
): Account {
  const username = usernameOf(login);
  const subject = subjectOf(session);
  const [mineWords, otherWords] = [mine.map(wordsIn), anonymous.map(wordsIn)];
  const isOwn = (word: string) =>
    mineWords.every((words) => words.has(word)) && !otherWords.some((words) => words.has(word));
  const text = mine[0]?.text ?? '';
  const names = [...addressesIn(text), ...idsIn(parseJson(text))].map(plain);
  return {
    checkUrl: url,
    names: [...new Set(names.filter((name) => isOwn(name)).map(digest))],
    words: [...(mineWords[0] ?? [])].filter(isOwn).slice(0, maxWords).map(digest),
    ...(username !== undefined && { username: digest(plain(username)) }),
    ...(subject !== undefined && { subject: digest(subject) }),
  };
}

/**
 * Whether two logins came to the same account. What the pages show goes before what tokens say, since some sites put the
 * same subject into every token; a page that shows no names tells nothing.
 */
export function isSameAccount(a: Account, b: Account): boolean {
  if (a.username !== undefined && a.username === b.username) return true;
  const common = a.names.filter((name) => b.names.includes(name));
  if (common.length === 0 && a.names.length > 0 && b.names.length > 0) return false;
  if (a.subject !== undefined && b.subject !== undefined) return a.subject === b.subject;
  if (!isSamePage(a, b)) return false;
  if (a.username === undefined || b.username === undefined) return common.length > 0;
  // One of two user names greets both. A page with both of them is a list.
  return a.words.includes(a.username) !== a.words.includes(b.username);
}

/** Times and counters differ from one load to the next. */
const sameShare = 0.9;

function isSamePage(a: Account, b: Account): boolean {
  const common = a.words.filter((word) => b.words.includes(word)).length;
  const all = a.words.length + b.words.length - common;
  return a.checkUrl === b.checkUrl && all > 0 && common / all >= sameShare;
}

/** Enough of it that no two words of a page are taken for one. */
const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

const plain = (text: string): string => text.trim().toLowerCase();

/** Words, and what is written like one: addresses, user names, numbers. */
const wordsIn = ({ text }: Answer): Set<string> =>
  new Set(plain(text).match(/[\p{L}\p{N}][\p{L}\p{N}@._+-]*[\p{L}\p{N}]/gu));

const addressesIn = (text: string): string[] => text.match(/[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+/g) ?? [];

const idNames =
  /^(?:_?id|uid|sub|uuid|(?:user|account|customer|member)_?(?:id|name)|e?-?mail(?:_?address)?|login|name|phone)$/i;
const maxMembers = 1_000;

/** Values of members that name somebody. */
function idsIn(json: Json | undefined): string[] {
  const ids: string[] = [];
  const work: (Json | undefined)[] = [json];
  for (let index = 0; index < work.length && index < maxMembers; index += 1) {
    const value = work[index];
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, member] of Object.entries(value)) {
      if (typeof member === 'object') work.push(member);
      else if (idNames.test(name) && String(member).length > 2) ids.push(String(member));
    }
  }
  return ids;
}

/** Issuer and subject of the first token of the session that has them. */
function subjectOf({ jar, headers }: { jar: CookieJar; headers: HeaderList }): string | undefined {
  const texts = [...headers.map(([, value]) => value), ...jar.all().map(({ value }) => value)];
  for (const token of texts.flatMap((text) => text.match(/eyJ[\w-]{1,4096}\.eyJ[\w-]{1,8192}\./g) ?? [])) {
    const claims = parseJson(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
    if (typeof claims !== 'object' || claims === null || Array.isArray(claims)) continue;
    const { iss = '', sub } = claims;
    if (typeof sub === 'string' || typeof sub === 'number') return `${iss} ${sub}`;
  }
  return undefined;
}
