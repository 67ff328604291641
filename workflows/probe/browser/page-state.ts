import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';
import * as z from 'zod';
import type { BrowserResult } from '../../model/browser.ts';
import { leftOutCommand } from './relay/sift.ts';

/** Of the DOM and of the title, in UTF-16 units. */
const maxHtmlLength = 1024 * 1024;
const maxTitleLength = 4096;
/** More than browsers keep of one site: 180 cookies of 4,096 bytes (RFC 6265bis §5.6). */
const maxCookieLength = 768 * 1024;
const maxStorageEntries = 200;
/** Of one area, names and values. What does not fit is left out, since half a value could be mistaken for one. */
const maxStorageLength = 256 * 1024;
const maxFrames = 200;
/** Whose content is read; each menu entry of a page may have one of its own. */
const maxShadowRoots = 500;
const maxUrlLength = 4096;
/**
 * Before a page that went elsewhere meanwhile is read again: where much is under way, it takes longer to arrive, and one that loads
 * itself again and again stands still for moments only.
 */
const arrivalsMs = [150, 400, 1_000, 250, 600, 1_500];

export type PageState = Pick<
  BrowserResult,
  'finalUrl' | 'html' | 'title' | 'frames' | 'scriptCookies' | 'localStorage' | 'sessionStorage'
> & {
  /** What limits left out of the above and of the page's messages: entries, frames, events, and 1 for cut HTML. */
  left: number;
  /** Why nothing of the page could be read, which is then 1 of `left`. */
  unreadable?: string;
};

/** Cut in the page's own process: a page can be as large as that may grow, and would come here whole otherwise. */
const expression = `(() => {
  let left = 0;
  const read = (get, otherwise) => { try { return get() } catch { return otherwise } };
  const areaOf = (area) => {
    const entries = {};
    let length = 0;
    let count = 0;
    for (let index = 0; index < area.length && index < ${5 * maxStorageEntries} && count < ${maxStorageEntries}; index++) {
      const name = area.key(index);
      const value = area.getItem(name) ?? '';
      if (length + name.length + value.length > ${maxStorageLength}) continue;
      length += name.length + value.length;
      count += 1;
      Object.defineProperty(entries, name, { value, enumerable: true });
    }
    left += area.length - count;
    return entries;
  };
  // outerHTML leaves out what web components draw: it goes to the end of the body, where forms and links are read like any others.
  const withShadows = (html) => {
    const drawn = [];
    const scopes = [document];
    for (let scope = scopes.pop(); scope && drawn.length < ${maxShadowRoots}; scope = scopes.pop())
      for (const element of scope.querySelectorAll('*')) {
        if (!element.shadowRoot) continue;
        if (drawn.length >= ${maxShadowRoots}) { left += 1; break; }
        drawn.push(element.shadowRoot.innerHTML);
        scopes.push(element.shadowRoot);
      }
    if (drawn.length === 0) return html;
    const end = html.lastIndexOf('</body>');
    return end < 0 ? html + drawn.join('') : html.slice(0, end) + drawn.join('') + html.slice(end);
  };
  const htmlOf = () => {
    const html = (document.doctype ? new XMLSerializer().serializeToString(document.doctype) : '') +
      withShadows(document.documentElement?.outerHTML ?? '');
    if (html.length > ${maxHtmlLength}) left += 1;
    return html.slice(0, ${maxHtmlLength});
  };
  return {
    html: read(htmlOf, ''),
    title: read(() => document.title.slice(0, ${maxTitleLength}), ''),
    scriptCookies: read(() => document.cookie.slice(0, ${maxCookieLength}), ''),
    localStorage: read(() => areaOf(localStorage), {}),
    sessionStorage: read(() => areaOf(sessionStorage), {}),
    // Last, when all has been read.
    left,
  };
})()`;

type PageReading = Omit<PageState, 'finalUrl' | 'frames'>;
const nothing: PageReading = { html: '', title: '', scriptCookies: '', localStorage: {}, sessionStorage: {}, left: 0 };

/**
 * What a page is now; read in a world of its own, where the page's script has replaced nothing. Empty when it cannot be
 * read; storage that the page may not use counts as empty.
 */
export async function readState(page: Page): Promise<PageState> {
  const read = await readSettled(page);
  const frames = page.frames().filter((frame) => frame !== page.mainFrame());
  return {
    ...{ finalUrl: page.url(), ...read },
    frames: frames.slice(0, maxFrames).map((frame) => frame.url().slice(0, maxUrlLength)),
    left: read.left + Math.max(0, frames.length - maxFrames),
  };
}

/** A page that goes elsewhere while it is read is read where it arrives. */
async function readSettled(page: Page): Promise<PageReading> {
  let unreadable = '';
  for (const arrivalMs of [...arrivalsMs, 0]) {
    const read = await readApart(page).catch((error: unknown) => {
      unreadable = error instanceof Error ? error.message : String(error);
    });
    if (read) return read;
    if (page.isClosed()) break;
    await sleep(arrivalMs);
  }
  return { ...nothing, left: 1, unreadable };
}

async function readApart(page: Page): Promise<PageReading> {
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  const world = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id });
  const contextId = world.executionContextId;
  const { result } = await session.send('Runtime.evaluate', { expression, contextId, returnByValue: true });
  const reading: PageReading = { ...nothing, ...result.value };
  return { ...reading, left: reading.left + (await leftByRelay(session)) };
}

const RelayAnswer = z.object({ count: z.number() });

/** Events of the page that the relay has not passed on. The protocol does not know this command, and neither do its types. */
async function leftByRelay(session: CDPSession): Promise<number> {
  const send: (method: string) => Promise<unknown> = session.send.bind(session) as never;
  return RelayAnswer.parse(await send(leftOutCommand)).count;
}
