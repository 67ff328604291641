import type { BrowserContext, Page } from 'playwright-core';
import type { BrowserSignIn, SignedIn, WebStorage } from '../../model/browser.ts';
import type { CookieJar } from '../../model/http.ts';
import { putCookies } from '../http/cookies.ts';
import { inTime } from '../in-time.ts';
import type { Scope } from '../scope.ts';
import { readState } from './page-state.ts';
import type { Proxied } from './proxy-parts.ts';
import { type Settle, watchTraffic } from './settle.ts';
import { fillIn, findNext, type NextFields, submit } from './sign-in-fields.ts';
import { openLogin } from './sign-in-opener.ts';
import { type SignInTraffic, watchSignIn } from './sign-in-traffic.ts';
import { addCookies } from './visit.ts';

/** Pages of one login: user name, password, code. */
const maxPages = 3;
/** Script gets this long to show the next field. */
const patienceMs = 8_000;
/** Of which this long before what may show the login is pressed. */
const openingMs = 1_500;
/** After the password: whether a code is asked for is shown soon. */
const codePatienceMs = 4_000;
/** A form that was accepted goes away within this time; one that nobody answers is not waited for any longer. */
const leavingMs = 10_000;
/** Kept back from the time of the whole, to read what came of it. */
const readingMs = 4_000;

/**
 * Types a login into a page as a person would, and reads what the app's session is made of.
 * @param limit aborted at the latest at `endMs` (of performance.now)
 * @throws ProbeError, or what Playwright throws when there is no page
 */
export async function signIn(
  context: BrowserContext,
  scope: Scope,
  request: BrowserSignIn,
  proxied: readonly Proxied[],
  limit: AbortSignal,
  endMs: number,
): Promise<SignedIn> {
  context.on('dialog', (dialog) => void dialog.dismiss().catch(() => {}));
  const traffic = watchSignIn(context, scope, request.password);
  const settle = watchTraffic(context);
  await addCookies(context, request.jar);
  await hearLeavingFirst(context);
  const page = await context.newPage();
  const writes = () => traffic.writes(proxied);
  return inTime(drive(page, request, { ...traffic, writes, settle }, endMs - readingMs), limit);
}

type Traffic = Omit<SignInTraffic, 'writes'> & { writes(): SignedIn['writes']; settle: Settle };

async function drive(page: Page, request: BrowserSignIn, traffic: Traffic, endMs: number): Promise<SignedIn> {
  const timeLeft = () => Math.max(1, endMs - performance.now());
  const document = await page.goto(request.url, { waitUntil: 'commit', timeout: timeLeft() });
  await page.waitForLoadState('load', { timeout: timeLeft() }).catch(() => {});
  await traffic.settle(timeLeft());
  const sent = await goThrough(page, request, traffic, timeLeft);
  // A browser forgets it with the page that asked for it.
  const answer = await traffic.answer();
  const { finalUrl, html } = await readState(page);
  if (sent.password && !traffic.hasHeaders() && !(await findNext(page, request, noneSent, 0))?.password) {
    // Some apps put their token to use with the next page only.
    await leaveSilently(page);
    await page.reload({ waitUntil: 'load', timeout: timeLeft() }).catch(() => {});
    await traffic.settle(timeLeft());
  }
  const { localStorage, sessionStorage } = await readState(page);
  const origin = URL.parse(finalUrl)?.origin ?? 'null';
  const storage: WebStorage = origin === 'null' ? {} : { [origin]: { local: localStorage, session: sessionStorage } };
  await takeCookies(page.context(), request.jar);
  const headers = traffic.headers([...Object.values(localStorage), ...Object.values(sessionStorage)]);
  const status = traffic.documentStatus() ?? document?.status() ?? 0;
  const [calls, writes] = [traffic.calls(), traffic.writes()];
  return { sent, finalUrl, status, html, headers, storage, calls, writes, ...(answer && { answer }) };
}

/** What the page sends as it is left, such as how its view was, an application stores with the account: it does not hear of it. */
const leaving = 'scan-audit-leaves';

const hearLeavingFirst = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript((name) => {
    let isLeft = false;
    addEventListener(name, () => {
      isLeft = true;
    });
    // Whoever listens first can keep an event of the window from all others.
    for (const told of ['beforeunload', 'pagehide', 'unload', 'visibilitychange'])
      addEventListener(told, (event) => isLeft && event.stopImmediatePropagation(), { capture: true });
  }, leaving);

const leaveSilently = (page: Page): Promise<unknown> =>
  Promise.allSettled(page.frames().map((frame) => frame.evaluate((name) => dispatchEvent(new Event(name)), leaving)));

const noneSent: SignedIn['sent'] = { name: false, password: false, code: false };

/** Field after field, until none is left that the login has something for. */
async function goThrough(
  page: Page,
  request: BrowserSignIn,
  traffic: Traffic,
  timeLeft: () => number,
): Promise<SignedIn['sent']> {
  const sent = { ...noneSent };
  for (let pages = 0; pages < maxPages; pages += 1) {
    const patience = sent.password ? (request.code && !sent.code ? codePatienceMs : 0) : patienceMs;
    const find = (waitMs = patience) => findNext(page, request, sent, Math.min(waitMs, timeLeft()));
    let next = patience === 0 ? undefined : await find(pages === 0 ? openingMs : patience);
    // A dialog or a view of the page's script has it.
    if (!next && pages === 0) next = (await openLogin(page)) ? await find() : await find(patience - openingMs);
    if (!next) break;
    await fillIn(page, next, request);
    if (next.password) traffic.begin();
    await submit(next);
    await leave(page, next, traffic, timeLeft);
    sent.name ||= next.username !== undefined;
    sent.password ||= next.password !== undefined;
    sent.code ||= next.code.length > 0;
  }
  return sent;
}

/** Waits until the form is gone, another page is there or the password was answered; a form that stays has refused. */
async function leave(
  page: Page,
  { last, password }: NextFields,
  traffic: Traffic,
  timeLeft: () => number,
): Promise<void> {
  const before = page.url();
  const timeout = Math.min(leavingMs, timeLeft());
  await Promise.race([
    last.waitForElementState('hidden', { timeout }).catch(() => {}),
    page.waitForURL(({ href }) => href !== before, { timeout, waitUntil: 'commit' }).catch(() => {}),
    ...(password ? [traffic.answered()] : []),
  ]);
  await page.waitForLoadState('load', { timeout: timeLeft() }).catch(() => {});
  await traffic.settle(timeLeft());
}

/** Those of answers are in the jar already; script sets some too. */
async function takeCookies(context: BrowserContext, jar: CookieJar): Promise<void> {
  const known = new Set(jar.all().map(({ name, value }) => `${name}=${value}`));
  const cookies = await context.cookies();
  const set = cookies.filter(({ name, value }) => !known.has(`${name}=${value}`));
  putCookies(
    jar,
    set.map(({ domain, sameSite, name, value, path, secure, httpOnly }) => ({
      ...{ name, value, path, secure, httpOnly, sameSite, partitioned: false },
      domain: domain.replace(/^\./, ''),
      hostOnly: !domain.startsWith('.'),
    })),
  );
}
