import { randomUUID } from 'node:crypto';
import type { BrowserContext, Page } from 'playwright-core';
import type { SinkCall } from '../../model/browser.ts';
import { sinkScript } from './sink-script.ts';

const maxCalls = 100;
/** Of a long text, this much on each side of the word tells where it stands. */
const surroundings = 2_000;

/**
 * Notes what script gives to sinks with one of the words in it. Pages go on as they would, but for a direct `eval`, which
 * becomes an indirect one: what is found here has still to be shown without this.
 */
export async function watchSinks(
  context: BrowserContext,
  { words, windowName = '' }: { words: readonly string[]; windowName?: string },
  calls: SinkCall[],
): Promise<void> {
  const channel = `sink${randomUUID().replaceAll('-', '')}`;
  await context.exposeBinding(channel, (_source, { kind, sink, element, text, script }: SinkCall) => {
    if (calls.length >= maxCalls) return;
    calls.push({ kind, sink, element, text: around(String(text), words), script: String(script).slice(0, 500) });
  });
  await context.addInitScript({ content: sinkScript({ channel, words: [...words], windowName, surroundings }) });
}

/** A page that goes elsewhere because of a word: `location` cannot be hooked, so its navigations are looked at. */
export function watchNavigations(page: Page, words: readonly string[], calls: SinkCall[]): void {
  let first: URL | undefined;
  page.on('request', (request) => {
    const url = URL.parse(request.url());
    if (!url || !request.isNavigationRequest() || request.frame() !== page.mainFrame()) return;
    if (!first) {
      first = url;
      return;
    }
    const text = url.href.replace(/#.*$/s, '');
    const isSamePage = url.origin === first.origin && url.pathname === first.pathname;
    // The server's own redirects may repeat what they were asked.
    const isByScript = !request.redirectedFrom() && !isSamePage;
    if (!isByScript || calls.length >= maxCalls || !words.some((word) => text.includes(word))) return;
    calls.push({ kind: 'address', sink: 'location', element: '', text: around(text, words), script: '' });
  });
}

function around(text: string, words: readonly string[]): string {
  const places = words.map((word) => text.indexOf(word)).filter((place) => place !== -1);
  const at = Math.max(0, Math.min(...places));
  return text.slice(Math.max(0, at - surroundings), at + surroundings);
}
