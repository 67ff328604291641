import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BrowserVisit } from '../../model/browser.ts';
import { ProbeError } from '../../model/probe-error.ts';
import { canonicalHost } from '../guard/address.ts';
import type { Scope } from '../scope.ts';

/** A page of the audit's own on an origin other than the target's. What is asked of that origin never leaves this process. */
export type OwnPage = { origin: string; path: string; content: string };

/**
 * The page that a visit brings along.
 * @throws ProbeError `out_of_scope` when its address could be somebody's: only names that are nobody's are taken, those
 * below "invalid" (RFC 6761 §6.4) for another site, and those below the audited host, or one of its last ports, for another origin
 * of its site
 */
export function ownPageOf({ url, page }: BrowserVisit, scope: Scope): OwnPage | undefined {
  if (page === undefined) return undefined;
  const parsed = URL.parse(url);
  if (!parsed || !/^https?:$/.test(parsed.protocol) || !isFree(parsed, scope))
    throw new ProbeError('out_of_scope', `${url} is no address for a page of our own`);
  return { origin: parsed.origin, path: parsed.pathname, content: page };
}

function isFree({ hostname, port }: URL, scope: Scope): boolean {
  const host = canonicalHost(hostname);
  if (host === scope.host) return /^6553\d$/.test(port) && !scope.covers(host, Number(port));
  return port === '' && (host.endsWith('.invalid') || host.endsWith(`.${scope.host}`));
}

export const isOn = (page: OwnPage | undefined, url: string): boolean =>
  page !== undefined && URL.parse(url)?.origin === page.origin;

/** @returns the status that was answered: the page is all that there is at its origin */
export function servePage(page: OwnPage, url: string, request: IncomingMessage, response: ServerResponse): number {
  const isPage = request.method === 'GET' && URL.parse(url)?.pathname === page.path;
  request.resume();
  response.sendDate = false;
  response.writeHead(isPage ? 200 : 404, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
  response.end(isPage ? page.content : '');
  return isPage ? 200 : 404;
}
