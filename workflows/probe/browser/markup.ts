import type { Page } from 'playwright-core';

/** Of the DOM and of the title, in UTF-16 units. */
const maxHtmlLength = 1024 * 1024;
const maxTitleLength = 4096;

export type Markup = { html: string; title: string };

/** Cut in the page's own process: a page can be as large as that may grow, and would come here whole otherwise. */
const expression = `({
  html: ((document.doctype ? new XMLSerializer().serializeToString(document.doctype) : '') +
    (document.documentElement?.outerHTML ?? '')).slice(0, ${maxHtmlLength}),
  title: document.title.slice(0, ${maxTitleLength}),
})`;

/** What a page is made of now; read in a world of its own, where the page's script has replaced nothing. Empty when it cannot be read. */
export async function readMarkup(page: Page): Promise<Markup> {
  try {
    const session = await page.context().newCDPSession(page);
    const { frameTree } = await session.send('Page.getFrameTree');
    const world = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id });
    const contextId = world.executionContextId;
    const { result } = await session.send('Runtime.evaluate', { expression, contextId, returnByValue: true });
    return { html: '', title: '', ...result.value };
  } catch {
    return { html: '', title: '' };
  }
}
