import type { Identity } from '../../model/identity.ts';
import { parseJson } from '../../model/json.ts';
import type { Surface } from '../../model/surface.ts';
import { isLeftOut } from '../../probe/errors.ts';
import { normaliseRoute } from '../../probe/routes.ts';
import type { CheckContext } from '../contract.ts';
import { atMost, eachKindAtMost, sample } from '../inputs/at-most.ts';
import { addressesIn, isIdentifier, objectsIn } from '../sessions/objects.ts';

/** What names an object that the site shows to one user and not to the other. */
export type OwnId = {
  value: string;
  /** Where it was seen, for instance "/orders/{id}" or "/api/orders items.id": its words say of what it is. */
  kind: string;
  /** Each user has objects of the kind, and none is shown to both. Otherwise the value may name a user, or anything. */
  isPersonalKind: boolean;
};

const maxLists = 20;
const maxValues = 500;
/** A way that is longer than what it leads to is none of an object. */
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
    const [own, theirs] = [await jsonAs(context, one, url), await jsonAs(context, other, url)];
    if (own === undefined || theirs === undefined) continue;
    const { pathname } = new URL(url);
    found[0].push(...idsOnlyIn(own, theirs, pathname));
    found[1].push(...idsOnlyIn(theirs, own, pathname));
  }
  return [onceEach(found[0]), onceEach(found[1])];
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

/** Answers of JSON at addresses without an identifier, which both were given: profiles, lists of what each has. */
function listsOf(owners: Surface, readers: Surface): string[] {
  const lists = ({ pages }: Surface) =>
    pages
      .filter(({ status, contentType }) => status === 200 && /json/i.test(contentType))
      .map(({ url }) => url.replace(/#.*$/s, ''));
  const known = new Set(lists(readers));
  const withId = new Set(objectsIn(owners).map(({ url }) => url));
  return [...new Set(lists(owners))].filter((url) => known.has(url) && !withId.has(url));
}

async function jsonAs({ http }: CheckContext, { jar, headers }: Identity, url: string): Promise<unknown> {
  try {
    const { status, text } = await http.get(url, { jar, headers, fresh: true });
    return status === 200 ? parseJson(text) : undefined;
  } catch (error) {
    // What the org has excluded, or the gate refuses, is left out on purpose.
    if (isLeftOut(error)) return undefined;
    throw error;
  }
}

function idsOnlyIn(own: unknown, other: unknown, path: string): OwnId[] {
  const [owners, readers] = [idsIn(own), idsIn(other)];
  return [...owners].flatMap(([way, { values, isListed }]) => {
    const theirs = readers.get(way)?.values ?? new Set();
    const isShared = [...values].some((value) => theirs.has(value));
    const isPersonalKind = isListed && !isShared && theirs.size > 0;
    const mine = [...values].filter((value) => !theirs.has(value));
    return mine.map((value) => ({ value, kind: `${path} ${way}`, isPersonalKind }));
  });
}

type FoundIds = { values: Set<string>; isListed: boolean };

/** Values of members that name objects, by the way to them. A member of a list is of an object; others may name its user. */
function idsIn(json: unknown): Map<string, FoundIds> {
  const found = new Map<string, FoundIds>();
  const queue: { value: unknown; way: string; name: string; isListed: boolean }[] = [
    { value: json, way: '', name: '', isListed: false },
  ];
  for (const { value, way, name, isListed } of queue) {
    if (Array.isArray(value)) {
      if (queue.length < maxValues)
        for (const each of value) queue.push({ value: each, way, name: '', isListed: true });
    } else if (typeof value === 'object' && value !== null) {
      if (queue.length < maxValues)
        for (const [member, each] of Object.entries(value).filter(([{ length }]) => length <= maxNameLength))
          queue.push({ value: each, way: way === '' ? member : `${way}.${member}`, name: member, isListed });
    } else if (idName.test(name) && isIdentifier(String(value))) {
      const known = found.get(way) ?? { values: new Set(), isListed };
      known.values.add(String(value));
      found.set(way, known);
    }
  }
  return found;
}

/** The first of them; what one of a kind shows holds for the others. */
export const idsAtMost = (context: Pick<CheckContext, 'leave'>, ids: readonly OwnId[], max: number): OwnId[] =>
  sample(context, ids, max, 'identifiers', 'one tells for all that are tried at a route');

/** Those whose kind has a word of the route first: an order's number for "/invoices/{orderId}". */
export const likeliestFirst = (ids: readonly OwnId[], route: string): OwnId[] =>
  ids.toSorted((a, b) => sharedWords(b, route) - sharedWords(a, route));

/** Whether its kind has a word of the route. */
export const isAbout = (id: OwnId, route: string): boolean => sharedWords(id, route) > 0;

function sharedWords({ kind }: OwnId, route: string): number {
  const words = new Set(wordsOf(route));
  return wordsOf(kind).filter((word) => words.has(word)).length;
}

const wordsOf = (text: string): string[] =>
  text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .map((word) => word.replace(/(?:ies|s)$/, ''))
    .filter((word) => word.length > 2 && word !== 'api');
