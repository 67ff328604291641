import { cookieInputs } from '../checks/injection/cookie-inputs.ts';
import type { Surface } from '../model/surface.ts';
import type { Led } from './leads.ts';

/** A surface with the cookies that answers to forms give anybody, as inputs of the pages that these lead to; pages give the known ones. */
export function withGivenCookies(surface: Surface, known: Surface, { cookies }: Pick<Led, 'cookies'>): Surface {
  const names = new Set([...cookieInputs(known), ...known.inputs].map(({ parameter }) => parameter));
  const given = cookieInputs({ pages: cookies }).filter(({ parameter }) => !names.has(parameter));
  return { ...surface, inputs: [...surface.inputs, ...given] };
}
