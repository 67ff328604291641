import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { HeaderList } from '../../model/http.ts';
import { valuesOf } from '../http/exchange.ts';

/** A file of the site, as it came over the wire. */
export type SharedFile = { status: number; headers: HeaderList; body: Buffer };

type FileRequest = { method: string; url: string; headers: IncomingHttpHeaders };

/**
 * Scripts, style sheets, fonts and images of an activity: every visit has a profile of its own, and would fetch them anew. Only what
 * is a file by its name, its type and its headers is kept, or is used as one and says for how long anybody may keep it; pages and
 * what scripts fetch are asked for each time.
 */
export type SharedFiles = {
  /** Undefined where the request has to be sent. */
  find(request: FileRequest): SharedFile | undefined;
  /** Whether an answer to the request may be kept; `keep` takes it when its body has been read. */
  mayKeep(request: FileRequest, answer: Pick<SharedFile, 'status' | 'headers'>): boolean;
  keep(url: string, file: SharedFile): void;
};

/** Larger files are fetched each time. */
export const maxFileBytes = 1024 * 1024;
const maxBytes = 32 * 1024 * 1024;

const fileName = /\.(?:m?js|css|woff2?|ttf|otf|eot|png|jpe?g|gif|svg|webp|avif|ico)$/i;
const fileType =
  /^(?:text\/(?:css|javascript)|application\/(?:x-)?javascript|application\/(?:x-)?font-[\w-]+|application\/vnd\.ms-fontobject|font\/|image\/)/i;
/** Source: Fetch Metadata, W3C, which browsers send on encrypted connections and to their own machine. */
const fileUse = /^(?:script|style|font|image)$/;

export function createSharedFiles(): SharedFiles {
  const kept = new LRUCache<string, SharedFile>({ maxSize: maxBytes, sizeCalculation: ({ body }) => 1 + body.length });
  return {
    find: (request) => (asksForFile(request) ? kept.get(request.url) : undefined),
    mayKeep: (request, { status, headers }) =>
      status === 200 &&
      asksForFile(request) &&
      isForEverybody(headers) &&
      (fileName.test(pathOf(request.url)) || isLasting(headers)),
    keep: (url, { headers, ...file }) =>
      void kept.set(url, { ...file, headers: headers.filter(([name]) => name.toLowerCase() !== 'set-cookie') }),
  };
}

function asksForFile({ method, url, headers }: FileRequest): boolean {
  const { 'sec-fetch-dest': use, 'upgrade-insecure-requests': navigates, range, origin } = headers;
  if (method !== 'GET' || navigates !== undefined || range !== undefined || isForeign(origin, url)) return false;
  return use === undefined ? fileName.test(pathOf(url)) : fileUse.test(String(use));
}

const pathOf = (url: string): string => url.replace(/[?#].*$/s, '');

/** Programs that put files together say so. Source: RFC 9111 §5.2.2. */
function isLasting(headers: HeaderList): boolean {
  const control = valuesOf(headers, 'cache-control').join(',').toLowerCase();
  return /\bpublic\b/.test(control) && /\bmax-age\s*=\s*"?[1-9]\d/.test(control) && !/\bno-cache\b/.test(control);
}

/** Browsers name the origin with each module script, whose site it may be: what another site is answered depends on that. */
const isForeign = (origin: string | undefined, url: string): boolean =>
  origin !== undefined && origin !== URL.parse(url)?.origin;

/**
 * Nothing in the answer depends on who asked. Some applications begin a session with any answer, a file that has a date or a tag
 * included. Source: RFC 9111 §3 and §4.1.
 */
function isForEverybody(headers: HeaderList): boolean {
  const all = (name: string) => valuesOf(headers, name).join(',').toLowerCase();
  return (
    fileType.test(all('content-type')) &&
    (all('set-cookie') === '' || all('last-modified') !== '' || all('etag') !== '') &&
    !/\b(?:no-store|private)\b/.test(all('cache-control')) &&
    !/\*|\borigin\b/.test(all('vary')) &&
    (!/\b(?:cookie|authorization)\b/.test(all('vary')) || liesThere(headers))
  );
}

/** What is made for a visitor is as old as its answer. */
const minAgeMs = 60_000;

/** A file with a date of its own. Frameworks say of all that they serve in a session that it varies with the cookie. */
function liesThere(headers: HeaderList): boolean {
  const dateOf = (name: string) => Date.parse(valuesOf(headers, name)[0] ?? '');
  return dateOf('date') - dateOf('last-modified') >= minAgeMs;
}
