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
};

type HeldRequest = { method: string; url: string; headers: IncomingHttpHeaders };

export function isHeld({ back }: Hold, { method, url, headers }: HeldRequest): boolean {
  if (back === 'nothing') return false;
  if (back === 'navigations') return isNavigation(headers);
  return method !== 'GET' || !isPartOfPage(url, headers);
}

/** Browsers tell what a request is for on encrypted connections and to their own machine. Source: Fetch Metadata, W3C. */
function isNavigation({ 'sec-fetch-dest': use, ...headers }: IncomingHttpHeaders): boolean {
  if (use !== undefined) return use === 'document';
  return headers['upgrade-insecure-requests'] === '1';
}

function isPartOfPage(url: string, { 'sec-fetch-dest': use }: IncomingHttpHeaders): boolean {
  if (use !== undefined) return /^(?:script|style|font)$/.test(String(use));
  return /\.(?:m?js|css|woff2?)(?:$|\?)/i.test(url);
}
