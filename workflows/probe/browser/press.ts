import { setTimeout as sleep } from 'node:timers/promises';
import type { Page, Request } from 'playwright-core';
import type { SinkCall } from '../../model/browser.ts';
import type { GateRequest } from '../../model/gate.ts';
import { actingInName } from '../gate/words.ts';
import type { Settle } from './settle.ts';

const maxPresses = 6;
/** Controls that are looked at for those that only show something. */
const maxControls = 200;
/** The page and the open shadow roots in it that are looked at. */
const maxRoots = 200;
/** What a handler does at once is seen by then. */
const reactMs = 60;

type PressedControl = { selector: string; texts: string[] };

/** What a press may do beyond what a link may: these are looked for besides. */
const writes =
  /(?:^|[^\p{L}])(?:save|submit|subscribe|sign-?up|register|order|book|accept|agree|like|follow|upload|create|update)(?:[^\p{L}]|$)/iu;

/**
 * Presses the controls of a page that only show something, as a visitor might, and notes for each sink call which one led to it. A
 * control with a word for what acts is left alone, and so is one that would submit a form or lead elsewhere. While it does so nothing
 * but reading requests leaves the page, and a control that tried to send another one counts as not pressed.
 * @param calls to which the hooks of the page add
 * @param settle waits until nothing more is asked for
 * @param mayAsk what the write gate says of a request
 * @returns how many controls were left because a limit of count or time was reached
 */
export async function pressOnPage(
  page: Page,
  calls: SinkCall[],
  timeLeft: () => number,
  { settle, mayAsk }: { settle: Settle; mayAsk: (request: GateRequest) => boolean },
): Promise<number> {
  const nothing = { controls: [], count: 0 };
  const { controls, count } = await page.evaluate(controlsOf, { max: maxControls, maxRoots }).catch(() => nothing);
  const harmless = controls.filter(({ texts }) => !texts.some((text) => isCommand(text) || writes.test(text)));
  const beyond = count - controls.length;
  if (harmless.length === 0) return beyond;
  let asked = 0;
  let refused = 0;
  const undecided = new Set<Promise<boolean>>();
  await page.route('**/*', async (route) => {
    const decision = isAllowed(route.request(), mayAsk).catch(() => false);
    undecided.add(decision);
    asked += 1;
    const isReading = await decision;
    if (!isReading) refused += 1;
    undecided.delete(decision);
    await (isReading ? route.continue() : route.abort()).catch(() => {});
  });
  const address = pageOf(page.url());
  let pressed = 0;
  for (const { selector } of harmless.slice(0, maxPresses)) {
    if (timeLeft() <= reactMs) break;
    pressed += 1;
    const [before, askedBefore, refusedBefore] = [calls.length, asked, refused];
    await page.$eval(selector, (control) => (control as HTMLElement).click()).catch(() => {});
    await sleep(reactMs);
    // A busy browser reports later what the handler has requested.
    await page.evaluate(() => undefined).catch(() => {});
    await Promise.allSettled(undecided);
    // What it shows may be made of the answer.
    if (asked > askedBefore) await settle(timeLeft());
    if (refused > refusedBefore) calls.length = before;
    for (const call of calls.slice(before)) call.clicks = [selector];
    if (pageOf(page.url()) !== address) break;
  }
  await page.unroute('**/*').catch(() => {});
  return beyond + harmless.length - pressed;
}

/** Handlers, classes and identifiers hold commands among other names. */
const isCommand = (text: string): boolean =>
  text.split(/[\s;(){}'",]+/).some((name) => actingInName(name) !== undefined);

async function isAllowed(request: Request, mayAsk: (request: GateRequest) => boolean): Promise<boolean> {
  if (!/^https?:/.test(request.url())) return true;
  const headers = Object.entries(await request.allHeaders());
  return mayAsk({ method: request.method(), url: request.url(), headers, body: request.postData() ?? undefined });
}

const pageOf = (url: string): string => url.replace(/#.*$/s, '');

/** Runs in the page, so it uses nothing but what it is given. Playwright's selectors go through open shadow roots as through elements. */
function controlsOf({ max, maxRoots }: { max: number; maxRoots: number }): {
  controls: PressedControl[];
  count: number;
} {
  const selector =
    'button, input[type=button], summary, [role=button], [role=tab], [onclick], a:not([href]), a[href^="#"]';
  // What says of itself that it shows a part of the page is pressed first. Source: ARIA 1.2.
  const isFolding = (element: Element) => element.matches('[role=tab], summary, [aria-expanded], [aria-controls]');
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots)
    for (const { shadowRoot } of root.querySelectorAll('*'))
      if (shadowRoot && roots.length < maxRoots) roots.push(shadowRoot);
  const inPage = roots.flatMap((root) => [...root.querySelectorAll<HTMLElement>(selector)]);
  const shown = [...inPage.filter(isFolding), ...inPage.filter((each) => !isFolding(each))].filter((element) => {
    const { form, type } = element as HTMLButtonElement;
    const isSending = Boolean(form) && type !== 'button';
    const link = element.closest('a[href]');
    const isLeading = link !== null && !link.getAttribute('href')?.startsWith('#');
    return !isSending && !isLeading && element.checkVisibility();
  });
  const placeOf = (element: Element): string => {
    if (element.id !== '' && document.querySelectorAll(`#${CSS.escape(element.id)}`).length === 1)
      return `#${CSS.escape(element.id)}`;
    const parent = element.parentNode;
    if (!(parent instanceof Element || parent instanceof ShadowRoot)) return ':root';
    const place = [...parent.children].indexOf(element) + 1;
    return `${placeOf(parent instanceof ShadowRoot ? parent.host : parent)} > :nth-child(${place})`;
  };
  const controls = shown.slice(0, max).map((element) => ({
    selector: placeOf(element),
    texts: [
      element.textContent,
      ...['id', 'class', 'name', 'value', 'title', 'aria-label', 'onclick', 'href', 'formaction'].map(
        (name) => element.getAttribute(name) ?? '',
      ),
      ...Object.values(element.dataset)
        .slice(0, 20)
        .map((value) => value ?? ''),
    ].map((text) => text.slice(0, 500)),
  }));
  return { controls, count: shown.length };
}
