import { cookieInputs } from '../checks/inputs/cookie-inputs.ts';
import type { Surface } from '../model/surface.ts';
import type { Led } from './leads.ts';

/** A surface with the cookies that answers to forms give anybody, and as inputs of the pages that these lead to; pages give the known ones. */
export function withGivenCookies(surface: Surface, known: Surface, { cookies }: Pick<Led, 'cookies'>): Surface {
  // A field of the form that gives a cookie is mostly called like it.
  const inputs = [...cookieInputs(known), ...known.inputs.filter((input) => input.in === 'cookie')];
  const names = new Set(inputs.map(({ parameter }) => parameter));
  const given = cookieInputs({ pages: cookies }).filter(({ parameter }) => !names.has(parameter));
  return { ...surface, inputs: [...surface.inputs, ...given], givenCookies: cookies };
}
