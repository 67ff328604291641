import {
  aboutOwner,
  type ForeignObject,
  foreignExperiment,
  hasOwnersAddress,
  isOfPerson,
  privateTexts,
  viewsOf,
} from '../checks/access/foreign-object.ts';
import { idsAtMost, likeliestFirst, type OwnId, ownIdsOf } from '../checks/access/own-ids.ts';
import { type CheckContext, defineChainStep } from '../checks/contract.ts';
import { routesOf } from '../checks/exposure/hidden-routes.ts';
import { atMost, sample } from '../checks/inputs/at-most.ts';
import { filled, type RouteTemplate, unlinked } from '../checks/pages/route-templates.ts';
import { byRole } from '../checks/sessions/roles.ts';
import type { Candidate } from '../model/candidate.ts';
import type { Experiment } from '../model/experiment.ts';
import type { Fact } from '../model/fact.ts';
import type { Identity } from '../model/identity.ts';
import { counted, wasOrWere } from '../model/words.ts';
import { isLeftOut } from '../probe/errors.ts';

type Hidden = ForeignObject & { route: RouteTemplate; isPersonalKind: boolean };

/** Routes that are tried, and identifiers for each: one of a kind stands for all. */
const maxRoutes = 25;
const maxIds = 3;
/** A site that answers everything alike must not become a proof for each address. */
const maxOfRoute = 3;
const maxCandidates = 12;
/** Texts about the owner in what the reader is shown: one may be there by chance. */
const minTexts = 2;

/** A route that only a leaked document names gives one user the data of another. Source: CWE-639, WSTG-ATHZ-04. */
export const hiddenRoute = defineChainStep<Hidden>({
  id: 'chains.hidden-route',
  title: 'IDOR on an undocumented route',
  cwe: 639,
  owasp: 'A01:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:N/A:N',
  risk: 'safe',
  needs: [{ kind: 'hidden-routes' }],
  goal: "read(other user's data)",
  cost: 30,

  async detect(context, [document]) {
    if (!document) return [];
    const hidden = routesOf(document.attributes);
    leaveUnnamed(context, document, hidden.left);
    const routes = unlinked(hidden.routes, [context.surface, ...Object.values(context.surfaces)]);
    const tried = atMost(context, routes, maxRoutes, 'routes');
    const { users } = byRole(context);
    for (const [index, one] of users.entries())
      for (const other of users.slice(index + 1)) {
        const found = await candidatesFor(context, document, tried, one, other);
        if (found.length > 0) return found;
      }
    return [];
  },

  confirm: async (context, { data }) => data && makeExperiment(context, data),

  explain: {
    description:
      'A document that everybody can fetch names a route of the site that no page leads to. With an identifier that belongs to one user, another user asked for it and was shown what is that user’s own; without a login it is refused.',
    impact:
      'That nobody links to a route protects nothing: whoever reads the source map or the description of the API has it, and goes through the identifiers to collect the data of all users. Such routes are often older or unfinished, and looked at by nobody.',
    sends:
      'Requests up to 25 routes that only a leaked document names, as each of two test users, with up to 3 identifiers of either, and without a login.',
    proves:
      'One user reads a text about the other on a route that no page links to; an identifier of the reader’s own and an anonymous visitor do not show it. An attacker with any account reads the data of others.',
    remedy:
      'Make ownership part of the query of this route as of all others: `SELECT … FROM invoices WHERE id = $1 AND customer_id = $2` with the customer of the session, and answer 404 when nothing comes back. Take routes out that no client uses any more, test each route of the description with a second user, and keep source maps and descriptions that are not meant for everybody off the site.',
    references: [
      'CWE-639: https://cwe.mitre.org/data/definitions/639.html',
      'CWE-425: https://cwe.mitre.org/data/definitions/425.html',
      'OWASP API1:2023 Broken Object Level Authorization: https://owasp.org/API-Security/editions/2023/en/0xa1-broken-object-level-authorization/',
      'OWASP API9:2023 Improper Inventory Management: https://owasp.org/API-Security/editions/2023/en/0xa9-improper-inventory-management/',
    ],
  },
});

/** Routes of the document that are beyond the limit of the fact. */
function leaveUnnamed({ leave }: CheckContext, { subject }: Fact, left: number): void {
  const text = `${counted(left, 'route')} of ${subject} ${wasOrWere(left)} not tried, about: a bounded number of them is gone through`;
  if (left > 0) leave({ code: 'too_many', count: left, text });
}

/** Addresses at which both are shown something, made of a route and of what names objects of one of them. */
async function candidatesFor(
  context: CheckContext,
  document: Fact,
  routes: readonly RouteTemplate[],
  one: Identity,
  other: Identity,
): Promise<Candidate<Hidden>[]> {
  const { origin } = new URL(document.subject);
  const lists = routes.flatMap((route) => listOf(origin, route));
  const [ones, others] = await ownIdsOf(context, one, other, lists);
  const directions = [
    { owner: one, reader: other, ids: ones, readersIds: others },
    { owner: other, reader: one, ids: others, readersIds: ones },
  ];
  const candidates: Candidate<Hidden>[] = [];
  for (const [index, route] of routes.entries()) {
    const ofRoute: Candidate<Hidden>[] = [];
    for (const { owner, reader, ids, readersIds } of directions)
      for (const id of idsAtMost(context, likeliestFirst(ids, route), maxIds)) {
        if (ofRoute.length === maxOfRoute) break;
        const url = addressOf(origin, route, id, ids);
        if (url === undefined || !(await isShown(context, owner, url)) || !(await isShown(context, reader, url)))
          continue;
        const own = readersIds.find(({ kind }) => kind === id.kind);
        const ownUrl = own && addressOf(origin, route, own, readersIds);
        ofRoute.push(candidateFor(document, { route, id, url, ownUrl, owner: owner.name, reader: reader.name }));
      }
    candidates.push(...ofRoute);
    if (candidates.length < maxCandidates) continue;
    atMost(context, routes, index + 1, 'routes');
    break;
  }
  return candidates;
}

/** The last place of a route names the object; those before it most often name its user. */
function addressOf(origin: string, route: RouteTemplate, id: OwnId, ids: readonly OwnId[]): string | undefined {
  const names = [...route.matchAll(/\{(\w+)\}/g)];
  const user = ids.find(({ isPersonalKind }) => !isPersonalKind);
  if (names.length > 1 && !user) return undefined;
  let left = names.length;
  return origin + filled(route, () => (--left === 0 ? id : (user ?? id)).value);
}

/** "/api/invoices" of "/api/invoices/{id}": it may list what is there. */
function listOf(origin: string, route: RouteTemplate): string[] {
  const [, path] = /^([^{}?]*[^{}?/])\/\{\w+\}$/.exec(route) ?? [];
  return path === undefined ? [] : [origin + path];
}

/** What the org has excluded, or the write gate refuses, is left out on purpose. */
async function isShown({ http }: CheckContext, { jar, headers }: Identity, url: string): Promise<boolean> {
  try {
    return (await http.get(url, { jar, headers, fresh: true })).status === 200;
  } catch (error) {
    if (isLeftOut(error)) return false;
    throw error;
  }
}

type OwnRoute = {
  route: RouteTemplate;
  id: OwnId;
  url: string;
  ownUrl: string | undefined;
  owner: string;
  reader: string;
};

function candidateFor(document: Fact, { route, id, url, ownUrl, owner, reader }: OwnRoute): Candidate<Hidden> {
  const { origin, pathname } = new URL(document.subject);
  const nothing = /^\d+$/.test(id.value) ? '9‹int›‹int2›' : '‹nonce›';
  const readersOwn = ownUrl
    ? { url: ownUrl, note: 'With an identifier of the reader’s own the route does not show that text.' }
    : {
        url: origin + route.replace(/\{\w+\}/g, nothing),
        note: 'With an identifier that nothing has the route does not show that text.',
      };
  return {
    location: {
      url,
      parameter: [...route.matchAll(/\{(\w+)\}/g)].at(-1)?.[1] ?? 'id',
      parameterIn: /\?[^?{]*\{/.test(route) ? 'query' : 'path',
    },
    route,
    detail: `Of what was looked at only ${pathname} names the route "${route}"; "${reader}" read there what belongs to "${owner}".`,
    data: { url, route, owner, reader, identifier: id.value, isPersonalKind: id.isPersonalKind, readersOwn },
  };
}

async function makeExperiment(context: CheckContext, data: Hidden): Promise<Experiment | undefined> {
  const about = { owner: pagesAbout(context, data.owner), reader: pagesAbout(context, data.reader) };
  const views = await viewsOf(context, data, about);
  if (!views) return undefined;
  const texts = privateTexts(context, views, data);
  const theirs = aboutOwner(texts, views);
  // Nothing leads to the route, so it has to show by itself that it is about the owner.
  const isTheirs = data.isPersonalKind && !isOfPerson(data.route) && theirs.length >= minTexts;
  return isTheirs || hasOwnersAddress(texts, views, context.identities[data.owner] ?? {})
    ? foreignExperiment(data, [...theirs, ...texts], views)
    : undefined;
}

const aboutThem = /(?:^|[/_-])(?:me|account|profile|user|settings|customer|self|whoami|konto|profil)(?:$|[/_.-])/i;
const maxPages = 3;
const manyPages = 'what is said of a user on one page of theirs is said on most';

/** Pages on which users see their own data. */
function pagesAbout(context: CheckContext, name: string): string[] {
  const shown = context.surfaces[name]?.pages.filter(({ status }) => status === 200) ?? [];
  const urls = shown.map(({ url }) => url).filter((url) => aboutThem.test(new URL(url).pathname));
  return sample(context, urls, maxPages, 'pages about a user', manyPages);
}
