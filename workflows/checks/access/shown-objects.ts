import type { Identity } from '../../model/identity.ts';
import type { CheckContext } from '../contract.ts';
import { eachKindAtMost } from '../inputs/at-most.ts';
import { addressesIn, type ObjectAddress, objectsIn } from '../sessions/objects.ts';
import { byRole } from '../sessions/roles.ts';

/** Identifiers of what an object stands below, where its owner and its reader each have their own. */
export type Parents = { owner: string; reader: string };

/** An object that the site leads one user to, and nobody else. */
export type ShownObject = {
  object: ObjectAddress;
  owner: string;
  reader: string;
  /** An object of the same kind that the reader is shown, and the owner is not. */
  readersOwn?: string;
  /** Both have objects of this kind, and none that another visitor is shown too: each has their own. */
  isPersonalKind: boolean;
  /** Another visitor is shown some of this kind, too. */
  isSharedKind: boolean;
  /** The address has the object below what is the reader's own; its owner is led to another one. */
  below?: { ownersUrl: string; parents: Parents };
};

/** Ordered pairs of ordinary users that were surveyed. */
export function pairsOf(context: CheckContext): [Identity, Identity][] {
  const { users } = byRole(context);
  return users.flatMap((owner) =>
    users.filter((other) => other !== owner).map((other): [Identity, Identity] => [owner, other]),
  );
}

/** Names a thing of one kind wherever it stands, and no person: whoever is led to somebody's profile has no part in the rest. */
const thingParameter =
  /^(?!user|customer|member|account|owner|client|patient|employee|student|person|author)[a-z]{3,30}_?id$/i;

/** What parameters of an address name, as "project_id=3": who is led to one of its pages has part in the thing. */
const thingsIn = (url: string): string[] =>
  [...new URL(url).searchParams].flatMap(([name, value]) => (thingParameter.test(name) ? [`${name}=${value}`] : []));

/** The site itself says whose an object is: it shows it to its owner, and not to anybody else. */
export function shownObjects(
  context: CheckContext,
  owner: Identity,
  reader: Identity,
  maxPerKind: number,
): ShownObject[] {
  const { surface, surfaces } = context;
  const [ownersView, readersView] = [surfaces[owner.name], surfaces[reader.name]];
  if (!ownersView || !readersView) return [];
  const shownToOthers = new Set([...addressesIn(surface), ...addressesIn(readersView)]);
  const shownToOwner = addressesIn(ownersView);
  const ownersObjects = objectsIn(ownersView);
  const sharedKinds = new Set(ownersObjects.filter(({ url }) => shownToOthers.has(url)).map(({ kind }) => kind));
  const readersOwn = objectsIn(readersView).filter(({ url }) => !shownToOwner.has(url));
  const readersThings = new Set([...addressesIn(readersView)].flatMap(thingsIn));
  const hasPart = (object: ObjectAddress) => thingsIn(object.url).some((thing) => readersThings.has(thing));
  const own = ownersObjects.filter((object) => !shownToOthers.has(object.url) && !hasPart(object));
  const kinds = {
    max: own.length,
    maxOfKind: maxPerKind,
    enough: maxPerKind,
    kindOf: ({ kind }: ObjectAddress) => kind,
  };
  return eachKindAtMost(context, own, kinds, 'objects').map((object) => {
    const twin = readersOwn.find(({ kind }) => kind === object.kind);
    const isSharedKind = sharedKinds.has(object.kind);
    const isPersonalKind = twin !== undefined && !isSharedKind;
    const people = { owner: owner.name, reader: reader.name };
    return { object, ...people, isPersonalKind, isSharedKind, ...(twin ? { readersOwn: twin.url } : {}) };
  });
}
