import { dangerOf } from '../../probe/crawl/danger.ts';
import { normaliseRoute } from '../../probe/routes.ts';
import type { InputSurface, Surface } from '../contract.ts';
import { cookieInputs } from './cookie-inputs.ts';
import { namedPaths } from './path-inputs.ts';
import { formOf, isLoginForm, isReadingPost } from './reading-requests.ts';

/**
 * Inputs that may be sent values of ours: those of requests that only show something (see `isReadingPost`). What a crawler must not
 * follow is no place for probes either.
 */
export function inputsToProbe(surface: Surface): InputSurface[] {
  const isDangerous = dangerIn(surface);
  return [...surface.inputs, ...namedPaths(surface), ...cookieInputs(surface)].filter((input) => {
    if (input.parameter === '' || isDangerous(input)) return false;
    if (input.method === 'GET') return input.in !== 'body';
    return input.method === 'POST' && input.in === 'body' && isReadingPost(input, surface.forms);
  });
}

function dangerIn({ skipped }: Surface): (input: InputSurface) => boolean {
  const dangerous = skipped.filter(({ reason }) => reason.startsWith('the link may do something'));
  const routes = new Set(dangerous.map(({ url }) => normaliseRoute(url)));
  return ({ url, route }) => dangerOf(url, '') !== undefined || routes.has(route);
}

/**
 * The user names of forms that let somebody in, for the few checks that need one request or two. The password is one that nobody
 * has, and the name has a nonce in it, so that nobody is locked out.
 */
export function loginNames(surface: Surface): InputSurface[] {
  const isDangerous = dangerIn(surface);
  return surface.inputs.flatMap((input) => {
    const form = input.method === 'POST' && !isDangerous(input) ? formOf(input, surface.forms) : undefined;
    if (!form || !isLoginForm(form)) return [];
    const types = new Map(form.fields.map(({ name, type }) => [name, type]));
    if (!/^(?:text|email|tel)$/.test(types.get(input.parameter) ?? '')) return [];
    const others = input.others.map((other) =>
      types.get(other.name) === 'password' ? { ...other, value: '‹nonce9›' } : other,
    );
    return [{ ...input, others }];
  });
}

/** Inputs that a link carries, or a page elsewhere can post for a visitor: neither headers nor cookies, nor what asks for a token. */
export const carriedByOthers = ({ in: place, contentType = '', page }: InputSurface): boolean =>
  place === 'query' ||
  place === 'path' ||
  (place === 'body' && !contentType.startsWith('application/json') && !page?.tokens.length);
