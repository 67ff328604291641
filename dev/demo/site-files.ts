import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import type { Weaknesses } from './weaknesses.ts';

const contentTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

export type SiteFile = { content: Buffer; contentType: string };

/** A file of the site by the path of its URL, or undefined when there is none for visitors. */
export async function siteFile(weaknesses: Weaknesses, folder: string, urlPath: string): Promise<SiteFile | undefined> {
  const path = normalize(decoded(urlPath)).replace(/^[/\\]+/, '');
  if (path.includes('\0') || path.split(sep).includes('..')) return undefined;
  const isPublic = weaknesses.repositoryServed ? !isOurs(path) : isMeantForVisitors(path);
  if (!isPublic) return undefined;
  try {
    const content = await readFile(join(folder, path));
    return { content, contentType: contentTypes[extname(path)] ?? 'application/octet-stream' };
  } catch {
    return undefined;
  }
}

/** A list of what to refuse has to think of everything. */
const isOurs = (path: string): boolean =>
  ['config', 'src'].some((name) => path === name || path.startsWith(name + sep)) ||
  ['package.json', 'README.md'].includes(path);

/** A list of what to serve does not. */
const isMeantForVisitors = (path: string): boolean =>
  path === 'robots.txt' || (path.startsWith(`assets${sep}`) && extname(path) in contentTypes);

function decoded(urlPath: string): string {
  try {
    return decodeURIComponent(urlPath);
  } catch {
    return '\0';
  }
}
