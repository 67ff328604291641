import { ProbeError } from '../../model/probe-error.ts';
import type { Surface } from '../../model/surface.ts';
import { sourceTextsIn } from '../../proof/source-map.ts';
import { maxPackBytes } from '../../proof/subjects/readers.ts';
import type { CheckContext } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import { mapReferenceIn } from '../pages/map-reference.ts';
import { isLibraryFile, isRelease, scriptFiles } from '../pages/scripts.ts';
import { accountsInScript, type ShownAccount } from './shown-accounts.ts';

/** Sources of a map that are read: those of a large application are thousands. */
const maxSources = 200;
/** More accounts than these in the sources of one script are data for tests. */
const maxAccounts = 4;

/** The site's own scripts of these pages. */
export function mayBeMapped({ pages, url: base }: Surface, of: readonly string[]): string[] {
  const { origin } = new URL(base);
  const scripts = pages.filter(({ url }) => of.includes(url)).flatMap(scriptFiles);
  const isOwn = (url: string) => URL.parse(url)?.origin === origin && !isLibraryFile(url) && !isRelease(url);
  return [...new Set(scripts.filter(isOwn))];
}

/** Accounts in the sources that the map of a script gives out: what was made smaller has lost its comments, and they have them. */
export async function accountsInSources(
  context: Pick<CheckContext, 'http' | 'leave'>,
  script: string,
): Promise<ShownAccount[]> {
  const own = (await sourcesOf(context.http, script)).filter(
    ({ name }) => !/node_modules|bower_components|\/vendors?\//i.test(name),
  );
  const pairs = likeliest(context, own, maxSources, 'sources of a script')
    .flatMap(({ content }) => accountsInScript(content))
    .map(({ pair }) => pair);
  return pairs.length > maxAccounts ? [] : pairs.map((pair) => ({ pair, in: 'file' }));
}

async function sourcesOf(http: CheckContext['http'], script: string): Promise<ReturnType<typeof sourceTextsIn>> {
  try {
    const { url } = mapReferenceIn(await http.get(script)) ?? {};
    if (url === undefined) return [];
    const { status, text } = await http.get(url, { maxBodyBytes: maxPackBytes });
    return status === 200 ? sourceTextsIn(text) : [];
  } catch (error) {
    if (error instanceof ProbeError && (error.code === 'refused' || error.code === 'out_of_scope')) return [];
    throw error;
  }
}
