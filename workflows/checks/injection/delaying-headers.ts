import type { InputSurface } from '../../model/surface.ts';
import { partRoute } from '../../probe/program-parts.ts';
import { normaliseRoute } from '../../probe/routes.ts';
import { fill, newTrialValues } from '../../proof/template.ts';
import type { CheckContext } from '../contract.ts';
import { sample } from '../inputs/at-most.ts';
import { unlessBroken } from './computed-result.ts';
import type { Delaying } from './delays.ts';

/** What logs and statistics are made of. */
const logged = ['User-Agent', 'Referer', 'X-Forwarded-For'] as const;
/** One program mostly logs the visits of all pages, though a page may count its own. */
const maxPages = 6;
const seconds = 2;
/** An answer that is later by this much is worth a look at each header. */
const worthMs = 1_500;

/**
 * Headers of a visit as inputs, of which no page shows anything: those of pages whose answer comes late when all of them have a value that
 * delays. One request for each value.
 * @throws ProbeError
 */
export async function delayingHeaders(context: CheckContext, delayings: readonly Delaying[]): Promise<InputSurface[]> {
  const { http, surface, visitor, quiet, nonce } = context;
  // They are logged whoever visits.
  if (visitor !== undefined) return [];
  const shown = surface.pages.filter(({ status, contentType }) => status < 400 && /html|json/.test(contentType));
  const byProgram = Map.groupBy(shown, ({ url }) => partRoute(url));
  const first = [...byProgram.values()].flatMap(([page]) => page ?? []);
  const pages = sample(context, first, maxPages, 'pages', 'one program mostly logs the headers of all');
  const found: InputSurface[] = [];
  for (const { url } of pages) {
    const known = surface.inputs.filter((input) => input.in === 'header' && input.url === url);
    const names = logged.filter((name) => !known.some(({ parameter }) => parameter === name));
    const elapsed = (value: string | undefined) =>
      quiet.beside(async () => {
        const sent = fill(value ?? '', newTrialValues(nonce));
        const headers = names.map((name) => [name, sent] as const);
        return (await http.get(url, { ...(value === undefined ? {} : { headers }), fresh: true })).elapsedMs;
      });
    const usualMs = await elapsed(undefined);
    for (const { value } of delayings) {
      const elapsedMs = await elapsed(value(String(seconds))).catch(unlessBroken);
      if (elapsedMs === undefined || elapsedMs < usualMs + worthMs) continue;
      found.push(...names.map((name) => headerOf(url, name)));
      break;
    }
  }
  return found;
}

const headerOf = (url: string, parameter: string): InputSurface => ({
  ...{ method: 'GET', url, route: normaliseRoute(url), parameter },
  ...{ in: 'header', sample: '', others: [] },
});
