import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { folderList } from './folder-list.ts';
import type { Weaknesses } from './weaknesses.ts';

const contentTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

type SiteFile = { content: Buffer; contentType: string };

/** A file of the site by the path of its URL, or undefined when there is none for visitors. */
export async function siteFile(weaknesses: Weaknesses, folder: string, urlPath: string): Promise<SiteFile | undefined> {
  const path = normalize(decoded(urlPath)).replace(/^[/\\]+/, '');
  if (path.includes('\0') || path.split(sep).includes('..')) return undefined;
  if (path === `downloads${sep}` && weaknesses.folderListed)
    return { content: await folderList(folder, 'downloads'), contentType: 'text/html; charset=utf-8' };
  if (!isMeantForVisitors(path, weaknesses) && !isForgotten(path, weaknesses)) return undefined;
  try {
    const content = await readFile(join(folder, path));
    return { content, contentType: contentTypes[extname(path)] ?? 'application/octet-stream' };
  } catch {
    return undefined;
  }
}

/** A list of what to serve says all of it. */
function isMeantForVisitors(path: string, weaknesses: Weaknesses): boolean {
  const [top, second] = path.split(sep);
  if (path === 'robots.txt') return true;
  if (path === join('.well-known', 'security.txt')) return !weaknesses.noSecurityContact;
  if (top === 'downloads') return extname(path) === '.txt' || weaknesses.folderListed;
  if (top !== 'assets') return false;
  return second === 'vendor' ? weaknesses.oldLibrary : ['.css', '.js', '.svg'].includes(extname(path));
}

/** A list of what to refuse has to think of everything; this is what ours did not. */
function isForgotten(path: string, weaknesses: Weaknesses): boolean {
  if (path.startsWith(`.git${sep}`)) return weaknesses.repositoryServed;
  if (path === '.env') return weaknesses.settingsServed;
  if (extname(path) === '.bak') return weaknesses.backupServed;
  return path.startsWith(`assets${sep}`) && extname(path) === '.map' && weaknesses.sourceMapServed;
}

function decoded(urlPath: string): string {
  try {
    return decodeURIComponent(urlPath);
  } catch {
    return '\0';
  }
}
