import type { BrowserContext, CDPSession, Page, Request } from 'playwright-core';
import type { BrowserResult } from '../../model/browser.ts';
import type { HeaderList } from '../../model/http.ts';
import { isAhead } from '../gate/decide.ts';
import type { Proxied } from './proxy-parts.ts';

/** What a visit noticed while it ran. Hostile pages talk without end, so every list and text is bounded. */
export type Watch = Pick<
  BrowserResult,
  'dialogs' | 'console' | 'requests' | 'cspViolations' | 'mixedContent' | 'sinkCalls'
> & {
  unread: BrowserResult['unread'];
};

const maxEntries = { dialogs: 50, console: 200, requests: 1000, cspViolations: 200, mixedContent: 200 };
const maxTextLength = 4096;
const maxHeaderLength = 8192;
const maxBodyLength = 16 * 1024;

export function newWatch(): Watch {
  return {
    dialogs: [],
    console: [],
    requests: [],
    cspViolations: [],
    mixedContent: [],
    sinkCalls: [],
    unread: { requests: 0, bodies: 0, calls: 0, alikeCalls: 0, parts: 0 },
  };
}

type WatchedTexts = 'dialogs' | 'console' | 'cspViolations' | 'mixedContent';

const add = (watch: Watch, list: WatchedTexts, text: string) => {
  if (watch[list].length < maxEntries[list]) watch[list].push(text.slice(0, maxTextLength));
  else if (list !== 'console') watch.unread.parts += 1;
};

/**
 * Collects what happens in a context, pop-ups included; answers dialogs, so that they hold nothing up.
 * @param mayAgree whether "Are you sure?" is answered with yes; no when not given
 */
export function watchContext(
  context: BrowserContext,
  isAllowed: (url: string) => boolean,
  watch: Watch,
  mayAgree: () => boolean = () => false,
): void {
  context.on('dialog', (dialog) => {
    add(watch, 'dialogs', dialog.message());
    const isAgreed = dialog.type() === 'confirm' && mayAgree();
    (isAgreed ? dialog.accept() : dialog.dismiss()).catch(() => {});
  });
  context.on('console', (message) => add(watch, 'console', message.text()));
  context.on('request', (request) =>
    noteRequest(
      watch,
      isAllowed,
      request.url(),
      request.method(),
      Object.entries(request.headers()),
      bodyOf(request, watch),
    ),
  );
  context.on('page', (page) => page.on('websocket', (socket) => noteRequest(watch, isAllowed, socket.url(), 'GET')));
}

/** Of what is longer a part would say nothing. */
function bodyOf(request: Request, watch: Watch): string | undefined {
  const body = request.postData() ?? '';
  if (body.length <= maxBodyLength) return body;
  watch.unread.bodies += 1;
  return undefined;
}

export function noteRequest(
  watch: Watch,
  isAllowed: (url: string) => boolean,
  url: string,
  method: string,
  headers: HeaderList = [],
  body?: string,
  before: string[] = [],
): void {
  if (!/^(https?|wss?):/.test(url)) return;
  if (watch.requests.length >= maxEntries.requests) {
    watch.unread.requests += 1;
    return;
  }
  // What is fetched ahead of its use never leaves, whether the proxy has said so yet or not.
  const refused = !isAllowed(url.replace(/^ws/, 'http')) || headers.some(isAhead);
  const cut = headers.map(([name, value]) => [name, value.slice(0, maxHeaderLength)] as const);
  watch.requests.push({
    url: url.slice(0, maxTextLength),
    method,
    refused,
    headers: cut,
    ...(body && { body }),
    ...(before.length > 0 && { before }),
  });
}

/** What the budget let through is kept in any case. Requests without an answer cost a page nothing: it could make them by the million. */
export function keepProxied(proxied: Proxied[], seen: Proxied): void {
  if (seen.answer) proxied.push(seen);
  else if (proxied.length < maxEntries.requests) proxied.push({ ...seen, url: seen.url.slice(0, maxTextLength) });
}

/** What the proxy refused that the browser did not report itself, such as connections made ahead of their use. */
export function addRefused(watch: Watch, proxied: readonly Proxied[]): void {
  const byOrigin = Map.groupBy(watch.requests, ({ url }) => originOf(url));
  for (const { url, method, refused } of proxied) {
    if (!refused) continue;
    const origin = originOf(url);
    const known = byOrigin.get(origin);
    for (const request of known ?? [])
      request.refused ||= method === 'CONNECT' || (request.url === url && request.method === method);
    if (known) continue;
    const added = { url, method, refused: true, headers: [] };
    watch.requests.push(added);
    byOrigin.set(origin, [added]);
  }
}

const originOf = (url: string): string => URL.parse(url.replace(/^ws/, 'http'))?.origin ?? url;

/** Violations come from the browser's own audit: the page can neither hide nor forge them. */
export async function watchViolations(page: Page, watch: Watch): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  session.on('Audits.issueAdded', ({ issue }) => {
    const mixed = issue.details.mixedContentIssueDetails;
    if (mixed) {
      const outcome = mixed.resolutionStatus === 'MixedContentBlocked' ? 'blocked' : 'upgraded';
      const line = `${outcome} ${mixed.insecureURL}`;
      if (!watch.mixedContent.includes(line)) add(watch, 'mixedContent', line);
    }
    const violation = issue.details.contentSecurityPolicyIssueDetails;
    if (!violation) return;
    const blocked =
      violation.blockedURL ?? violation.contentSecurityPolicyViolationType.replace(/^k/, '').replace(/Violation$/, '');
    add(watch, 'cspViolations', `${violation.violatedDirective} ${blocked}`);
  });
  await session.send('Audits.enable');
  return session;
}
