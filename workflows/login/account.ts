import { createHash } from 'node:crypto';
import type { Json } from '../../kit/json.ts';
import type { Login } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import type { CookieJar, HeaderList } from '../model/http.ts';
import { parseJson } from '../model/json.ts';
import type { Account, ShownPage } from '../model/proven-login.ts';
import type { PageAnswer } from './marker.ts';
import { usernameOf } from './settings.ts';

export type SeenPage = { url: string; mine: readonly PageAnswer[]; anonymous: readonly PageAnswer[] };

/** @param seen answers of pages that say who is logged in, in two sessions of the account */
export function accountOf(
  login: Login,
  session: { jar: CookieJar; headers: HeaderList },
  seen: readonly SeenPage[],
): Account {
  const username = usernameOf(login);
  const subject = subjectOf(session);
  return {
    pages: seen.map(shownOn),
    ...(username !== undefined && { username: digest(plain(username)) }),
    ...(subject !== undefined && { subject: digest(subject) }),
  };
}

/** Mail addresses of one account; who is shown more is shown several. */
const mostOfOne = 2;

function shownOn({ url, mine, anonymous }: SeenPage): ShownPage {
  const [mineWords, otherWords] = [mine.map(wordsIn), anonymous.map(wordsIn)];
  const isOwn = (word: string) =>
    mineWords.every((words) => words.has(word)) && !otherWords.some((words) => words.has(word));
  const text = mine[0]?.text ?? '';
  const addresses = addressesIn(text).map(plain);
  const names = [...addresses, ...idsIn(parseJson(text)).map(plain)];
  const words = [...(mineWords[0] ?? [])].filter(isOwn);
  return {
    url,
    names: [...new Set(names.filter((name) => isOwn(name)).map(digest))],
    ...(new Set(addresses.filter(isOwn)).size > mostOfOne && { isList: true as const }),
    words: words.filter((word) => !/\d/.test(word)).map(digest),
    numbered: words.filter((word) => /\d/.test(word)).map(digest),
  };
}

/**
 * Whether two logins came to the same account. It takes evidence: a login that is taken for another one is lost to the
 * scan. What the pages show goes before what tokens say, since some sites put the same subject into every token.
 */
export function isSameAccount(a: Account, b: Account): boolean {
  if (a.username !== undefined && a.username === b.username) return true;
  const pairs = a.pages.flatMap((page) => {
    const other = b.pages.find(({ url }) => url === page.url);
    return other && !page.isList && !other.isList ? [[page, other] as const] : [];
  });
  if (pairs.some(([page, other]) => areDifferentAccounts(page, other))) return false;
  if (a.subject !== undefined && b.subject !== undefined) return a.subject === b.subject;
  const { username } = a;
  if (username === undefined || b.username === undefined)
    return pairs.some(
      ([page, other]) => isSamePage(page, other) && lacking(page.names, other.names) < page.names.length,
    );
  const typed = [username, b.username];
  return pairs.some(([page, other]) => isSamePage(page, other) && greetsOne(typed, page, other));
}

/** Each page shows a name that the other one lacks, or any of them a word: two accounts, however alike the rest is. */
function areDifferentAccounts(page: ShownPage, other: ShownPage): boolean {
  const hasOwnName = lacking(page.names, other.names) > 0 && lacking(other.names, page.names) > 0;
  return hasOwnName || lacking(page.words, other.words) + lacking(other.words, page.words) > 0;
}

const lacking = (list: readonly string[], other: readonly string[]): number => {
  const known = new Set(other);
  return list.filter((each) => !known.has(each)).length;
};

/** One of the two user names stands on both pages, and the other one on neither. A page with both of them is a list. */
function greetsOne(typed: readonly string[], page: ShownPage, other: ShownPage): boolean {
  const shows = ({ words, numbered }: ShownPage) =>
    typed.filter((name) => words.includes(name) || numbered.includes(name));
  const [mine, others] = [shows(page), shows(other)];
  return mine.length === 1 && others.length === 1 && mine[0] === others[0];
}

/** Times and counters differ from one load to the next. */
const sameShare = 0.9;

function isSamePage(page: ShownPage, other: ShownPage): boolean {
  const [mine, others] = [page, other].map(({ words, numbered }) => [...words, ...numbered]) as [string[], string[]];
  const common = mine.length - lacking(mine, others);
  const all = mine.length + others.length - common;
  return all > 0 && common / all >= sameShare;
}

/** Enough of it that no two words of a page are taken for one. */
const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

const plain = (text: string): string => text.trim().toLowerCase();

/** Words, and what is written like one: addresses, user names, numbers. */
const wordsIn = ({ text }: PageAnswer): Set<string> =>
  new Set(plain(text).match(/[\p{L}\p{N}][\p{L}\p{N}@._+-]*[\p{L}\p{N}]/gu));

const addressesIn = (text: string): string[] =>
  text.match(/(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g) ?? [];

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

/** Issuer, subject and what names somebody in the first token of the session that has any of it. */
function subjectOf({ jar, headers }: { jar: CookieJar; headers: HeaderList }): string | undefined {
  const texts = [...headers.map(([, value]) => value), ...jar.all().map(({ value }) => value)];
  for (const token of texts.flatMap((text) => text.match(/eyJ[\w-]{1,4096}\.eyJ[\w-]{1,8192}\./g) ?? [])) {
    const claims = parseJson(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
    if (typeof claims !== 'object' || claims === null || Array.isArray(claims)) continue;
    const { iss = '', sub } = claims;
    const names = [...(typeof sub === 'string' || typeof sub === 'number' ? [String(sub)] : []), ...idsIn(claims)];
    if (names.length > 0) return [iss, ...names].join(' ');
  }
  return undefined;
}
