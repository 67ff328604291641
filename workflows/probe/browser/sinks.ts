import { randomUUID } from 'node:crypto';
import type { BrowserContext, Page } from 'playwright-core';
import type { BrowserResult, SinkCall } from '../../model/browser.ts';
import { sinkScript } from './sink-script.ts';

/** Below the number of events that the relay lets through. */
const maxCalls = 400;
/** Of one script to one sink: these show what it does. */
const maxAlike = 20;
/** Characters of a long text that are kept on each side of the word, to show where it stands. */
const surroundings = 2_000;

/**
 * Notes what script gives to sinks with one of the words in it. Pages go on as they would, but for a direct `eval`, which
 * becomes an indirect one: what is found here has still to be shown without this.
 */
export async function watchSinks(
  context: BrowserContext,
  { words, windowName = '' }: { words: readonly string[]; windowName?: string },
  watch: SinkWatch,
): Promise<void> {
  const channel = `sink${randomUUID().replaceAll('-', '')}`;
  await context.exposeBinding(channel, (_source, { kind, sink, element, text, script }: SinkCall) => {
    const call = { kind, sink, element, text: around(String(text), words), script: String(script).slice(0, 500) };
    addCall(watch, call);
  });
  await context.addInitScript({ content: sinkScript({ channel, words: [...words], windowName, surroundings }) });
}

/** What a visit notes of sinks. */
type SinkWatch = Pick<BrowserResult, 'sinkCalls' | 'unread'>;

function addCall({ sinkCalls, unread }: SinkWatch, call: SinkCall): void {
  const isAlike = ({ sink, element, script }: SinkCall) =>
    sink === call.sink && element === call.element && script === call.script;
  if (sinkCalls.filter(isAlike).length >= maxAlike) unread.alikeCalls += 1;
  else if (sinkCalls.length >= maxCalls) unread.calls += 1;
  else sinkCalls.push(call);
}

/**
 * A page that goes elsewhere because of a word: `location` cannot be hooked, so its navigations are looked at.
 * @param isOpened by another page, with no word in its address
 */
export function watchNavigations(page: Page, words: readonly string[], watch: SinkWatch, isOpened = false): void {
  let first: URL | undefined;
  page.on('request', (request) => {
    const url = URL.parse(request.url());
    if (!url || !request.isNavigationRequest() || request.frame() !== page.mainFrame()) return;
    if (!first && !isOpened) {
      first = url;
      return;
    }
    const text = url.href.replace(/#.*$/s, '');
    const isSamePage = url.origin === first?.origin && url.pathname === first.pathname;
    // The server's own redirects may repeat what they were asked.
    const isByScript = !request.redirectedFrom() && !isSamePage;
    if (!isByScript || !words.some((word) => text.includes(word))) return;
    addCall(watch, { kind: 'address', sink: 'location', element: '', text: around(text, words), script: '' });
  });
}

function around(text: string, words: readonly string[]): string {
  const places = words.map((word) => text.indexOf(word)).filter((place) => place !== -1);
  const at = Math.max(0, Math.min(...places));
  return text.slice(Math.max(0, at - surroundings), at + surroundings);
}
