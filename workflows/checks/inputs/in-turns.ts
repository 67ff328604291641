import type { InputSurface } from '../../model/surface.ts';

/** Pages of one folder that take the same parameter are likely made by the same code when there are as many. */
const fewestAlike = 3;

/**
 * Inputs in the order in which they teach most: each parameter once, then the same parameter in other folders, and last further
 * pages of folders where it was looked at already. Of equals the first found comes first.
 */
export function inTurns(inputs: readonly InputSurface[]): InputSurface[] {
  const folders = Map.groupBy(inputs, folderKey);
  const kindOf = (input: InputSurface): string =>
    (folders.get(folderKey(input)) ?? []).length >= fewestAlike ? folderKey(input) : ownKey(input);
  const timesOfKind = new Map<string, number>();
  const kindsOfName = new Map<string, number>();
  const turns = inputs.map((input) => {
    const turn = count(timesOfKind, kindOf(input));
    return { input, turn, kind: turn === 0 ? count(kindsOfName, nameKey(input)) : 0 };
  });
  return turns.toSorted((a, b) => a.turn - b.turn || a.kind - b.kind).map(({ input }) => input);
}

/** How often the key was counted before. */
function count(counts: Map<string, number>, key: string): number {
  const before = counts.get(key) ?? 0;
  counts.set(key, before + 1);
  return before;
}

const ownKey = ({ method, route, in: place, parameter }: InputSurface): string =>
  [method, place, parameter, route].join(' ');

/** A place in a path has no name that others could share. */
const nameKey = (input: InputSurface): string =>
  input.in === 'path' ? ownKey(input) : [input.method, input.in, input.parameter].join(' ');

const folderKey = (input: InputSurface): string =>
  `${nameKey(input)} ${input.in === 'path' ? '' : input.route.replace(/[^/]*$/, '')}…`;
