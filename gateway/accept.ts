import type { Endpoint, Route } from './endpoints.ts';

type MediaRange = { type: string; quality: number };

/**
 * Chooses what to send by an Accept header (RFC 9110 §12.5.1): of `offered`, the one with the highest quality, the
 * earlier one on a tie. Parameters other than q are ignored. Undefined when nothing offered is accepted.
 */
export function chooseMediaType(accept: string | undefined, offered: readonly string[]): string | undefined {
  const ranges = parseAccept(accept ?? '');
  if (ranges.length === 0) return offered[0];
  const rated = offered.map((type) => ({ type, quality: qualityOf(type, ranges) }));
  const best = Math.max(...rated.map(({ quality }) => quality));
  return best > 0 ? rated.find(({ quality }) => quality === best)?.type : undefined;
}

/** The endpoint of a route that an Accept header asks for. Undefined when it accepts nothing that the route has. */
export function chooseEndpoint(accept: string | undefined, route: Route): Endpoint | undefined {
  const chosen = chooseMediaType(accept, mediaTypesOf(route));
  return route.find(({ mediaTypes }) => chosen !== undefined && mediaTypes.includes(chosen));
}

/** Everything that a route can be served as, the default first. */
export const mediaTypesOf = (route: Route): string[] => route.flatMap(({ mediaTypes }) => mediaTypes);

function parseAccept(accept: string): MediaRange[] {
  return accept.split(',').flatMap((part) => {
    const [type = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase());
    if (!/^[^\s/]+\/[^\s/]+$/.test(type)) return [];
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    return [{ type, quality: /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(quality) ? Number(quality) : 0 }];
  });
}

/** The most specific range that covers the type decides, so "text/html;q=0, *\/*" excludes HTML. */
function qualityOf(type: string, ranges: readonly MediaRange[]): number {
  const [main] = type.split('/');
  for (const covering of [type, `${main}/*`, '*/*']) {
    const found = ranges.filter((range) => range.type === covering);
    if (found.length > 0) return Math.max(...found.map(({ quality }) => quality));
  }
  return 0;
}
