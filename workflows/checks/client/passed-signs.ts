import type { CheckContext } from '../contract.ts';
import type { Payload } from '../dom/xss-payloads.ts';
import type { Flow } from './dom-flow.ts';
import { entering } from './entrances.ts';

/** What values are made of, apart from letters. */
const signs = ['<', '>', '"', "'", '(', ')', '`', '/', ':', '=', '{'];

/**
 * The signs that a script gives to the sink as they are: a sign that is removed, replaced or encoded runs nothing there.
 * @returns undefined when the value did not come to the sink, or not as a whole
 * @throws ProbeError
 */
export async function passedSigns({ browser, nonce }: CheckContext, flow: Flow): Promise<Set<string> | undefined> {
  const [word, end] = [nonce(), nonce()];
  // Twice, since some scripts replace the first of each alone.
  const value = [...signs, ...signs].join(word);
  const { clicks = [], ...visit } = entering(flow.entrance, `${word}${value}${end}`);
  const { sinkCalls } = await browser.visit({
    ...visit,
    url: visit.url.replaceAll('‹nonce›', word),
    clicks: [...clicks, ...(flow.call.clicks ?? [])],
    trace: { words: [word] },
  });
  const call = sinkCalls.find(({ sink, text }) => sink === flow.call.sink && text.includes(word));
  const text = call?.text.slice(call.text.indexOf(word)) ?? '';
  if (!text.includes(end)) return undefined;
  const pieces = text.slice(0, text.indexOf(end)).split(word);
  return new Set(signs.filter((sign) => pieces.includes(sign)));
}

/** Whether all signs of a value get through. One that is written in another way is decoded behind what was looked at. */
export const getsThrough = ({ value }: Payload, passed: ReadonlySet<string>): boolean =>
  signs.every((sign) => !value.includes(sign) || passed.has(sign));
