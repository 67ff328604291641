import type { CaptureRule } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import { escapePattern, firstMatch } from '../../proof/pattern.ts';
import { fill, fillCapture, type TrialValues } from '../../proof/template.ts';
import { targetOf } from '../addresses/redirect-target.ts';
import type { CheckContext } from '../contract.ts';
import { capturedFrom } from '../inputs/open-input.ts';
import { read } from './stored-reads.ts';
import type { Taking } from './upload-forms.ts';
import { addressesIn, keptFile, namePattern, pagesWithFiles } from './upload-places.ts';

/** Where what became of a file is shown, other than in the answer to the form. */
export type ShownAt = {
  /** May have the name of the file in it, or what is captured. */
  url: string;
  viewer: string;
  /** From the answer to the form. */
  capture?: CaptureRule;
};

/** @property text of the file that only it has */
type SentFile = { taking: Taking; values: TrialValues; before: ReadonlySet<string>; name: string };
const word = '‹nonce›';

/** Addresses on the pages around a form before a file is sent. @throws ProbeError */
export const addressesBefore = async (context: CheckContext, taking: Taking): Promise<Set<string>> =>
  addressesIn(await pagesWithFiles(context, around(taking)));

const around = ({ identity, pageUrl, input: { url } }: Taking) => ({ identity, pageUrl, url });

/** The first page that shows the word of a file: the one that the answer leads to, those around the form, that of the file. @throws ProbeError */
export async function shownAt(context: CheckContext, answer: Exchange, sent: SentFile): Promise<ShownAt | undefined> {
  const { taking, values, before, name } = sent;
  const { identity } = taking;
  const shown = fill(word, values);
  if (answer.text.includes(shown)) return undefined;
  const led = ledTo(answer);
  if (led && (await read(context, identity, led.target))?.text.includes(shown))
    return { ...led.place, viewer: identity };
  for (const page of await pagesWithFiles(context, around(taking)))
    if (page.text.includes(shown)) return { url: page.request.url, viewer: identity };
  const nonce = fill('‹nonce3›', values);
  const place = { ...around(taking), nonce, word: shown, before, name: fill(name, values) };
  const kept = await keptFile(context, answer, place);
  if (!kept || kept.listedIn) return undefined;
  const { url, viewer, written } = kept;
  if (written === undefined) return { url: url.replaceAll(nonce, '‹nonce3›'), viewer };
  const pattern = namePattern(written, nonce);
  return { url: url.replace(/[^/]*$/, '‹shown›'), viewer, capture: { name: 'shown', subject: 'body', pattern } };
}

/** The page to which an answer leads may have a number that is another one each time. */
function ledTo(answer: Exchange): { target: string; place: Pick<ShownAt, 'url' | 'capture'> } | undefined {
  const target = targetOf(answer);
  const location = answer.header('location') ?? '';
  if (target === undefined) return undefined;
  const at = target.lastIndexOf(location.replace(/#.*$/s, ''));
  const [, begin = '', name = ''] = /^(.*?)([^/?=&]*\d[^/?=&]*)$/.exec(location) ?? [];
  if (at === -1 || name === '') return { target, place: { url: target } };
  const pattern = `^${escapePattern(begin)}([^/?=&#]+)$`;
  return {
    target,
    place: {
      url: `${target.slice(0, at)}${begin}‹shown›`,
      capture: { name: 'shown', subject: 'header:location', pattern },
    },
  };
}

/** Whether an answer to the form, or the page that shows what became of the file, has this. @throws ProbeError */
export async function isShown(
  context: CheckContext,
  answer: Exchange,
  { place, pattern, values }: { place: ShownAt | undefined; pattern: string; values: TrialValues },
): Promise<boolean> {
  const matches = (text: string) => firstMatch(fill(pattern, values), text) !== undefined;
  if (!place) return matches(answer.text);
  const { capture, url, viewer } = place;
  const value = capture && capturedFrom(answer, fillCapture(capture, values));
  if (capture && value === undefined) return false;
  if (capture && value !== undefined) values.set(capture.name, value);
  // What is imported may be kept a little later than the answer comes.
  for (let look = 0; look < 2; look += 1)
    if (matches((await read(context, viewer, fill(url, values)))?.text ?? '')) return true;
  return false;
}
