import type { Identity } from '../../model/identity.ts';
import type { Surface } from '../../model/surface.ts';
import { counted, wasOrWere } from '../../model/words.ts';
import { isGraphQlAddress } from '../../probe/graphql-address.ts';
import { normaliseRoute } from '../../probe/routes.ts';
import type { CheckContext } from '../contract.ts';
import { atMost, eachKindAtMost, sample } from '../inputs/at-most.ts';
import { addressesIn, isIdentifier, objectsIn, readCalls } from '../sessions/objects.ts';
import { jsonAt } from './own-names.ts';
import { listedKinds } from './private-kinds.ts';

/** What names an object that the site shows to one user and not to the other. */
export type OwnId = {
  value: string;
  /** Where it was seen, for instance "/orders/{id}" or "/api/orders items.id": its words say of what it is. */
  kind: string;
  /** Each user has objects of the kind, and none is shown to both. Otherwise the value may name a user, or anything. */
  isPersonalKind: boolean;
};

const maxLists = 20;
const maxValues = 20_000;
const maxLevels = 20;
/** A path that is longer than this does not lead to an object. */
const maxNameLength = 100;
/** Members of JSON that name objects. */
const idName =
  /^(?:id|_id|uuid|guid|number|no|ref|reference|code|key)$|(?:Id|_id|ID|Uuid|_uuid|Number|_number|Ref|_ref)$/;

/** Identifiers of each of two users, by the addresses that they are shown and by the lists of JSON that both are given. */
export async function ownIdsOf(
  context: CheckContext,
  one: Identity,
  other: Identity,
  further: readonly string[] = [],
): Promise<[OwnId[], OwnId[]]> {
  const [ones, others] = [context.surfaces[one.name], context.surfaces[other.name]];
  if (!ones || !others) return [[], []];
  const found: [OwnId[], OwnId[]] = [
    idsInAddresses(context.surface, ones, others),
    idsInAddresses(context.surface, others, ones),
  ];
  const kinds = { max: maxLists, kindOf: normaliseRoute };
  const lists = eachKindAtMost(context, listsOf(ones, others), kinds, 'lists');
  for (const url of new Set([...lists, ...atMost(context, further, maxLists, 'lists of routes')])) {
    const [own, theirs] = [await jsonAt(context, one, url), await jsonAt(context, other, url)];
    if (own === undefined || theirs === undefined) continue;
    const { pathname } = new URL(url);
    const [owners, readers] = [idsIn(own), idsIn(theirs)];
    reportLeft(context, pathname, owners.left + readers.left);
    found[0].push(...idsOnlyIn(owners.ids, readers.ids, pathname, theirs));
    found[1].push(...idsOnlyIn(readers.ids, owners.ids, pathname, own));
  }
  return [onceEach(found[0]), onceEach(found[1])];
}

/** Identifiers that the lists of JSON give which one user is given, whoever else they are given to. @throws ProbeError */
export async function listedIds(context: CheckContext, user: Identity): Promise<OwnId[]> {
  const surface = context.surfaces[user.name];
  const lists = surface ? listsOf(surface, surface) : [];
  const found: OwnId[] = [];
  for (const url of eachKindAtMost(context, lists, { max: maxLists, kindOf: normaliseRoute }, 'lists')) {
    const { ids, left } = idsIn(await jsonAt(context, user, url));
    reportLeft(context, new URL(url).pathname, left);
    for (const [way, { values, isListed }] of ids)
      if (isListed) found.push(...[...values].map((value) => ({ value, kind: way, isPersonalKind: false })));
  }
  return onceEach(found);
}

/** The first place where a value was seen counts. */
const onceEach = (ids: readonly OwnId[]): OwnId[] =>
  [...new Map(ids.toReversed().map((id) => [id.value, id])).values()].toReversed();

/** The same rule as for objects that are shown by a link: the site itself says whose they are. */
function idsInAddresses(anonymous: Surface, owners: Surface, readers: Surface): OwnId[] {
  const shownToOthers = new Set([...addressesIn(anonymous), ...addressesIn(readers)]);
  const shownToOwner = addressesIn(owners);
  const objects = objectsIn(owners);
  const sharedKinds = new Set(objects.filter(({ url }) => shownToOthers.has(url)).map(({ kind }) => kind));
  const readersKinds = new Set(objectsIn(readers).flatMap(({ url, kind }) => (shownToOwner.has(url) ? [] : kind)));
  return objects
    .filter(({ url }) => !shownToOthers.has(url))
    .map(({ identifier, kind }) => ({
      value: identifier,
      kind,
      isPersonalKind: readersKinds.has(kind) && !sharedKinds.has(kind),
    }));
}

/** Answers of JSON at addresses without an identifier, which both were given: profiles, lists of what each has; queries of GraphQL, too. */
function listsOf(owners: Surface, readers: Surface): string[] {
  const lists = (surface: Surface) => [
    ...surface.pages
      .filter(({ status, contentType }) => status === 200 && /json/i.test(contentType))
      .map(({ url }) => url.replace(/#.*$/s, '')),
    ...readCalls(surface).flatMap(({ url }) => (isGraphQlAddress(url) ? url : [])),
  ];
  const known = new Set(lists(readers));
  const withId = new Set(objectsIn(owners).map(({ url }) => url));
  return [...new Set(lists(owners))].filter((url) => known.has(url) && !withId.has(url));
}

function reportLeft({ leave }: Pick<CheckContext, 'leave'>, path: string, count: number): void {
  const text = `${counted(count, 'value')} of ${path} ${wasOrWere(count)} not looked at: ${maxValues} of an answer are, ${maxLevels} levels deep`;
  if (count > 0) leave({ code: 'too_many', count, text });
}

/** Whether the list that the way leads through has nothing in it, as for a user who has none of the kind. */
function isEmptyAt(json: unknown, way: string): boolean {
  let value = json;
  for (const name of way.split('.')) {
    if (Array.isArray(value) || typeof value !== 'object' || value === null) break;
    value = Object.entries(value).find(([member]) => member === name)?.[1];
  }
  return Array.isArray(value) && value.length === 0;
}

/** @param answer what the reader was given as a list: an empty one of orders and the like proves as much as one of their own */
function idsOnlyIn(owners: Ids, readers: Ids, path: string, answer: unknown): OwnId[] {
  return [...owners].flatMap(([way, { values, isListed }]) => {
    const theirs = readers.get(way)?.values ?? new Set();
    const isShared = [...values].some((value) => theirs.has(value));
    const hasOwnList = theirs.size > 0 || (listedKinds.test(path) && isEmptyAt(answer, way));
    const isPersonalKind = isListed && !isShared && hasOwnList;
    const mine = [...values].filter((value) => !theirs.has(value));
    return mine.map((value) => ({ value, kind: `${path} ${way}`, isPersonalKind }));
  });
}

type Ids = ReadonlyMap<string, { values: Set<string>; isListed: boolean }>;
type Visited = { value: unknown; way: string; name: string; isListed: boolean; level: number };

/**
 * Values of members that name objects, by the way to them. A member of a list is of an object; others may name its user.
 * @returns with the number of values beyond the limit
 */
export function idsIn(json: unknown): { ids: Ids; left: number } {
  const found = new Map<string, { values: Set<string>; isListed: boolean }>();
  let left = 0;
  const queue: Visited[] = [{ value: json, way: '', name: '', isListed: false, level: 0 }];
  const add = (visited: Visited) => {
    if (queue.length < maxValues && visited.level <= maxLevels) queue.push(visited);
    else left += 1;
  };
  for (const { value, way, name, isListed, level } of queue) {
    if (Array.isArray(value)) {
      for (const each of value) add({ value: each, way, name: '', isListed: true, level: level + 1 });
    } else if (typeof value === 'object' && value !== null) {
      for (const [member, each] of Object.entries(value).filter(([{ length }]) => length <= maxNameLength))
        add({ value: each, way: way === '' ? member : `${way}.${member}`, name: member, isListed, level: level + 1 });
    } else if (idName.test(name) && isIdentifier(String(value))) {
      const known = found.get(way) ?? { values: new Set(), isListed };
      known.values.add(String(value));
      found.set(way, known);
    }
  }
  return { ids: found, left };
}

/** The first of them; what one of a kind shows holds for the others. */
export const idsAtMost = (context: Pick<CheckContext, 'leave'>, ids: readonly OwnId[], max: number): OwnId[] =>
  sample(context, ids, max, 'identifiers', 'one stands for all that are tried at a route');

/** Those whose kind has a word of the route first: an order's number for "/invoices/{orderId}". */
export const likeliestFirst = (ids: readonly OwnId[], route: string): OwnId[] =>
  ids.toSorted((a, b) => sharedWords(b, route) - sharedWords(a, route));

/** Whether its kind has a word of the route. */
export const isAbout = (id: OwnId, route: string): boolean => sharedWords(id, route) > 0;

/** Words that stand in both, for instance an order’s number and "/orders/{id}". */
export function sharedWords({ kind }: Pick<OwnId, 'kind'>, route: string): number {
  const words = new Set(wordsOf(route));
  return wordsOf(kind).filter((word) => words.has(word)).length;
}

const wordsOf = (text: string): string[] =>
  text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .map((word) => word.replace(/(?:ies|s)$/, ''))
    .filter((word) => word.length > 2 && !/^(?:api|graphql|data)$/.test(word));
