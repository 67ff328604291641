import type { PageSurface } from '../../model/surface.ts';
import type { PageChange } from './opened-page.ts';

const ending = /\.[a-z][a-z0-9]{0,7}$/i;
/** A NUL byte ends a name for what opens the file, and not for what compares its ending; encoded twice where the path is decoded twice. */
const terminators = ['%00', '%2500'] as const;

/**
 * A file that is refused for its ending, asked for with one behind it that files of the same folder are served with.
 * Source: CWE-158, WSTG-ATHZ-01.
 */
export function endingChanges(url: string, pages: readonly Pick<PageSurface, 'url' | 'status'>[]): PageChange[] {
  const { origin, pathname } = new URL(url);
  const own = ending.exec(pathname)?.[0];
  const folder = origin + pathname.replace(/[^/]*$/, '');
  const served = pages
    .filter((page) => page.status === 200 && page.url.startsWith(folder))
    .map((page) => ending.exec(page.url.slice(folder.length))?.[0])
    .find((each) => each !== undefined && each !== own);
  if (own === undefined || served === undefined) return [];
  return terminators.map((terminator) => ({
    what: `a NUL byte and ${served} behind its name`,
    refused: { url },
    changed: { url: `${origin}${pathname}${terminator}${served}` },
    twin: { url: `${folder}‹nonce›${own}${terminator}${served}` },
  }));
}
