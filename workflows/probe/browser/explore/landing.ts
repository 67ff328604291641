/**
 * Where a visitor stands who asked for another address: without what says in the query that one was, as "?next=/orders" does. Routes
 * behind "#" are places of their own.
 */
export function landingOf(standing: string, asked: string): string {
  const { origin, pathname, search, hash } = new URL(standing);
  const from = new URL(asked).pathname;
  const kept = [...new URLSearchParams(search)].filter(([, value]) => !names(value, from));
  const route = /^#!?\//.test(hash) ? hash.replace(/\?.*$/s, '') : '';
  return `${origin}${pathname}?${new URLSearchParams(kept)}${route}`;
}

/** An application may leave out the folder that it is in, and encode the address twice. */
function names(value: string, path: string): boolean {
  const text = /%2f/i.test(value) ? value.replace(/%2f/gi, '/') : value;
  const named = /^(?:https?:\/\/[^/]*)?(\/[^?#]*)/.exec(text)?.[1];
  return named !== undefined && named.length > 1 && path.endsWith(named.replace(/\/$/, ''));
}

/** Whether who asked for an address was led to a place that was used before. */
export const isLedBack = (standing: string, asked: string, used: ReadonlySet<string> | undefined): boolean =>
  used !== undefined &&
  URL.canParse(standing) &&
  landingOf(standing, asked) !== landingOf(asked, asked) &&
  used.has(landingOf(standing, asked));
