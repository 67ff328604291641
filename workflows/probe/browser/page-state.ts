import type { Page } from 'playwright-core';
import type { BrowserResult } from '../../model/browser.ts';

/** Of the DOM and of the title, in UTF-16 units. */
const maxHtmlLength = 1024 * 1024;
const maxTitleLength = 4096;
/** More than browsers keep of one site: 180 cookies of 4,096 bytes (RFC 6265bis §5.6). */
const maxCookieLength = 768 * 1024;
const maxStorageEntries = 200;
/** Of one area, names and values. What does not fit is left out, since half a value could be mistaken for one. */
const maxStorageLength = 256 * 1024;
const maxFrames = 200;
const maxUrlLength = 4096;

export type PageState = Pick<
  BrowserResult,
  'finalUrl' | 'html' | 'title' | 'frames' | 'scriptCookies' | 'localStorage' | 'sessionStorage'
>;

/** Cut in the page's own process: a page can be as large as that may grow, and would come here whole otherwise. */
const expression = `(() => {
  const read = (get, otherwise) => { try { return get() } catch { return otherwise } };
  const areaOf = (area) => {
    const entries = {};
    let length = 0;
    for (let index = 0, count = 0; index < area.length && index < ${5 * maxStorageEntries} && count < ${maxStorageEntries}; index++) {
      const name = area.key(index);
      const value = area.getItem(name) ?? '';
      if (length + name.length + value.length > ${maxStorageLength}) continue;
      length += name.length + value.length;
      count += 1;
      Object.defineProperty(entries, name, { value, enumerable: true });
    }
    return entries;
  };
  return {
    html: read(() => ((document.doctype ? new XMLSerializer().serializeToString(document.doctype) : '') +
      (document.documentElement?.outerHTML ?? '')).slice(0, ${maxHtmlLength}), ''),
    title: read(() => document.title.slice(0, ${maxTitleLength}), ''),
    scriptCookies: read(() => document.cookie.slice(0, ${maxCookieLength}), ''),
    localStorage: read(() => areaOf(localStorage), {}),
    sessionStorage: read(() => areaOf(sessionStorage), {}),
  };
})()`;

type PageReading = Omit<PageState, 'finalUrl' | 'frames'>;
const nothing: PageReading = { html: '', title: '', scriptCookies: '', localStorage: {}, sessionStorage: {} };

/**
 * What a page is now; read in a world of its own, where the page's script has replaced nothing. Empty when it cannot be
 * read; storage that the page may not use counts as empty.
 */
export async function readState(page: Page): Promise<PageState> {
  const read = await readApart(page).catch(() => nothing);
  const frames = page
    .frames()
    .filter((frame) => frame !== page.mainFrame())
    .slice(0, maxFrames)
    .map((frame) => frame.url().slice(0, maxUrlLength));
  return { finalUrl: page.url(), ...read, frames };
}

async function readApart(page: Page): Promise<PageReading> {
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  const world = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id });
  const contextId = world.executionContextId;
  const { result } = await session.send('Runtime.evaluate', { expression, contextId, returnByValue: true });
  return { ...nothing, ...result.value };
}
