import type { InputSurface, Surface } from '../../model/surface.ts';
import { loginsOf } from '../logins/login.ts';

/**
 * Without the inputs of requests that let somebody in: each try is a login that the site refuses, and some sites let nobody in
 * after a handful.
 */
export function beforeLogins(surface: Surface): Surface {
  const isSent = sentByLogins(surface);
  return { ...surface, inputs: surface.inputs.filter((input) => !isSent(input)) };
}

/** The inputs of those requests alone, for when nobody has to log in any more. */
export function ofLogins(surface: Surface): Surface {
  const inputs = surface.inputs.filter(sentByLogins(surface));
  return { ...surface, pages: [], calls: [], explored: [], inputs };
}

function sentByLogins(surface: Surface): (input: InputSurface) => boolean {
  const requests = new Set(loginsOf(surface).map(({ input }) => requestOf(input)));
  return (input) => requests.has(requestOf(input));
}

/** Routers take an address with a slash behind it for the same. */
const requestOf = ({ method, url }: InputSurface): string => `${method} ${url.replace(/\/?(?=[?#]|$)/, '')}`;
