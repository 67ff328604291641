import type { CheckContext } from '../contract.ts';
import type { Payload } from '../dom/xss-payloads.ts';
import type { Flow } from './dom-flow.ts';
import { entering } from './entrances.ts';

/** What values are made of, apart from letters. */
const signs = ['<', '>', '"', "'", '(', ')', '`', '/', ':', '=', '{', '\\'];

/** Short, since scripts cut long values; no sign is encoded with it. */
const between = 'z';

/**
 * The signs that a script gives to the sink as they are: a sign that is removed, replaced or encoded runs nothing there. One that gets
 * a backslash in front is among them with a backslash, where that itself gets none: sent with one, it comes back without an escape.
 * @returns undefined when the value did not come to the sink, or not as a whole
 * @throws ProbeError
 */
export async function passedSigns({ browser, nonce }: CheckContext, flow: Flow): Promise<Set<string> | undefined> {
  const [word, end] = [nonce(), nonce()];
  // Twice, since some scripts replace the first of each alone.
  const value = ['', ...signs, ...signs, ''].join(between);
  const { clicks = [], ...visit } = entering(flow.entrance, `${word}${value}${end}`);
  const { sinkCalls } = await browser.visit({
    ...visit,
    url: visit.url.replaceAll('‹nonce›', word),
    clicks: [...clicks, ...(flow.call.clicks ?? [])],
    trace: { words: [word] },
  });
  const call = sinkCalls.find(({ sink, text }) => sink === flow.call.sink && text.includes(word));
  const text = call?.text.slice(call.text.indexOf(word) + word.length) ?? '';
  if (!text.includes(end)) return undefined;
  const pieces = text.slice(0, text.indexOf(end)).split(between);
  const passed = signs.filter((sign) => pieces.includes(sign));
  const escaped = signs.map((sign) => `\\${sign}`).filter((sign) => pieces.includes(sign));
  return new Set(passed.includes('\\') ? [...passed, ...escaped] : passed);
}

/** Whether all signs of a value get through. One that is written in another way is decoded behind what was looked at. */
export function getsThrough({ value }: Payload, passed: ReadonlySet<string>): boolean {
  const unescaped = value.replace(/\\./g, (pair) => (passed.has(pair) ? '' : pair));
  return signs.every((sign) => !unescaped.includes(sign) || passed.has(sign));
}
