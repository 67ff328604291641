import { documentOf } from '../checks/inputs/json-inputs.ts';
import type { Surface } from '../model/surface.ts';
import type { ObservedSubmission } from '../observation/observe.ts';
import { calledIn } from '../survey/body-inputs.ts';

/** Inputs of what was refused to this visitor are left to visitors with access. Undefined where nothing was. */
export function withShut(surface: Surface, observed: readonly ObservedSubmission[]): Surface | undefined {
  const shut = new Set(observed.flatMap(({ isShut, submission }) => (isShut ? placeOf(submission) : [])));
  if (shut.size === 0) return undefined;
  const inputs = surface.inputs.map((input) =>
    input.method !== 'GET' && shut.has(placeOf({ ...input, body: documentOf(input) }))
      ? { ...input, isShut: true as const }
      : input,
  );
  return { ...surface, inputs };
}

/** One address answers many procedures, as that of GraphQL does. */
const placeOf = ({ method, url, body }: { method: string; url: string; body: string | undefined }): string =>
  `${method} ${url.replace(/[?#].*$/s, '')} ${body === undefined ? '' : (calledIn(body) ?? '')}`;
