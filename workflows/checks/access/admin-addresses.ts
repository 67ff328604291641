import type { SkipCode } from '../../model/skipped.ts';
import type { CheckContext } from '../contract.ts';
import { atMost, widened } from '../inputs/at-most.ts';
import { inParallel } from '../inputs/parallel.ts';
import { adminPathsIn, commonAdminPaths, isAdminPath } from '../pages/admin-paths.ts';
import { siteRoots } from '../pages/folders.ts';
import { isLibraryFile, ownScripts } from '../pages/scripts.ts';

const maxScripts = 15;

/** Where programs of many kinds keep what is for those who run them, beside the common ones. */
const paths = [
  ...commonAdminPaths,
  '/admin/settings',
  '/admin/users/new',
  '/admin/config',
  '/admin/accounts',
  '/admin/panel',
  '/admin_panel',
  '/admin-panel',
  '/adminpanel',
  '/api/admin/stats',
  '/admin.php',
  '/admin/index.php',
  '/administration',
  '/control-panel',
  '/panel',
  '/cms',
  '/backend',
  '/settings',
  '/settings/users',
  '/config',
  '/user/list',
  '/users/list',
  '/accounts',
  '/members',
  '/api/admin/settings',
  '/api/admin/config',
  '/api/accounts',
  '/api/settings',
  '/wp-json/wp/v2/settings',
];

/** What was left out only because a limit was reached. */
const mayStillBeAsked = (code: SkipCode): boolean => ['folded', 'budget', 'too-many', 'failed'].includes(code);

/** Addresses of administration, each once: what the site itself leads to, the likeliest first, and guesses. */
type AdministrationAddresses = { named: string[]; usual: string[] };

/** Addresses of administration: what was seen, what robots.txt and scripts name, and what is usual. */
export async function administrationAddresses(context: CheckContext): Promise<AdministrationAddresses> {
  const { surface, http } = context;
  const [root] = siteRoots(surface);
  if (root === undefined) return { named: [], usual: [] };
  const isWanted = (url: string) => url.startsWith(root) && isAdminPath(new URL(url).pathname);
  const seen = surface.pages.filter(({ status }) => status === 200).map(({ url }) => url);
  const left = surface.skipped.filter(({ code }) => mayStillBeAsked(code)).map(({ url }) => url);
  const scripts = ownScripts(surface).filter((url) => !isLibraryFile(url));
  const files = atMost(context, scripts, widened(context, maxScripts), 'script files');
  const named = await inParallel(files, 4, async (url) => adminPathsIn((await http.get(url)).text));
  const inScripts = named.flat().map((path) => new URL(path, root).href);
  const all = new Set([...seen, ...inScripts, ...left].filter(isWanted));
  const usual = paths.map((path) => new URL(path, root).href);
  return { named: [...all], usual: usual.filter((url) => !all.has(url)) };
}
