import type { PageLink } from '../model/page-link.ts';
import type { FormSurface } from '../model/surface.ts';
import { isGuard } from '../probe/gate/tokens.ts';

/** Of the links with a query: where more of them have the token, it is part of every address of the site. */
const mostOfLinks = 0.8;
const fewestLinks = 4;

/**
 * Notes which links take the token that forms of their page send along: a site gives it to what changes something, whatever it is called.
 * Where most links have it, it only says whose session it is.
 */
export function noteGuarded(links: readonly PageLink[], forms: readonly FormSurface[]): void {
  const guards = new Set(
    forms
      .filter(({ method }) => method === 'POST')
      .flatMap(({ fields }) => fields.filter(({ type, name, value }) => type === 'hidden' && isGuard(name, value)))
      .map(({ value }) => value),
  );
  if (guards.size === 0) return;
  const asked = links.filter(({ url }) => url.includes('?'));
  const guarded = asked.filter(({ url }) => valuesOf(url).some((value) => guards.has(value)));
  if (asked.length >= fewestLinks && guarded.length > asked.length * mostOfLinks) return;
  for (const link of guarded) link.acts ??= 'guards';
}

/** Semicolons separate parameters on some sites. */
const valuesOf = (url: string): string[] => [...new URLSearchParams(new URL(url).search.replaceAll(';', '&')).values()];
