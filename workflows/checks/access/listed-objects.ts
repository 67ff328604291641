import type { Identity } from '../../model/identity.ts';
import type { CheckContext } from '../contract.ts';
import { sample } from '../inputs/at-most.ts';
import { addressOfObject } from '../sessions/objects.ts';
import { isAbout, type OwnId, ownIdsOf } from './own-ids.ts';
import type { ShownObject } from './shown-objects.ts';

const maxKinds = 6;

/**
 * Objects of each user that no page leads to, by the lists of an API: the first and the latest. What an account is given when it is
 * opened says the same of all users; what was stored since differs. @param shown objects that the site leads each user to
 * @throws ProbeError
 */
export async function listedObjects(
  context: CheckContext,
  shown: readonly ShownObject[],
  one: Identity,
  other: Identity,
): Promise<ShownObject[]> {
  const personal = shown.filter(
    ({ owner, isPersonalKind }) => [one.name, other.name].includes(owner) && isPersonalKind,
  );
  const kinds = [...new Map(personal.map((each) => [`${each.owner} ${each.object.kind}`, each])).values()];
  const looked = sample(context, kinds, maxKinds, 'kinds of objects', 'the latest of some kinds were');
  if (looked.length === 0) return [];
  const ids = await ownIdsOf(context, one, other);
  return looked.flatMap(({ object, ...rest }) => {
    const isOne = (id: OwnId) =>
      id.isPersonalKind &&
      isAbout(id, object.route) &&
      formOf(id.value) === formOf(object.identifier) &&
      !linked.has(id.value);
    const linked = new Set(
      shown.filter((each) => each.object.kind === object.kind).map((each) => each.object.identifier),
    );
    const [own = [], theirs = []] = (rest.owner === one.name ? ids : ids.toReversed()).map((each) =>
      each.filter(isOne),
    );
    const at = ({ value }: OwnId) => addressOfObject(object.url, object.in, object.parameter, object.identifier, value);
    // The first was stored when it was observed what the form does, with a word of its own.
    const pairs = [
      [own[0], theirs[0]],
      [own.at(-1), theirs.at(-1)],
    ] as const;
    return pairs.flatMap(([id, readers]) =>
      id
        ? [
            {
              ...rest,
              object: { ...object, identifier: id.value, url: at(id) },
              ...(readers && { readersOwn: at(readers) }),
            },
          ]
        : [],
    );
  });
}

const formOf = (identifier: string): string =>
  /^\d+$/.test(identifier) ? 'number' : identifier.replace(/[\da-f]/gi, 'x');
