import type { Candidate } from '../../model/candidate.ts';
import { claim, type Experiment } from '../../model/experiment.ts';
import type { Identity } from '../../model/identity.ts';
import { ProbeError } from '../../model/probe-error.ts';
import type { PageSurface, Surface } from '../../model/surface.ts';
import { isLeftOut } from '../../probe/errors.ts';
import { commandShape } from '../../probe/gate/urls.ts';
import { namedPath } from '../../probe/program-parts.ts';
import { normaliseRoute } from '../../probe/routes.ts';
import { type CheckContext, defineCheck } from '../contract.ts';
import { eachKindAtMost } from '../inputs/at-most.ts';
import { isAdministration } from '../pages/admin-paths.ts';
import { withoutDescribed } from '../pages/route-templates.ts';
import { siblingOf } from '../pages/soft-404.ts';
import { addressesIn } from '../sessions/objects.ts';
import { patternFor } from '../sessions/private-text.ts';
import { byRole } from '../sessions/roles.ts';
import { lacksIdentities } from '../sessions/site-login.ts';
import { privateTextsIn } from './private-object.ts';
import { privilegeOf } from './privileged-page.ts';

type Unguarded = { url: string; administrator: string; user: string };

/** Pages that are tried for each user; each costs a few requests. */
const maxPages = 40;
/** Of pages whose path does not say that they are of an administration. */
const maxOthers = 20;
/** A branch in which a user works with so many kinds of pages is for all who have an account, whatever it is called. */
const enoughOfUser = 3;

/** A page for administrators is shown to a user who was never shown the way to it. Source: CWE-862, WSTG-ATHZ-02. */
export const functionLevel = defineCheck<Unguarded>({
  id: 'access.function-level',
  title: 'Broken function level authorization: administrative functions open to users',
  cwe: 862,
  owasp: 'A01:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:N/A:N',
  depth: 'deep',
  risk: 'safe',

  async detect(context) {
    const { administrators, users } = byRole(context);
    const [user] = users;
    if (administrators.length === 0 || !user)
      return lacksIdentities(
        context,
        'an identity whose role is that of an administrator, and one of an ordinary user',
      );
    const found = [];
    for (const administrator of administrators) found.push(...(await candidatesFor(context, administrator, user)));
    return found;
  },

  confirm: async (context, { data }) => data && makeExperiment(context, data),

  explain: {
    description:
      'A page or an answer of the API that the site offers to administrators only was given to an ordinary user who asked for its address. The link is hidden from them, the function is not.',
    impact:
      'Every user who guesses the address, or reads it in a script, has what administrators have there: lists of customers, orders, settings. Where reading is not guarded, changing often is not either.',
    sends:
      'Requests up to 40 pages that only an administrator was led to, as an ordinary user, as the administrator and without a login: those that are administrative by their path, and those that manage accounts or settings.',
    proves:
      'A user reads the text of an administrative page; neither the user’s own page nor an anonymous visitor shows it. An attacker with any account reads what administrators see. Only reading is shown; no function is run.',
    remedy:
      'Refuse by default, and ask for the role where the request is handled, for a whole branch of routes at once: Express `app.use("/admin", requireRole("admin"))`, Spring `requestMatchers("/admin/**").hasRole("ADMIN")`, Django `@user_passes_test` or `UserPassesTestMixin`, Rails `before_action :require_admin` in a base controller, ASP.NET Core `[Authorize(Roles = "Admin")]`. Guard the API in the same way as the pages, and test each route with an ordinary user.',
    references: [
      'CWE-862: https://cwe.mitre.org/data/definitions/862.html',
      'OWASP API5:2023 Broken Function Level Authorization: https://owasp.org/API-Security/editions/2023/en/0xa5-broken-function-level-authorization/',
      'WSTG-ATHZ-02: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/05-Authorization_Testing/02-Testing_for_Bypassing_Authorization_Schema',
    ],
  },
});

/**
 * What the administrator was shown, and neither the user nor a visitor was pointed to anything of its kind: which of its objects one
 * may see, and in which order, is no function of its own.
 */
async function candidatesFor(
  context: CheckContext,
  administrator: Identity,
  user: Identity,
): Promise<Candidate<Unguarded>[]> {
  const { surface, surfaces } = context;
  const [own, others] = [surfaces[administrator.name], surfaces[user.name]];
  if (!own || !others) return [];
  const known = new Set([surface, others].flatMap(offeredIn).map(shapeOf));
  const shown = own.pages.filter(({ url, status }) => status === 200 && !known.has(shapeOf(url)));
  const isOfUser = branchesOf(others);
  const isNamed = ({ url }: PageSurface) => isAdministration(namedPath(url)) && !isOfUser.has(branchOf(url));
  const unnamed = shown.filter((page) => !isNamed(page) && /html|json/i.test(page.contentType));
  const privileged = await privilegedPages(context, administrator, unnamed);
  const urls = [...shown.filter(isNamed).map(({ url }) => url), ...privileged];
  const kinds = { max: maxPages, kindOf: normaliseRoute };
  return eachKindAtMost(context, urls, kinds, 'pages of the administration').map((url) => ({
    location: { url },
    route: branchOf(url),
    detail: `It is shown to "${administrator.name}", and "${user.name}" can read it.`,
    data: { url, administrator: administrator.name, user: user.name },
  }));
}

/** Branches with an administration's name in which the pages of an ordinary user work, as "/api/admin" of an editor's console. */
function branchesOf({ pages }: Surface): Set<string> {
  const used = pages.filter(({ status, source }) => status === 200 && source !== 'script').map(({ url }) => url);
  const kinds = Map.groupBy(new Set(used.map(normaliseRoute)), branchOfRoute);
  return new Set([...kinds].flatMap(([branch, routes]) => (routes.length >= enoughOfUser ? branch : [])));
}

/** Of pages that are called anything those that manage accounts or settings, as the administrator is shown them. */
async function privilegedPages(
  context: CheckContext,
  { jar, headers }: Identity,
  pages: readonly PageSurface[],
): Promise<string[]> {
  const kinds = { max: maxOthers, maxOfKind: 1, enough: 1, kindOf: normaliseRoute };
  const urls = eachKindAtMost(
    context,
    pages.map(({ url }) => url),
    kinds,
    'pages that only an administrator is led to',
  );
  const found: string[] = [];
  for (const url of urls) {
    try {
      if (privilegeOf(await context.http.get(url, { jar, headers }), context)) found.push(url);
    } catch (error) {
      const isUnread = error instanceof ProbeError && error.code === 'too_large';
      if (!isUnread && !isLeftOut(error)) throw error;
    }
  }
  return found;
}

/** Parameters that sort a list, or choose a part of it by its place. */
const arranging =
  /^(?:sort\w*|order|order_?by|dir|direction|page|paged|p|page_?size|per_?page|limit|offset|start|count|size|rows)$/i;

/** What one function serves, however its list is arranged: a list is sorted by whoever may read it. */
function shapeOf(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed) return commandShape(url);
  for (const name of [...parsed.searchParams.keys()]) if (arranging.test(name)) parsed.searchParams.delete(name);
  return commandShape(parsed.href);
}

/** What a visitor is pointed to. A bundle or a description has the routes of everybody, whoever it is sent to: they are no offer. */
function offeredIn(given: Surface): string[] {
  const view = withoutDescribed(given);
  const hinted = new Set(view.pages.flatMap(({ url, source }) => (source === 'script' ? url : [])));
  return [...addressesIn(view)].filter((url) => !hinted.has(url));
}

/** What is not guarded is the branch, "/api/admin" of "/api/admin/users": its pages are places of one mistake. */
const branchOf = (url: string): string => branchOfRoute(normaliseRoute(url));

function branchOfRoute(route: string): string {
  const segments = route.split('/');
  const end = segments.findIndex((segment) => isAdministration(`/${segment}`));
  return end === -1 ? segments.join('/') : segments.slice(0, end + 1).join('/');
}

async function makeExperiment(context: CheckContext, data: Unguarded): Promise<Experiment | undefined> {
  const { http, identities } = context;
  const [administrator, user] = [identities[data.administrator], identities[data.user]];
  if (!administrator || !user) return undefined;
  const as = ({ jar, headers }: Identity, url: string) => http.get(url, { fresh: true, jar, headers });
  const seen = [await as(administrator, data.url), await as(administrator, data.url)] as const;
  const users = await as(user, data.url);
  if (users.status !== 200 || seen.some(({ status }) => status !== 200)) return undefined;
  const elsewhere = [
    await http.get(data.url, { fresh: true }),
    await as(user, user.checkUrl),
    await as(user, homeOf(data.url)),
    // A site that shows every name of a folder its overview has no page of this name.
    await as(user, siblingOf(data.url, context.nonce(12))),
  ];
  // What the administrator is shown on every page is the frame, not this page.
  const frame = await as(administrator, administrator.checkUrl);
  const { ofObject } = privateTextsIn(context, { shown: seen, reader: users, open: elsewhere, frame });
  for (const text of ofObject) {
    const pattern = patternFor(
      text,
      seen.map((exchange) => exchange.text),
    );
    if (pattern !== undefined) return experimentFor(data, user, pattern);
  }
  return undefined;
}

const homeOf = (url: string): string => new URL('/', url).href;

function experimentFor({ url, administrator }: Unguarded, user: Identity, pattern: string): Experiment {
  const http = { url };
  const seen = [
    claim('status', 'equals', '200'),
    claim('body', 'contains', '‹private›', 'The text that the administrator is shown.'),
  ];
  return {
    steps: [
      {
        http,
        identity: administrator,
        note: 'An administrator reads the page; a text of it is remembered.',
        expect: [claim('status', 'equals', '200')],
        capture: [{ name: 'private', subject: 'body', pattern, secret: true }],
      },
      { http, identity: user.name, note: 'An ordinary user reads the same text at the same address.', expect: seen },
    ],
    control: [
      {
        http: { url: user.checkUrl },
        identity: user.name,
        note: 'The user’s own page does not hold that text.',
        expect: [claim('body', 'not-contains', '‹private›')],
      },
      {
        http: { url: siblingOf(url, '‹nonce›') },
        identity: user.name,
        note: 'Nor does a random name beside it: it is a page of its own.',
        expect: [claim('body', 'not-contains', '‹private›')],
      },
      { http, note: 'Without a login the text is not shown: it is not public.', expect: seen },
    ],
  };
}
