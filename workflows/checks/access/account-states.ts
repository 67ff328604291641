import type { Identity } from '../../model/identity.ts';
import type { InputSurface, Surface } from '../../model/surface.ts';
import { namedPath } from '../../probe/program-parts.ts';
import type { CheckContext } from '../contract.ts';
import { atMost } from '../inputs/at-most.ts';

const accountPages = /balance|wallet|credit|account|\/me\b|profile|cart|basket|points|dashboard|home|checkout/i;
const maxStates = 4;

/** Pages that show what an account has, and may change when an input of it is sent. */
export function accountStates(
  context: CheckContext,
  surface: Surface,
  { checkUrl }: Pick<Identity, 'checkUrl'>,
  { page }: InputSurface,
): string[] {
  const pages = surface.pages.filter(({ url, status }) => status === 200 && accountPages.test(namedPath(url)));
  const urls = [page?.url ?? checkUrl, checkUrl, ...pages.map(({ url }) => url)];
  return atMost(context, [...new Set(urls)], maxStates, 'pages of an account');
}

/** Other accounts have other names before a number. */
export const withoutName = (context: string, name: string | undefined): string =>
  name && context.includes(name) ? context.slice(context.lastIndexOf(name) + name.length) : context;
