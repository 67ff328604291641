import type { Candidate } from '../model/candidate.ts';
import { fingerprintOf } from './fingerprint.ts';
import type { FindingGroup } from './group.ts';

/** A parameter that is weak on more routes than this is one weakness: they share the code that reads it. */
const maxRoutes = 5;
/** Places that one finding names: each has its own proof. Inputs of one name may have code of their own; pages share theirs. */
const maxInputs = 40;
const maxPages = 10;
/** Places after which a parameter is taken to be weak wherever it is read: programs that share a name may each have code of their own. */
const enough = 100;

export const maxPlaces = ({ location }: Candidate): number => (location.parameter === undefined ? maxPages : maxInputs);

/** Stands for the route of a weakness that is on many. */
const everywhere = '*';

/** What the same parameter has on all routes; undefined for what is no parameter by name. */
export function parameterOf({ location, isApart }: Candidate): string | undefined {
  if (isApart) return undefined;
  const { parameter, parameterIn } = location;
  const isNamed = parameterIn !== undefined && ['query', 'body', 'fragment'].includes(parameterIn);
  return isNamed && parameter !== undefined ? `${parameterIn} ${parameter}` : undefined;
}

/** Whether enough was proven of a parameter to say so: on many routes, and in as many places as such a finding names. */
export function isEverywhere(parameter: string, groups: readonly FindingGroup[]): boolean {
  const same = groups.filter(({ places: [first] }) => parameterOf(first.candidate) === parameter);
  return same.length > maxRoutes && same.reduce((sum, { places }) => sum + places.length, 0) >= enough;
}

/**
 * Makes one group of those of a parameter that is weak on many routes, so that a layout with one mistake on every page is one
 * finding.
 */
export function gathered(weakness: string, groups: readonly FindingGroup[]): FindingGroup[] {
  const byParameter = Map.groupBy(groups, ({ places: [first] }) => parameterOf(first.candidate));
  return [...byParameter].flatMap(([parameter, same]) => {
    const [first, ...others] = same;
    if (parameter === undefined || !first || same.length <= maxRoutes) return same;
    // One of each route before the second of any.
    const rest = [...others.map(({ places }) => places[0]), ...same.flatMap(({ places }) => places.slice(1))];
    const places: FindingGroup['places'] = [first.places[0], ...rest.slice(0, enough - 1)];
    const proven = rest.length + 1;
    const fingerprint = fingerprintOf(weakness, { ...first.places[0].candidate, route: everywhere });
    return [{ fingerprint, places, remark: remark(proven, places.length) }];
  });
}

/** Counts only places where the experiment was run. */
const remark = (proven: number, shown: number): string =>
  `The same parameter has it on many pages: it was proven at ${proven} of them${shown === proven ? '' : `, of which ${shown} are shown here`}.`;
