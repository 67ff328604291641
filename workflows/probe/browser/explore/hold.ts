import type { IncomingHttpHeaders } from 'node:http';
import type { KnownCookies } from './known-cookies.ts';

/**
 * What the proxy keeps back while a page is used, and answers itself with 204, so that the page stays as it is:
 * - `nothing`: the page loads
 * - `navigations`: the page would be left
 * - `all`: anything but code and fonts
 */
export type Hold = {
  back: 'nothing' | 'navigations' | 'all';
  /** Of a page with a session, once it has loaded: no other cookies are sent. */
  known?: KnownCookies;
  /** Bodies that were held back: the browser reports none that has files in it. */
  bodies: HeldBody[];
};

type HeldBody = { method: string; url: string; body: string };

const maxBodies = 50;
const maxBodyLength = 16 * 1024;

/** Keeps the body of a request that is held back, as much of it as is read of others. */
export async function keepBody(hold: Hold, method: string, url: string, request: AsyncIterable<Buffer>): Promise<void> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    if (size < maxBodyLength) chunks.push(chunk);
    size += chunk.length;
  }
  noteBody(hold, { method, url, body: Buffer.concat(chunks) });
}

/** Keeps the body of a request that did not leave. */
export function noteBody(
  { bodies }: Hold,
  { method, url, body }: { method: string; url: string; body: Uint8Array },
): void {
  if (body.length === 0 || bodies.length >= maxBodies) return;
  bodies.push({ method, url, body: Buffer.from(body).subarray(0, maxBodyLength).toString() });
}

type HeldRequest = { method: string; url: string; headers: IncomingHttpHeaders };

export function isHeld({ back }: Hold, { method, url, headers }: HeldRequest): boolean {
  if (back === 'nothing') return false;
  if (back === 'navigations') return isNavigation(headers);
  return method !== 'GET' || !isPartOfPage(url, headers);
}

/** Browsers state what a request is for on encrypted connections and to their own machine. Source: Fetch Metadata, W3C. */
function isNavigation({ 'sec-fetch-dest': use, ...headers }: IncomingHttpHeaders): boolean {
  if (use !== undefined) return use === 'document';
  return headers['upgrade-insecure-requests'] === '1';
}

function isPartOfPage(url: string, { 'sec-fetch-dest': use }: IncomingHttpHeaders): boolean {
  if (use !== undefined) return /^(?:script|style|font)$/.test(String(use));
  return /\.(?:m?js|css|woff2?)(?:$|\?)/i.test(url);
}
