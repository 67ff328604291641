import { WriteState } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import { digest } from '../checks/fingerprint.ts';
import type { PageSurface, Surface } from '../model/surface.ts';
import { namesCommand } from '../probe/gate/acting-query.ts';
import { mildIn } from '../probe/gate/mild-words.ts';
import { partsOf } from '../probe/gate/parts.ts';
import { readAddress } from '../probe/gate/urls.ts';
import { namedPath } from '../probe/program-parts.ts';
import type { ActivityTools } from './activity-tools.ts';
import type { WriteRecord } from './writes.ts';

const actionId = 'visits';
/** Of the pages of a kind so many are named: who looks for what was locked needs each. */
const maxNamed = 15;

/** By which a page is shown otherwise, and which some sites keep with the account. */
const viewParameter =
  /^(?:view|layout|display|mode|zoom|columns?|per_?page|page_?size|(?:show|hide)[_-]\w+|sidebar|theme|skin)$/i;

/** The same as parts of a path: "/theme/dark", "/set-language/de". */
const viewPath =
  /\/(?:(?:set|switch|change|choose|select|toggle)[-_]?)?(?:theme|skin|layout|locale|lang(?:uage)?|currency|sort(?:[-_]?by)?|order[-_]?by|view[-_]?mode)\/[a-z][\w-]{0,20}\/?$/i;

/** A place to try the application without an account, which some sites make when it is opened first. */
const demoPath =
  /\/(?:(?:try|start|live|new|create|open)[-_]?)?(?:demo|trial|sandbox|playground|guest|test[-_]?drive)(?:[-_]?(?:start|login|mode|session|account|project|site))?\/?$/i;

/** What tells of something new until it is opened: the place of it, or of all of it. */
const newsPath =
  /\/(?:(?:private|direct|personal|my)[-_]?)?(?:notifications?|notices|alerts|inbox|mailbox|mails?|messages?|conversations?|(?:threads|chats)(?=\/[^/]+))(?:\/|$)/i;

/** Which of them a user is sent, and how. */
const newsSettings = /\/(?:settings|preferences|prefs|options|config(?:uration)?)\//i;

const showsNews = (path: string): boolean => newsPath.test(path) && !newsSettings.test(path);

/** A file that is made of what the site has, which some sites keep beside it. */
const exportPath =
  /\/(?:[\w-]*[-_])?(?:exports?|backup|dump|report)(?:[-_][\w-]*)?(?:\.(?!(?:html?|m?js|css|map|svg|png|gif|ico|woff2?)\b)\w{2,4})?\/?$/i;

/** What opens the interfaces of the site to a program of the user: some sites make it when its page is opened first. */
const keyPath =
  /\/(?:show[-_]?)?(?:(?:api|access|auth|atom|rss|feeds?|calendar|personal)[-_]?)+(?:keys?|tokens?)(?:\.\w{2,4})?\/?$/i;

/** What a user opened last: whatever page is opened is added to it. */
const historyPath =
  /\/(?:[\w-]*[-_])?(?:recent(?:ly)?[-_](?:viewed|visited|opened|used|tables?|items?|documents?|files?|searches|favou?rites?)|last[-_](?:viewed|visited|opened)|(?:view|visit|browsing)[-_]history)(?:\/|$)/i;

type VisitKind = {
  opened: string;
  left: string;
  is(page: PageSurface, withForm: ReadonlySet<string>): boolean;
  /** Pages that are named before others of the kind. */
  isFirst?(url: string): boolean;
};

/** What leaves more is named first. */
const kinds: readonly VisitKind[] = [
  { opened: 'open a demo', left: 'make the demo then', is: (page) => opensDemo(page) },
  {
    opened: 'show a key of the user',
    left: 'make the key then',
    is: ({ status, url }) => status === 200 && keyPath.test(partsOf(url).pathname),
  },
  {
    opened: 'edit something',
    left: 'lock what is edited for some minutes',
    is: ({ status, url }, withForm) => status === 200 && withForm.has(url) && edits(url),
    // Lists whose program has the word in its name lock nothing.
    isFirst: (url) =>
      readAddress(url).hasObject || commandsEdit(url) || /\/edit[^./]*\/?$/i.test(partsOf(url).pathname),
  },
  {
    opened: 'show news to the user',
    left: 'mark as read what is opened',
    is: ({ status, url }) => status < 400 && showsNews(partsOf(url).pathname),
  },
  {
    opened: 'list what the user opened last',
    left: 'add there what is opened',
    is: ({ status, url }) => status < 400 && historyPath.test(namedPath(url)),
  },
  {
    opened: 'export something',
    left: 'keep each export',
    is: ({ status, url }) => (status < 400 || status >= 500) && exportPath.test(partsOf(url).pathname),
  },
  {
    opened: 'choose a view',
    left: 'keep the view with the account',
    is: ({ status, url }) => status < 400 && choosesView(url),
  },
];

/**
 * An entry for what merely visiting pages may leave, as in the browser of any user. Undefined where no such page was visited.
 * @param identity of nobody ""
 */
export function visitsRecord(
  identity: string,
  { pages, forms }: Pick<Surface, 'pages' | 'forms'>,
): WriteRecord | undefined {
  // What scripts send has no method in the form.
  const withForm = new Set(forms.map(({ pageUrl }) => pageUrl));
  const possible = identity === '' ? kinds.slice(0, 1) : kinds;
  const kindOf = new Map(pages.map((page) => [page, possible.find(({ is }) => is(page, withForm))]));
  const met = possible.filter((kind) => [...kindOf.values()].includes(kind));
  const visited = met.map((kind) => {
    const rank = ({ url }: PageSurface) => Number(kind.isFirst?.(url) === false);
    return pages.filter((page) => kindOf.get(page) === kind).toSorted((one, other) => rank(one) - rank(other));
  });
  const [first] = visited.flat();
  if (!first) return undefined;
  const named = visited.map((ofKind) => listed(ofKind.map(({ url }) => withoutOrigin(url)))).join('; ');
  const [opened, left] = [either(met.map((kind) => kind.opened)), either(met.map((kind) => kind.left))];
  return {
    ...{ id: digest([actionId, identity]), actionId, state: WriteState.LEFT, place: first.url },
    ...(identity !== '' && { identity }),
    description: `Pages that ${opened} were opened and nothing was sent: ${named}. Some sites ${left}.`,
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

/** "lock it, mark it or keep it". */
const either = (all: readonly string[]): string =>
  all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`;

/** The first of them, and how many more there are. */
function listed(all: readonly string[]): string {
  const named = all.slice(0, maxNamed).join(', ');
  return all.length > maxNamed ? `${named} and ${all.length - maxNamed} more` : named;
}

const editor = /(?:^|[/_-])editor(?:[/_.-]|$)/i;

const edits = (url: string): boolean =>
  /^edit/.test(readAddress(url).mild ?? '') || editor.test(partsOf(url).pathname) || commandsEdit(url);

const commandsEdit = (url: string): boolean =>
  partsOf(url).parameters.some(([name, value]) => namesCommand(name, value) && /^edit/.test(mildIn(value) ?? ''));

const choosesView = (url: string): boolean =>
  viewPath.test(partsOf(url).pathname) ||
  partsOf(url).parameters.some(([name, value]) => value !== '' && viewParameter.test(name));

/** It led on, or gave the visitor a session: a page that merely tells of a demo does neither. */
const opensDemo = ({ url, status, setCookies }: PageSurface): boolean =>
  status < 400 && (status >= 300 || setCookies.length > 0) && demoPath.test(partsOf(url).pathname);

function withoutOrigin(url: string): string {
  const { pathname, search } = new URL(url);
  return (pathname + search).slice(0, 120);
}
