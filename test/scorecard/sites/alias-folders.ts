import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Answer, startSite } from '../../fixtures/site.ts';
import type { ScoreSite } from '../case.ts';

type AliasSite = {
  /** "/assets", with or without a slash at its end, as the settings of the server have it. */
  location: string;
  /** Directory behind it, with its slash, below that of the application. */
  directory: string;
  page: string;
  files: Record<string, string>;
  server?: string;
  /** What else the site answers. */
  others?: (path: string) => Answer | undefined;
};

/** A web server that puts what follows a location behind the path of a directory, as the `alias` of nginx does, and opens that file. */
export async function startAlias({ location, directory, page, files, server, others }: AliasSite): Promise<ScoreSite> {
  const root = mkdtempSync(join(tmpdir(), 'alias-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const headers = server === undefined ? {} : { server };
  const site = await startSite(({ path }) => {
    if (path === '/') return { headers: { ...headers, 'content-type': 'text/html' }, body: page };
    const other = others?.(path);
    if (other || !path.startsWith(location) || path.includes('/../')) return other;
    try {
      const type = path.endsWith('.css') ? 'text/css' : 'text/plain';
      const body = readFileSync(`${root}/${directory}${path.slice(location.length)}`);
      return { headers: { ...headers, 'content-type': type }, body };
    } catch {
      return undefined;
    }
  });
  return {
    url: site.url,
    async close() {
      await site.close();
      rmSync(root, { recursive: true });
    },
  };
}
