import type { Identity } from '../../model/identity.ts';
import { isLeftOut } from '../../probe/errors.ts';
import type { CheckContext } from '../contract.ts';
import { sample } from '../inputs/at-most.ts';
import { readCalls } from '../sessions/objects.ts';

/** Identifiers that nobody guesses, by their form, as the pages that a user is shown name them of anything. */
export type LeakedIds = ReadonlyMap<string, readonly string[]>;

const maxPages = 12;
const uuid = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}';
const unguessable = new RegExp(`(?<![\\w-])(?:${uuid}|[0-9a-f]{16,64})(?![\\w-])`, 'gi');
const whole = new RegExp(`^(?:${uuid}|[0-9a-f]{16,64})$`, 'i');

/** The same for identifiers of one kind of maker; undefined for what may be guessed. */
export const formOfId = (value: string): string | undefined =>
  whole.test(value) ? `${value.length} ${value.includes('-') ? 'uuid' : 'hex'}` : undefined;

/** Identifiers in what the user's pages and calls are answered. @throws ProbeError */
export async function leakedIdsOf({ http, ...context }: CheckContext, user: Identity): Promise<LeakedIds> {
  const surface = context.surfaces[user.name];
  if (!surface) return new Map();
  const pages = surface.pages.filter(({ status, contentType }) => status === 200 && /html|json/.test(contentType));
  const urls = [...new Set([...readCalls(surface), ...pages].map(({ url }) => url.replace(/#.*$/s, '')))];
  const found = new Set<string>();
  for (const url of sample(context, urls, maxPages, 'pages that may name others', 'pages of one site name the same')) {
    try {
      const { status, text } = await http.get(url, { jar: user.jar, headers: user.headers });
      if (status === 200) for (const [id] of text.matchAll(unguessable)) found.add(id);
    } catch (error) {
      if (!isLeftOut(error)) throw error;
    }
  }
  return Map.groupBy(found, (id) => formOfId(id) ?? '');
}

/** Identifiers of the form of one of the user's own, and one that is nobody's. */
export function leakedBeside(
  leaked: LeakedIds,
  own: string,
  known: readonly string[],
): { values: string[]; nobody: string } | undefined {
  const form = formOfId(own);
  if (form === undefined) return undefined;
  const others = (leaked.get(form) ?? []).filter((id) => id !== own && !known.includes(id));
  const nobody = own.replace(/[0-9a-f]/gi, (digit) => ((Number.parseInt(digit, 16) + 7) % 16).toString(16));
  return others.length === 0 ? undefined : { values: others, nobody };
}
