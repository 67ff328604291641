import { normaliseSegment } from '../routes.ts';

/** An address in its parts. */
export type Parts = {
  pathname: string;
  /** With its question mark; "" without one. */
  search: string;
  /** Names of the path that are not empty. */
  segments: readonly string[];
  /** Whether each segment names one of many things. */
  ids: readonly boolean[];
  /** As `normaliseRoute` has it. */
  route: string;
  /** Names and values of the query, in order. */
  parameters: readonly (readonly [name: string, value: string])[];
};

/** Some forums separate their parameters by it: "?action=read;topic=7". Source: HTML 4.01 B.2.2. */
const furtherPair = /;(?=[\w.[\]-]{1,60}=)/g;

/** Queries without escapes, as most are, need no parser. Source: URL standard §5.1. */
function parametersOf(url: URL): Parts['parameters'] {
  const search = url.search.replace(furtherPair, '&');
  if (search.length < 2) return [];
  if (/[%+]/.test(search)) return [...new URLSearchParams(search)];
  return search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const at = pair.indexOf('=');
      return at === -1 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
    });
}

let lastText: string | undefined;
let lastParts: Parts | undefined;

/** Reads an absolute address. One decision asks for the same address several times: the last one is remembered. */
export function partsOf(text: string): Parts {
  if (text === lastText && lastParts) return lastParts;
  const url = new URL(text);
  const { pathname, search } = url;
  const segments = pathname.split('/').filter((segment) => segment !== '');
  const normalised = segments.map(normaliseSegment);
  lastParts = {
    ...{ pathname, search, segments },
    ids: normalised.map((segment) => segment.includes('{')),
    route: `/${normalised.filter((segment) => segment !== '').join('/')}`,
    parameters: parametersOf(url),
  };
  lastText = text;
  return lastParts;
}
