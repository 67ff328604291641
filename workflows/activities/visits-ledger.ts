import { WriteState } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import { digest } from '../checks/fingerprint.ts';
import type { PageSurface, Surface } from '../model/surface.ts';
import { namesCommand } from '../probe/gate/acting-query.ts';
import { mildIn } from '../probe/gate/mild-words.ts';
import { partsOf } from '../probe/gate/parts.ts';
import { readAddress } from '../probe/gate/urls.ts';
import type { ActivityTools } from './activity-tools.ts';
import type { WriteRecord } from './writes.ts';

const actionId = 'visits';
/** Of the pages so many are named: who looks for what was locked needs each. */
const maxNamed = 15;

/** By which a page is shown otherwise, and which some sites keep with the account. */
const viewParameter =
  /^(?:view|layout|display|mode|columns?|per_?page|page_?size|(?:show|hide)[_-]\w+|sidebar|theme|skin)$/i;

/** The same as parts of a path: "/theme/dark", "/set-language/de". */
const viewPath =
  /\/(?:(?:set|switch|change|choose|select|toggle)[-_]?)?(?:theme|skin|layout|locale|lang(?:uage)?|currency|sort(?:[-_]?by)?|order[-_]?by|view[-_]?mode)\/[a-z][\w-]{0,20}\/?$/i;

/** A place to try the application without an account, which some sites make when it is opened first. */
const demoPath =
  /\/(?:(?:try|start|live|new|create|open)[-_]?)?(?:demo|trial|sandbox|playground|guest|test[-_]?drive)(?:[-_]?(?:start|login|mode|session|account|project|site))?\/?$/i;

/**
 * An entry for what merely visiting pages may leave: pages that edit one thing may lock it for others for some minutes, a view that an
 * address chooses may be kept with the account, and a demo may be made. Undefined where no such page was visited.
 * @param identity of nobody ""
 */
export function visitsRecord(
  identity: string,
  { pages, forms }: Pick<Surface, 'pages' | 'forms'>,
): WriteRecord | undefined {
  const withForm = new Set(forms.flatMap(({ method, pageUrl }) => (method === 'POST' ? [pageUrl] : [])));
  const isKept = ({ status, url }: PageSurface): boolean =>
    identity !== '' && ((status === 200 && withForm.has(url) && edits(url)) || (status < 400 && choosesView(url)));
  const visited = pages
    .filter((page) => isKept(page) || opensDemo(page))
    .toSorted((one, other) => weightOf(other) - weightOf(one));
  const [first] = visited;
  if (!first) return undefined;
  const named = listed(visited.map(({ url }) => withoutOrigin(url)));
  return {
    ...{ id: digest([actionId, identity]), actionId, state: WriteState.LEFT, place: first.url },
    ...(identity !== '' && { identity }),
    description: visited.some(opensDemo)
      ? `Pages that open a demo, edit something or choose a view were opened and nothing was sent: ${named}. Some sites make the demo then, lock what is edited for some minutes, or keep the view with the account.`
      : `Pages that edit something or choose a view were opened and nothing was sent: ${named}. Some sites lock what is edited for some minutes, or keep the view with the account.`,
    request: { method: 'GET', url: first.url, headers: [], body: '' },
  };
}

/** Keeps what visiting pages may have left, as soon as they were visited: what comes after may fail or be canceled. */
export async function recordVisits(
  { run, writes }: { run: Pick<ActivityTools['run'], 'recordWrite'>; writes: ActivityTools['writes'] },
  identity: string,
  surface: Pick<Surface, 'pages' | 'forms'>,
): Promise<void> {
  const visits = writes === 'none' ? undefined : visitsRecord(identity, surface);
  if (visits) await run.recordWrite(visits);
}

/** An entry for what an application has sent of itself, as a browser logged in to it: many store the settings of their views then. */
export function loginRecord(
  identity: string,
  writes: readonly { method: string; url: string }[],
): WriteRecord | undefined {
  const [first] = writes;
  if (!first) return undefined;
  const named = listed(writes.map(({ method, url }) => `${method} ${withoutOrigin(url)}`));
  return {
    ...{ id: digest([actionId, 'login', identity]), actionId, identity, state: WriteState.LEFT, place: first.url },
    description: `A browser logged in, and the application sent of itself: ${named}. It may have stored settings of the account.`,
    request: { method: first.method, url: first.url, headers: [], body: '' },
  };
}

/** The first of them, and how many more there are. */
function listed(all: readonly string[]): string {
  const named = all.slice(0, maxNamed).join(', ');
  return all.length > maxNamed ? `${named} and ${all.length - maxNamed} more` : named;
}

function edits(url: string): boolean {
  const { mild = '' } = readAddress(url);
  const commands = partsOf(url).parameters.filter(([name, value]) => namesCommand(name, value));
  return [mild, ...commands.map(([, value]) => mildIn(value) ?? '')].some((word) => /^edit/.test(word));
}

const choosesView = (url: string): boolean =>
  viewPath.test(partsOf(url).pathname) ||
  partsOf(url).parameters.some(([name, value]) => value !== '' && viewParameter.test(name));

/** What leaves more is named first. */
const weightOf = (page: PageSurface): number => (opensDemo(page) ? 2 : edits(page.url) ? 1 : 0);

/** It led on, or gave the visitor a session: a page that merely tells of a demo does neither. */
const opensDemo = ({ url, status, setCookies }: PageSurface): boolean =>
  status < 400 && (status >= 300 || setCookies.length > 0) && demoPath.test(partsOf(url).pathname);

function withoutOrigin(url: string): string {
  const { pathname, search } = new URL(url);
  return (pathname + search).slice(0, 120);
}
