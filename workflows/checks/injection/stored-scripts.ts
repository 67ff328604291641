import type { Exchange } from '../../model/http.ts';
import type { CheckContext } from '../contract.ts';
import { hasShown } from '../dom/script-calls.ts';
import type { Payload } from '../dom/xss-payloads.ts';
import { hasActiveCall } from './active-content.ts';
import { placeAfter } from './entry-places.ts';
import { linksOfScript } from './markup-ways.ts';
import { isRefused, plant, type Sends, unlessRefused } from './plant.ts';
import type { Sighting } from './stored-places.ts';
import { shownSessionOf } from './stored-reads.ts';
import { mayTry, type ShownField, textOf } from './stored-values.ts';
import type { StoringForm } from './storing-form.ts';

/** A text that ran as script where another visitor is shown it. */
export type Running = { payload: Payload; sighting: Sighting };

type WrittenScript = { payload: Payload; nonce: string };
/** What is written into one field at once. */
type StoringAttempt = { field: ShownField; written: WrittenScript[]; text: string };

/** What is pressed on the page until the text runs; '‹nonce›' stands for the word in it. */
export const clicksOfRunning = ({ payload, sighting }: Running): string[] => [
  ...(sighting.clicks ?? []),
  ...(payload.clicks ?? []),
];

/** An application that fails on a text without an answer costs a time limit for each. */
const maxUnanswered = 2;

/**
 * Finds, of each field of a form, a text that runs. A form is sent only a few times, so each time carries a text for every field that is
 * still open, and the first one carries all pieces of markup, one behind the other.
 * @throws ProbeError, ProofError
 */
export async function runningFields(
  context: CheckContext,
  form: StoringForm,
  fields: readonly ShownField[],
  sends: Sends,
): Promise<Map<ShownField, Running>> {
  const running = new Map<ShownField, Running>();
  const waiting = new Map(fields.map((field) => [field, inOrder(field)]));
  const areApart = fields.length > 1 && fields.every(({ isApart }) => isApart);
  let isOneByOne = areApart;
  let unanswered = 0;
  while (waiting.size > 0 && mayTry(sends, form) && unanswered < maxUnanswered) {
    const [first] = waiting.keys();
    const chosen: ShownField[] = isOneByOne && first ? [first] : [...waiting.keys()];
    const attempts = chosen.map((field) => attemptOf(context, field, waiting.get(field)?.shift() ?? []));
    const given = new Map(attempts.map(({ field, text }) => [field.parameter, text]));
    const planted = await unlessRefused(async () => ({
      isShown: await plant(context, { form, sends }, given, (answer) => look(context, attempts, answer, running)),
    }));
    if (!planted) unanswered += 1;
    // What is too long for one field, or not taken by it, may have kept the others from being stored.
    const wasShort = attempts.every(({ written }) => written.length === 1);
    isOneByOne = areApart || (planted?.isShown === false && fields.length > 1 && wasShort);
    for (const field of chosen) {
      const rest = waiting.get(field) ?? [];
      waiting.delete(field);
      // Behind the others: when one is sent alone, each has its turn.
      if (rest.length > 0 && !running.has(field)) waiting.set(field, rest);
    }
  }
  for (const [{ parameter }, rest] of waiting) {
    const left = `${rest.flat().length} texts for ${parameter} were not tried`;
    context.leave(
      unanswered < maxUnanswered
        ? { code: 'guessed', count: 1, text: `${left}: a form is sent 8 times at most` }
        : { code: 'unreachable', count: 1, text: `${left}: the form at ${form.pageUrl} gave no answer to others` },
    );
  }
  return running;
}

/**
 * All that may stand behind each other at once: an address of script that ends in a comment, handlers of the element that the value is an
 * attribute of, markup, and at its end what takes in all that follows. Then the others one by one.
 */
function inOrder({ payloads, room }: ShownField): Payload[][] {
  if (room !== undefined) return payloads.map((payload) => [payload]);
  const links = payloads.filter((payload) => linksOfScript.includes(payload));
  const others = payloads.filter((payload) => !links.includes(payload));
  // Of all entries of a list, the first has the focus.
  const closedOnes = others
    .filter(({ value }) => value.endsWith('>') && !value.includes('autofocus'))
    .toSorted((a, b) => clicksOf(a) - clicksOf(b));
  const open = others.find(({ value }) => /<[^>]*$/.test(value));
  const address = others.find(({ value }) => /^javascript:.*\/\/https:\/\/$/.test(value));
  // Of an attribute that an element has twice the first one counts: it has to run alone as well.
  const handlers = others
    .filter(({ value }) => handler.test(value))
    .toSorted((a, b) => clicksOf(b) - clicksOf(a))
    .slice(0, maxHandlers);
  const all = [...(address ? [address] : []), ...handlers, ...closedOnes];
  const joined = all.length > 1 ? [...all, ...(open ? [open] : [])] : [];
  return [links, joined, ...others.map((payload) => [payload])].filter(({ length }) => length > 0);
}

/** It ends the value, and begins one that what follows ends. */
const handler = /^(?:["']|x )[^<>]* x=["']?$/;
const maxHandlers = 3;

const clicksOf = ({ clicks = [] }: Payload): number => clicks.length;

function attemptOf(context: CheckContext, field: ShownField, payloads: readonly Payload[]): StoringAttempt {
  const written = payloads.map((payload) => ({ payload, nonce: context.nonce() }));
  const texts = written.map(({ payload, nonce }) => payload.value.replaceAll('‹nonce›', nonce));
  return {
    field,
    written,
    text:
      texts.length === 1
        ? (texts[0] ?? '')
        : texts
            .map(field.isFileName ? String : closed)
            .join(written.some(({ payload }) => linksOfScript.includes(payload)) ? '\n' : ''),
  };
}

/** Elements whose content is no HTML would take what follows for their own. */
const closed = (markup: string): string => {
  const [, name] = /<(svg|iframe)\b[^<]*>$/.exec(markup) ?? [];
  return name === undefined ? markup : `${markup}</${name}>`;
};

/** Adds what ran; whether anything of the texts was shown at all. */
async function look(
  context: CheckContext,
  attempts: readonly StoringAttempt[],
  answer: Exchange,
  running: Map<ShownField, Running>,
): Promise<boolean> {
  let isShown = false;
  if (isRefused(answer)) return isShown;
  for (const { field, written } of attempts)
    for (const [index, each] of field.sightings.entries()) {
      if (running.has(field)) break;
      const sighting = await placeAfter(context, field.form, answer, each);
      field.sightings[index] = sighting;
      const { text, ran } = await looked(context, sighting, written);
      isShown ||= written.some(({ nonce }) => text.includes(nonce)) || ran !== undefined;
      if (ran) running.set(field, { payload: ran.payload, sighting });
    }
  return isShown;
}

const isActive = ({ payload: { value, isLoaded }, nonce }: WrittenScript, text: string): boolean =>
  hasActiveCall(text, nonce) || (isLoaded === true && text.includes(value.replaceAll('‹nonce›', nonce)));

/** A page with script shows what it makes of a value only to a browser, in which it is run at once. */
async function looked(
  context: CheckContext,
  sighting: Sighting,
  written: readonly WrittenScript[],
): Promise<{ text: string; ran: WrittenScript | undefined }> {
  const text = sighting.isScripted ? '' : await textOf(context, sighting);
  // A link whose scheme was taken out leads away from the page.
  const active = sighting.isScripted ? written : written.filter((each) => isActive(each, text));
  if (active.length === 0) return { text, ran: undefined };
  const ranOf = ({ dialogs }: { dialogs: readonly string[] }) => written.find(({ nonce }) => hasShown(dialogs, nonce));
  const ofPayloads = active.flatMap(({ payload, nonce }) =>
    (payload.clicks ?? []).map((selector) => selector.replaceAll('‹nonce›', nonce)),
  );
  const clicks = [...(sighting.clicks ?? []), ...ofPayloads];
  const seen = await context.browser.visit({
    url: sighting.url,
    ...shownSessionOf(context, sighting.viewer),
    ...(clicks.length > 0 && { clicks }),
    isDone: (soFar) => ranOf(soFar) !== undefined,
  });
  return { text: text + seen.html, ran: ranOf(seen) };
}
