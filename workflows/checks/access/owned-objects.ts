import { percentDecodedOrSame } from '../../../kit/percent.ts';
import type { Experiment } from '../../model/experiment.ts';
import type { Identity } from '../../model/identity.ts';
import type { InputSurface } from '../../model/surface.ts';
import { isPrivateName } from '../../proof/files/private-names.ts';
import type { CheckContext } from '../contract.ts';
import { atMost, sample } from '../inputs/at-most.ts';
import type { RouteTemplate } from '../pages/route-templates.ts';
import type { ObjectAddress } from '../sessions/objects.ts';
import { foreignExperiment, viewsOf } from './foreign-object.ts';
import { sharedWords } from './own-ids.ts';
import { jsonAt, type OwnName, ownNamesOf } from './own-names.ts';
import { objectOf } from './scripted-objects.ts';

/** An object of which the site itself says whose it is: a list has its owner's name beside it, or it is named after its owner. */
export type OwnedObject = {
  object: ObjectAddress;
  owner: string;
  reader: string;
  /** Private values of the object by what they are called; no list has them. */
  privateTexts: string[];
};

/** Members of a record that name its owner. */
const ownerMember =
  /owner|user|author|creat(?:or|ed)|customer|account|member|seller|holder|uploader|submit|assignee|patient|student|client/i;
/** A place of a route that takes the name or number of a person. */
export const personPlace =
  /(?:user|member|account|customer|people|person|profile|employee|patient|student|client)s?(?:\/\{\w+\}|\b)/i;

const maxRoutes = 30;
const maxLists = 2;
/** Of an object, by its members; the likeliest first. */
const maxValues = 2;
/** Shorter values stand in many answers by chance. */
const minTextLength = 6;

/** Objects of one user at these routes, with what is private in them. Looking changes nothing. @throws ProbeError */
export async function ownedObjects(
  context: CheckContext,
  routes: readonly RouteTemplate[],
  owner: Identity,
  reader: Identity,
): Promise<OwnedObject[]> {
  const names = await ownNamesOf(context, owner, reader);
  if (names.length === 0) return [];
  const readers = await ownNamesOf(context, reader, owner);
  const { origin } = new URL(context.surface.url);
  const found: OwnedObject[] = [];
  for (const route of atMost(context, routes, maxRoutes, 'routes of objects')) {
    const listed = await listsFor(context, owner, route);
    for (const value of valuesFor(context, route, listed, names)) {
      const object = objectOf(origin, route, { value });
      const shown = await jsonAt(context, owner, object.url);
      if (isOfBoth(shown, names, readers)) continue;
      const texts = privateTextsOf(shown, value);
      const known = JSON.stringify(listed);
      const privateTexts = texts.filter((text) => !known.includes(JSON.stringify(text).slice(1, -1)));
      if (privateTexts.length === 0) continue;
      found.push({ object, owner: owner.name, reader: reader.name, privateTexts });
      break;
    }
  }
  return found;
}

/** A list in it has both of them, as those of the members of a group do. */
function isOfBoth(json: unknown, owners: readonly OwnName[], readers: readonly OwnName[]): boolean {
  const lists = recordsIn(json).flatMap((record) => Object.values(record).filter((value) => Array.isArray(value)));
  const has = (list: readonly unknown[], names: readonly OwnName[]) =>
    list.some((item) => {
      const values = typeof item === 'object' && item !== null ? Object.values(item) : [item];
      return values.some((value) => names.some((name) => String(value) === name.value));
    });
  return lists.some((list) => has(list, owners) && has(list, readers));
}

/** Lists above a route first, then those whose path has a word of it, as its owner was shown them. */
async function listsFor(context: CheckContext, owner: Identity, route: RouteTemplate): Promise<unknown[]> {
  const [path = ''] = route.split('?');
  const above = path.replace(/\/\{.*$/, '');
  const pages = context.surfaces[owner.name]?.pages ?? [];
  const urls = pages
    .filter(({ status, contentType }) => status === 200 && /json/i.test(contentType))
    .map(({ url }) => url);
  const isAbove = (url: string) => new URL(url).pathname.replace(/\/$/, '') === above;
  const related = urls.filter((url) => !isAbove(url) && sharedWords({ kind: new URL(url).pathname }, route) > 0);
  const all = [...urls.filter(isAbove), ...related];
  const lists: unknown[] = [];
  for (const url of sample(context, all, maxLists, 'lists of objects', 'those above a route name its objects'))
    lists.push(await jsonAt(context, owner, url));
  return lists;
}

/** What may name an object of the user at a route: members of the records that name them as owner; their own names. */
function valuesFor(
  context: CheckContext,
  route: RouteTemplate,
  lists: readonly unknown[],
  names: readonly OwnName[],
): string[] {
  const records = lists.flatMap(recordsIn).filter((record) => isOf(record, names));
  const values = records.slice(0, 1).flatMap((record) => identifiersOf(record, names, route));
  const own = personPlace.test(route) ? names.map(({ value }) => value) : [];
  return sample(
    context,
    [...new Set([...own, ...values])],
    maxValues,
    'values for a route',
    'the likeliest were tried',
  );
}

type ListRecord = Record<string, unknown>;

const isOf = (record: ListRecord, names: readonly OwnName[]): boolean =>
  Object.entries(record).some(
    ([member, value]) =>
      ownerMember.test(member) &&
      names.some((name) => String(value) === name.value && (!name.isNumber || /id$|owner|customer|user/i.test(member))),
  );

/** Short values of a record, first those that the route has a word of, then what is called an identifier. */
function identifiersOf(record: ListRecord, names: readonly OwnName[], route: RouteTemplate): string[] {
  const scored = Object.entries(record).flatMap(([member, value]) => {
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
    // Objects that have no number are named by their titles.
    const isPlain = /^(?! )[^/?#\p{Cc}]{1,80}(?<! )$/u.test(text) && !names.some((name) => name.value === text);
    const isId = /^_?(?:id|uuid|guid|slug|key|code|number|ref(?:erence)?)$|[_-]id$|Id$/i.test(member);
    const isNamed = route.toLowerCase().includes(`{${member.toLowerCase()}}`);
    const score = (isNamed ? 4 : 0) + (isId ? 2 : 0) + Math.min(1, sharedWords({ kind: member }, route));
    return isPlain && score > 0 ? [{ text, score }] : [];
  });
  return scored.toSorted((a, b) => b.score - a.score).map(({ text }) => text);
}

/** Objects of a list, or of the lists in an answer. */
function recordsIn(json: unknown): ListRecord[] {
  const queue: unknown[] = [json];
  const found: ListRecord[] = [];
  for (const value of queue) {
    if (typeof value !== 'object' || value === null) continue;
    if (!Array.isArray(value)) found.push({ ...value });
    for (const each of Object.values(value)) queue.push(each);
  }
  return found;
}

/** Texts of the object whose names say that they are private. */
function privateTextsOf(json: unknown, identifier: string): string[] {
  return recordsIn(json).flatMap((record) =>
    Object.entries(record).flatMap(([name, value]) => {
      const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
      return isPrivateName(name) && text.length >= minTextLength && text !== identifier ? [text] : [];
    }),
  );
}

/**
 * The experiment, when the reader is given a private value of the object that neither nobody nor any list of theirs shows.
 * @throws ProbeError
 */
export async function ownedExperiment(context: CheckContext, owned: OwnedObject): Promise<Experiment | undefined> {
  const { object, owner, reader, privateTexts } = owned;
  const { url, identifier } = object;
  const checkUrl = context.identities[reader]?.checkUrl;
  if (checkUrl === undefined) return undefined;
  const note = 'The reader’s own page does not hold that text.';
  const foreign = { url, identifier, owner, reader, readersOwn: { url: checkUrl, note } };
  const views = await viewsOf(context, foreign);
  if (!views || [views.owner, views.ownerAgain, views.reader].some(({ status }) => status !== 200)) return undefined;
  const shown = [views.owner, views.ownerAgain, views.reader];
  const open = [views.anonymous, ...views.readersOther, ...views.readersLists];
  const texts = privateTexts.filter(
    (text) => shown.every((each) => each.text.includes(text)) && !open.some((each) => each.text.includes(text)),
  );
  return foreignExperiment(foreign, texts, views);
}

/** Routes with one place for an identifier, as documents describe them. */
export function describedRoutes(inputs: readonly InputSurface[]): RouteTemplate[] {
  const reads = inputs.filter(
    ({ isDescribed, method, in: place }) => isDescribed && method === 'GET' && isOfAddress(place),
  );
  const described = [...new Map(reads.map((input) => [`${input.url} ${input.in} ${input.parameter}`, input])).values()];
  const paths = described.filter(({ in: place }) => place === 'path');
  const ofUrl = Map.groupBy(paths, ({ url }) => url);
  const inPath = [...ofUrl.values()]
    .filter(({ length }) => length === 1)
    .flatMap(([input]) => (input ? routeOf(input) : []));
  const inQuery = described
    .filter(({ in: place, url, parameter }) => place === 'query' && !ofUrl.has(url) && namesObject.test(parameter))
    .map(({ url, parameter }) => `${new URL(url).pathname}?${parameter}={${parameter}}`);
  return [...new Set([...inPath, ...inQuery])];
}

const isOfAddress = (place: InputSurface['in']): boolean => place === 'path' || place === 'query';

const namesObject = /^(?:\w*[_-])?(?:id|uuid|ref|reference|number|no|name|title|slug)$|^\w+(?:Id|ID|Uuid|Name|Number)$/;

/** "/books/v1/{id}" of an input in the third segment. */
function routeOf({ url, parameter }: InputSurface): RouteTemplate[] {
  const segments = new URL(url).pathname.split('/').slice(1).map(percentDecodedOrSame);
  const at = Number(parameter) - 1;
  return segments[at] === undefined
    ? []
    : [`/${segments.map((each, index) => (index === at ? '{id}' : each)).join('/')}`];
}
