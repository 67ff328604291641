import type { Identity } from '../../model/identity.ts';
import { parseJson } from '../../model/json.ts';
import { isLeftOut } from '../../probe/errors.ts';
import { namedPath } from '../../probe/program-parts.ts';
import type { CheckContext } from '../contract.ts';
import { atMost, widened } from '../inputs/at-most.ts';
import { anyJwtsOf } from '../sessions/jwt.ts';
import { ownProfile } from './own-profile.ts';

/** What a site calls a user by: names, addresses and numbers of the account. */
export type OwnName = { value: string; isNumber: boolean; member: string };

const namingMember =
  /^(?:sub|uid|uuid|_?id|(?:user|account|member|customer)[_-]?(?:id|name|uuid)|login|user|e-?mail)$/i;
const maxProfiles = 4;
const maxLevels = 3;

/**
 * Names by which the site calls one user and not the other: by their tokens, and by the answers that are about themselves.
 * @throws ProbeError
 */
export async function ownNamesOf(context: CheckContext, user: Identity, other: Identity): Promise<OwnName[]> {
  const [own, others] = [await namesOf(context, user), await namesOf(context, other)];
  return [...own.values()].filter(({ value }) => !others.has(value));
}

/** All names by which the site calls a user. @throws ProbeError */
export async function namesOf(context: CheckContext, user: Identity): Promise<Map<string, OwnName>> {
  const pages = context.surfaces[user.name]?.pages ?? [];
  const profiles = pages.filter(({ url, status }) => status === 200 && ownProfile.test(namedPath(url)));
  const urls = [...new Set([user.checkUrl, ...profiles.map(({ url }) => url)])];
  const found = new Map<string, OwnName>();
  for (const { jwt } of anyJwtsOf(user)) addNames(jwt.claims, found, 0);
  for (const url of atMost(context, urls, widened(context, maxProfiles), 'answers about a user'))
    addNames(await jsonAt(context, user, url), found, 0);
  return found;
}

function addNames(value: unknown, found: Map<string, OwnName>, level: number): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || level > maxLevels) return;
  for (const [name, each] of Object.entries(value)) {
    const isName = typeof each === 'string' ? each.length >= 3 && each.length <= 100 : typeof each === 'number';
    if (isName && namingMember.test(name))
      found.set(String(each), { value: String(each), isNumber: isDigits(each), member: name });
    else addNames(each, found, level + 1);
  }
}

const isDigits = (value: unknown): boolean => /^\d+$/.test(String(value));

/** @returns undefined for what is no JSON, or is left out on purpose */
export async function jsonAt({ http }: CheckContext, { jar, headers }: Identity, url: string): Promise<unknown> {
  try {
    const { status, text } = await http.get(url, { jar, headers, fresh: true });
    return status === 200 ? parseJson(text) : undefined;
  } catch (error) {
    if (isLeftOut(error)) return undefined;
    throw error;
  }
}
