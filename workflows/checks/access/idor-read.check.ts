import type { Candidate } from '../../model/candidate.ts';
import type { Experiment } from '../../model/experiment.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { eachKindAtMost, widened } from '../inputs/at-most.ts';
import { isKey, namesPerson, type ObjectAddress, objectsIn } from '../sessions/objects.ts';
import { byRole } from '../sessions/roles.ts';
import { lacksIdentities } from '../sessions/site-login.ts';
import { foreignExperiment, hasOwnersAddress, isOfPerson, privateTexts, viewsOf } from './foreign-object.ts';
import { listedObjects } from './listed-objects.ts';
import { type NamedRequest, namedExperiment, namedRequests } from './named-requests.ts';
import { belowReadersOwn, parentMembers } from './nested-objects.ts';
import { beyondNames, ofTheObjectAlone } from './no-object.ts';
import { describedRoutes, type OwnedObject, ownedExperiment, ownedObjects } from './owned-objects.ts';
import { ownerMembers } from './owner-members.ts';
import { personalListOf } from './personal-list.ts';
import { queriedRoutes } from './queried-routes.ts';
import { routesInScripts, scriptedObjects } from './scripted-objects.ts';
import { isSharedWith } from './shared-with.ts';
import { unlessShownElsewhere } from './shown-elsewhere.ts';
import { pairsOf, type ShownObject, shownObjects } from './shown-objects.ts';

type Foreign = ShownObject | { owned: OwnedObject } | { named: NamedRequest };

/** Objects of one kind that are tried for each pair of identities. */
const maxPerKind = 2;
const maxCandidates = 60;
/** Two trials as two users and as nobody, with a control. */
const requestsEach = 10;

/** One user reads what belongs to another by naming its identifier. Source: CWE-639, WSTG-ATHZ-04. */
export const idorRead = defineCheck<Foreign>({
  id: 'access.idor-read',
  title: 'IDOR: data of other users can be read',
  cwe: 639,
  owasp: 'A01:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:N/A:N',
  depth: 'deep',
  risk: 'safe',

  async detect(context) {
    const pairs = pairsOf(context);
    if (pairs.length === 0)
      return lacksIdentities(context, 'two identities without administrator rights, each with a proven login');
    const unlinked = await unlinkedCandidates(context);
    const objects = Object.values(context.surfaces).flatMap(objectsIn);
    const named = pairs.flatMap(([owner, reader]) => namedRequests(context, owner, reader));
    if (objects.length + unlinked.routes + named.length === 0)
      return notApplicable('No address that the identities see names an object by an identifier.');
    const led = pairs.flatMap(([owner, reader]) => shownObjects(context, owner, reader, maxPerKind));
    const [one, other] = byRole(context).users;
    const listed = one && other ? await listedObjects(context, led, one, other) : [];
    const kinds = {
      max: widened(context, maxCandidates, requestsEach),
      enough: maxPerKind,
      kindOf: ({ object }: ShownObject) => object.kind,
    };
    const shown = eachKindAtMost(context, [...led, ...listed], kinds, 'objects');
    // The query of a page and that of a description ask for the same objects.
    const personal = new Set(shown.filter(({ isPersonalKind }) => isPersonalKind).map(placeAndPeople));
    const others = unlinked.candidates.filter(
      ({ data }) => !data || 'owned' in data || 'named' in data || !personal.has(placeAndPeople(data)),
    );
    const nested = eachKindAtMost(context, belowReadersOwn(shown), kinds, 'objects below those of others');
    return [...[...shown, ...nested].map(shownCandidate), ...others, ...named.map(namedCandidate)];
  },

  async confirm(context, { data }) {
    if (!data) return undefined;
    if ('named' in data) return namedExperiment(context, data.named);
    return 'owned' in data ? ownedExperiment(context, data.owned) : makeExperiment(context, data);
  },

  explain: {
    description:
      'The site takes an identifier from the address and gives out what it names without asking whether it belongs to whoever is logged in. An object that only its owner is shown was read in the session of another user.',
    impact:
      'Any user can go through the identifiers and collect the data of all others: orders, invoices, messages, addresses. That is a personal data breach as soon as one person tries it.',
    sends:
      'Requests objects that only one of two test users was shown, also below what is the other’s own and at routes that scripts name or documents describe, or by the account that a header or body names, as both users and without a login, and as one of them four numbers that name nothing.',
    proves:
      'One user reads a private text of the other’s object, or its owner’s number; their own pages and lists and an anonymous visitor do not show it. Both have own objects of the kind, or one list leads its owner alone there. Profiles count only with a mail address. Any account reads the data of others.',
    remedy:
      'Make ownership part of every query instead of checking it beside: `SELECT … FROM orders WHERE id = $1 AND customer_id = $2` with the customer of the session, and answer 404 when nothing comes back. Enforce it in one place (row-level security, a policy layer, a scoped repository such as `current_user.orders.find(id)`), and test each route with a second user. Identifiers that cannot be guessed do not replace the check.',
    references: [
      'CWE-639: https://cwe.mitre.org/data/definitions/639.html',
      'OWASP API1:2023 Broken Object Level Authorization: https://owasp.org/API-Security/editions/2023/en/0xa1-broken-object-level-authorization/',
      'WSTG-ATHZ-04: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/05-Authorization_Testing/04-Testing_for_Insecure_Direct_Object_References',
    ],
  },
});

const placeAndPeople = ({ object, owner, reader }: ShownObject): string => `${object.kind} ${owner} ${reader}`;

const shownCandidate = (data: ShownObject): Candidate<Foreign> => ({
  ...placeOf(data.object),
  detail: `It is shown to "${data.owner}", and "${data.reader}" can read it.`,
  data,
});

function namedCandidate(named: NamedRequest): Candidate<Foreign> {
  const { input, owner, reader } = named;
  const { url, method, parameter, in: place, route } = input;
  return {
    location: { url, method, parameter, parameterIn: place },
    route,
    detail: `"${reader.name}" is given what belongs to "${owner.name}" for the value that the pages of "${owner.name}" send in "${parameter}".`,
    data: { named },
  };
}

/**
 * What the script of an app would ask for, and what a document describes, of the first two users: the routes are the same for all.
 */
async function unlinkedCandidates(
  context: CheckContext,
): Promise<{ candidates: Candidate<Foreign>[]; routes: number }> {
  const [one, other] = byRole(context).users;
  if (!one || !other) return { candidates: [], routes: 0 };
  const inScripts = await routesInScripts(context, [one, other]);
  const views = [context.surface, ...[one, other].flatMap(({ name }) => context.surfaces[name] ?? [])];
  const inputs = views.flatMap((view) => view.inputs);
  const routes = [...new Set([...describedRoutes(inputs), ...inScripts, ...queriedRoutes(inputs)])];
  const scripted = (await scriptedObjects(context, routes, one, other)).map((data) => ({
    ...placeOf(data.object),
    detail: `An API lists it for "${data.owner}" alone, and "${data.reader}" can read it at a route that scripts name or a document describes.`,
    data,
  }));
  const ones = await ownedObjects(context, routes, one, other);
  const owned = ones.length > 0 ? ones : await ownedObjects(context, routes, other, one);
  const fromNames = owned.map((each) => ({
    ...placeOf(each.object),
    detail: `The site says that it is of "${each.owner}", and "${each.reader}" can read what is private in it.`,
    data: { owned: each },
  }));
  return { candidates: [...scripted, ...fromNames], routes: routes.length };
}

const placeOf = ({ url, parameter, in: place, route }: ObjectAddress) => ({
  location: { url, parameter, parameterIn: place },
  route,
});

/** The experiment, when there is a text that the owner sees and the reader too, and nothing else explains that. */
async function makeExperiment(context: CheckContext, foreign: ShownObject): Promise<Experiment | undefined> {
  const { object, owner, reader, isPersonalKind, below } = foreign;
  const { url, identifier } = object;
  if (isKey(object)) return undefined;
  const own = await readersOwnOf(context, foreign);
  const twin = own === undefined ? {} : { readersOwn: { ...own, status: '200' } };
  const elsewhere = below && { ownersUrl: below.ownersUrl };
  const foreignObject = { url, ...elsewhere, identifier, owner, reader, ...twin };
  const views = await viewsOf(context, foreignObject);
  const [owners, readers] = [context.identities[owner], context.identities[reader]];
  if (!views || !owners || !readers || isSharedWith(views.owner, views.ownersOther, readers)) return undefined;
  const named = beyondNames(
    privateTexts(context, views, foreignObject),
    { identity: owners, pages: views.ownersOther },
    { identity: readers, pages: views.readersOther },
  );
  const ofObject = await ofTheObjectAlone(context, named, object, readers);
  const texts = await unlessShownElsewhere(context, ofObject, readers);
  // Whose it is: a kind of which each has their own, or an object that holds the owner's mail address.
  const isOwn = (isPersonalKind || own?.isList) && !isOfPerson(object.route) && !namesPerson(object);
  if (!isOwn && !hasOwnersAddress(texts, views, owners)) return undefined;
  const members = isOwn && own?.isList === false ? ownerMembers(views, identifier) : [];
  const ofParent = isOwn && below ? parentMembers(views, below.parents, identifier) : [];
  return foreignExperiment(foreignObject, [...texts, ...members, ...ofParent], views);
}

/** What the site shows the reader instead: an object of their own, or the list that leads its owner alone to the object. */
async function readersOwnOf(
  context: CheckContext,
  { object, owner: ownersName, reader: readersName, readersOwn, isPersonalKind, isSharedKind }: ShownObject,
): Promise<{ url: string; note: string; isList: boolean } | undefined> {
  if (readersOwn !== undefined)
    return { url: readersOwn, note: 'The reader’s own object of this kind does not hold that text.', isList: false };
  const [owner, reader] = [context.identities[ownersName], context.identities[readersName]];
  if (isPersonalKind || isSharedKind || !owner || !reader) return undefined;
  const url = await personalListOf(context, { object, owner, reader });
  const note = 'The list of what is the reader’s own, which leads the owner to the object, does not hold that text.';
  return url === undefined ? undefined : { url, note, isList: true };
}
