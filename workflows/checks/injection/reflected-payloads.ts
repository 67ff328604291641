import type { Exchange } from '../../model/http.ts';
import { counted, wasOrWere } from '../../model/words.ts';
import { fill, fillAction, newTrialValues, type TrialValues } from '../../proof/template.ts';
import type { CheckContext } from '../contract.ts';
import { call, hasShown } from '../dom/script-calls.ts';
import { type Payload, payloadsFor } from '../dom/xss-payloads.ts';
import { sentByScript } from '../inputs/probe-inputs.ts';
import { policiesOf, restrictsScripts } from '../pages/csp.ts';
import { hasActiveCall } from './active-content.ts';
import { type AskFilter, waysPast } from './filter-ways.ts';
import { policyPayloads } from './policy-payloads.ts';
import { browserAction } from './posting-page.ts';
import { isShown, isXml, type Reflected, sendTo } from './reflected-values.ts';
import { type Survivors, signsBetween, survivorsIn } from './survivors.ts';
import { shaped } from './value-shapes.ts';

/** Payloads that look as if they would run are tried in the browser, up to this many for each input. */
const maxVisits = 8;
/** Payloads that are tried before the filter is asked what it lets through. */
const usualOfEach = 6;

/** In XML only elements of HTML by their namespace are such. */
const xmlPayload: Payload = {
  value: `<x:script xmlns:x="http://www.w3.org/1999/xhtml">${call}</x:script>`,
  isLoaded: true,
};

/** The first payload, in its shape, that runs in a browser, after a look at the answer has shown which could. */
export async function runningPayload(context: CheckContext, data: Reflected): Promise<Payload | undefined> {
  const { shape, reflections, addresses } = data;
  const { survives, answer } = await survivorsOf(context, data);
  const visits = { left: maxVisits };
  const written = (payload: Payload): Payload => ({ ...payload, value: shaped(shape, payload.value) });
  const allowed = await policyPayloads(context, reflections, [data.answer, answer]);
  const usual = [
    ...(isXml(data.answer) ? [xmlPayload] : []),
    ...allowed,
    ...reflections.flatMap((each) => payloadsFor(each).slice(0, usualOfEach)),
  ].filter(({ value }) => survives(value));
  // An address of script takes the place of the one that the shape has in front.
  const inPlace = addresses.flatMap((each) => payloadsFor(each).filter(({ value }) => survives(value)));
  const payloads = new Map([...inPlace, ...usual.map(written)].map((payload) => [payload.value, payload]));
  for (const payload of payloads.values()) {
    const values = newTrialValues(context.nonce);
    const exchange = await sendTo(context, data, payload.value, values);
    if (isShown(exchange) && isActive(payload, exchange, values) && (await isRun(context, data, payload, visits)))
      return payload;
  }
  if (visits.left <= 0 || forbidsInline(answer)) return undefined;
  const ask: AskFilter = async (value, values) => {
    const exchange = await sendTo(context, data, shaped(shape, value), values);
    return isShown(exchange) ? exchange.text : '';
  };
  const onLeft = (count: number) =>
    context.leave({
      code: 'guessed',
      count,
      text: `${counted(count, 'way')} past a filter ${wasOrWere(count)} left out`,
    });
  for await (const found of waysPast({ context, ask, survives }, reflections, onLeft)) {
    const payload = written(found);
    if (await isRun(context, data, payload, visits)) return payload;
    if (visits.left <= 0) return undefined;
  }
  return undefined;
}

const forbidsInline = (answer: Exchange): boolean =>
  policiesOf(answer).some((policy) => restrictsScripts(policy) && !/'unsafe-inline'/i.test(policy));

/** Opens a payload in the browser, as long as there are visits left. */
async function isRun(
  context: CheckContext,
  data: Reflected,
  { value, clicks }: Payload,
  visits: { left: number },
): Promise<boolean> {
  if (visits.left <= 0) return false;
  visits.left -= 1;
  const values = newTrialValues(context.nonce);
  const nonce = fill('‹nonce›', values);
  const visit = isSentByPage(data)
    ? fillAction({ browser: visitOf(data, value, clicks) }, values)
    : {
        browser: { url: fill(answerPage(data.input), values), page: (await sendTo(context, data, value, values)).text },
      };
  const isDone = ({ dialogs }: { dialogs: readonly string[] }) => hasShown(dialogs, nonce);
  const seen = 'browser' in visit ? await context.browser.visit({ ...visit.browser, isDone }) : undefined;
  return seen !== undefined && isDone(seen);
}

/** Of what no page makes a browser of others send, the answer itself is shown. */
const isSentByPage = ({ input }: Pick<Reflected, 'input'>): boolean => !sentByScript(input);

/** Where a browser is given an answer: on an origin that nobody has. */
export const answerPage = ({ url }: Pick<Reflected['input'], 'url'>): string =>
  `${new URL(url).protocol}//‹nonce8›.invalid/`;

function isActive({ value, isLoaded }: Payload, { text }: Exchange, values: TrialValues): boolean {
  return isLoaded ? text.includes(fill(value, values)) : hasActiveCall(text, fill('‹nonce›', values));
}

/** Which characters come back as they are: payloads that need others need not be sent. */
async function survivorsOf(context: CheckContext, data: Reflected): Promise<{ survives: Survivors; answer: Exchange }> {
  const { shape, reflections } = data;
  const [begin, end] = [context.nonce(), context.nonce()];
  const answer = await sendTo(context, data, shaped(shape, signsBetween(begin, end)), newTrialValues(context.nonce));
  return { survives: survivorsIn(answer.text, { begin, end, reflections }), answer };
}

/** How a browser comes to send a value, and what it clicks on then. */
export const visitOf = ({ input }: Pick<Reflected, 'input'>, value: string, clicks: readonly string[] = []) => ({
  ...browserAction(input, value),
  ...(clicks.length > 0 ? { clicks: [...clicks] } : {}),
});
