import { cookieInputs } from '../checks/inputs/cookie-inputs.ts';
import type { Observations } from '../model/gate.ts';
import type { InputSurface, Surface } from '../model/surface.ts';

/** Under which it is kept what became of a cookie's value in a session. */
export const cookieKey = (name: string): string => `session cookie ${name}`;

/** A visitor's surface without the cookies that the account may keep: observation has not shown otherwise. */
export function withoutKeptCookies(surface: Surface, observations: Observations): Surface {
  const heldCookies = heldIn(surface, observations);
  const isHeld = ({ in: place, parameter }: InputSurface): boolean =>
    place === 'cookie' && heldCookies.includes(parameter);
  return { ...surface, inputs: surface.inputs.filter((input) => !isHeld(input)), heldCookies };
}

/** The names of a visitor's cookies that are inputs, and that the account may keep: observation has not shown otherwise. */
export const heldIn = (surface: Surface, observations: Observations): string[] => {
  const inputs = surface.inputs.filter(({ in: place }) => place === 'cookie');
  const names = new Set([...inputs, ...cookieInputs(surface)].map(({ parameter }) => parameter));
  return [...names].filter((name) => observations[cookieKey(name)] !== 'reads');
};
