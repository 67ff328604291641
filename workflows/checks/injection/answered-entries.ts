import type { Exchange } from '../../model/http.ts';
import { firstMatch } from '../../proof/pattern.ts';
import type { CheckContext } from '../contract.ts';
import { type PlantedValue, read } from './stored-reads.ts';
import type { StoringForm } from './storing-form.ts';

/** The answer in JSON gives the identifier of the new entry, which stands in the addresses of its pages. */
export type AnsweredEntry = {
  by: 'answer';
  /** RE2 pattern of the member that gives it, whose group is the identifier. */
  member: string;
  /** The address of a page of an entry, before its identifier and behind it. */
  before: string;
  behind: string;
};

const maxMembers = 2;
const maxRoutes = 4;
const names = /"(_?id|uuid|slug|key|[a-z]{1,20}(?:_id|Id))"\s*:/g;
const identifier = '"?([\\w-]{1,64})';

/** Members of the answer, and of what it wraps, that may name an entry. */
function membersOf({ text, status }: Exchange): string[] {
  if (status >= 400 || !/^\s*[{[]/.test(text)) return [];
  const found = [...text.slice(0, 10_000).matchAll(names)].flatMap(([, name]) => name ?? []);
  return [...new Set(found)].slice(0, maxMembers).map((name) => `"${name}"\\s*:\\s*${identifier}`);
}

/**
 * Finds the pages of what has just been stored, of which the site showed us others: with the new identifier in the place of theirs.
 * @throws ProbeError
 */
export async function answeredEntries(
  context: CheckContext,
  form: StoringForm,
  planted: readonly PlantedValue[],
  answer: Exchange,
): Promise<{ url: string; entry: AnsweredEntry }[]> {
  const surface = form.identity === '' ? context.surface : context.surfaces[form.identity];
  const found: { url: string; entry: AnsweredEntry }[] = [];
  for (const member of membersOf(answer)) {
    const id = firstMatch(member, answer.text)?.groups[0];
    if (id === undefined || !surface) continue;
    const shown = surface.pages.filter(({ status, contentType }) => status === 200 && /html|json/.test(contentType));
    const routes = routesWith(
      shown.map(({ url }) => url),
      id,
    );
    for (const [before, behind] of [...routes, ...ownRoute(form, routes)]) {
      const url = before + id + behind;
      const page = await read(context, form.identity, url);
      if (page?.status !== 200 || !planted.some(({ word }) => page.text.includes(word))) continue;
      found.push({ url, entry: { by: 'answer', member, before, behind } });
    }
  }
  return found;
}

/** By the habit of APIs an entry is shown below the address that makes it. */
function ownRoute(
  { inputs: [first] }: StoringForm,
  routes: readonly (readonly [string, string])[],
): [string, string][] {
  if (first?.method !== 'POST') return [];
  const before = `${first.url.replace(/[?#].*$/s, '').replace(/\/$/, '')}/`;
  return routes.some(([known, behind]) => known === before && behind === '') ? [] : [[before, '']];
}

/** What stands around an identifier of the same kind in these addresses, each once. */
function routesWith(urls: readonly string[], id: string): [before: string, behind: string][] {
  const kind = /^\d+$/.test(id) ? '\\d{1,12}' : `[\\w-]{${id.length}}`;
  const place = new RegExp(`^(https?://[^/]+/[^#]*?[/=])(?:${kind})((?:[/?&][^#]*)?)$`);
  const routes = new Map(
    urls.flatMap((url): [string, [string, string]][] => {
      const [, before, behind] = place.exec(url) ?? [];
      return before === undefined || behind === undefined ? [] : [[`${before}\0${behind}`, [before, behind]]];
    }),
  );
  return [...routes.values()].slice(0, maxRoutes);
}

/** The page of the entry that this answer made; undefined where it names none. */
export function answeredPlace({ member, before, behind }: AnsweredEntry, answer: Exchange): string | undefined {
  const id = firstMatch(member, answer.text)?.groups[0];
  return id === undefined ? undefined : before + id + behind;
}
