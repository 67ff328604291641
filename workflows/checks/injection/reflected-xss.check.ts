import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import { counted, wasOrWere } from '../../model/words.ts';
import { isHtml } from '../../probe/http/document-type.ts';
import { fill, fillAction, newTrialValues, type TrialValues } from '../../proof/template.ts';
import { type CheckContext, defineCheck, notApplicable, notRun } from '../contract.ts';
import { policyPayloads } from '../dom/policy-payloads.ts';
import { type Reflection, reflectionsOf } from '../dom/reflection.ts';
import { type Payload, payloadsFor } from '../dom/xss-payloads.ts';
import { inputAction, type OpenedInput } from '../inputs/input-request.ts';
import { foundAt, type Looked, lookAtEach } from '../inputs/look-at-each.ts';
import { sendInput } from '../inputs/open-input.ts';
import { policiesOf, restrictsScripts } from '../pages/csp.ts';
import { scriptAddress } from '../pages/script-address.ts';
import { hasActiveCall } from './active-content.ts';
import { canaryAt, canaryPlaces } from './canary.ts';
import { type AskFilter, waysPast } from './filter-ways.ts';
import { browserAction } from './posting-page.ts';
import { repeatedInputs } from './repeated-inputs.ts';
import { type Survivors, signsBetween, survivorsIn } from './survivors.ts';

type Reflected = {
  input: OpenedInput;
  /** Has to stand before what we send: the site's own value, or nothing. */
  before: string;
  reflections: Reflection[];
  answer: Exchange;
};

const maxInputs = 300;
/** Payloads that look as if they would run are tried in the browser, up to this many for each input. */
const maxVisits = 8;
/** Payloads that are tried before the filter is asked what it lets through. */
const usualOfEach = 6;

/** A value of a request is run as script in the answer. Source: CWE-79, WSTG-INPV-01. */
export const reflectedXss = defineCheck<Looked<Reflected>>({
  id: 'injection.reflected-xss',
  title: 'Reflected cross-site scripting (XSS)',
  cwe: 79,
  owasp: 'A05:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',
  cost: 15,

  async detect(context) {
    const inputs = repeatedInputs(context);
    if (inputs.length === 0)
      return notApplicable('No page takes a value from its address or from a form that only reads.');
    const unavailable = await context.browser.unavailable();
    if (unavailable !== undefined) return notRun('browser_unavailable', unavailable);
    return lookAtEach(context, inputs, maxInputs, (input) => look(context, input));
  },

  async confirm(context, candidate) {
    const found = foundAt(candidate);
    const payload = found && (await findPayload(context, found));
    return found && payload && experimentFor(found, payload);
  },

  gives: {
    kinds: ['script-execution'],
    facts: (candidate, { address = '', nonce = '' }) => {
      const template = scriptAddress(address, nonce);
      const found = foundAt(candidate);
      if (!found || template === undefined) return [];
      const subject = `${new URL(template).origin} ${found.input.route} ${found.input.parameter}`;
      return [{ kind: 'script-execution', subject, attributes: { address: template } }];
    },
  },

  explain: {
    description:
      'The page puts a value of its address, or of a form that any page can post, into its HTML or script without encoding it for that place, so a link or another site can carry script that runs as part of this one.',
    impact:
      'Whoever follows such a link, or opens such a page, gives its author what they could do themselves: act in their session, read what the site shows them, change the page to ask for a password.',
    sends:
      'Sends a random word in each input, then the characters that script needs; opens payloads that come back active in a browser, up to 8 for each input.',
    proves:
      'A real browser runs the script in the value (`alert` with the nonce); the nonce alone runs nothing. An attacker’s link, or page that posts the form, acts as the visitor.',
    remedy:
      'Encode on output for the place where the value stands, by a template engine that does so by default (React, Jinja2 with autoescape, Razor, Thymeleaf `th:text`): `<p>Results for {{ q }}</p>`, never `| safe`, `innerHTML` or string building. Data for a script goes into an attribute or a JSON block with "<" written as \\u003c. Check the scheme of addresses that visitors give (https: only). A strict Content-Security-Policy with nonces is the second line.',
    references: [
      'CWE-79: https://cwe.mitre.org/data/definitions/79.html',
      'WSTG-INPV-01: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/01-Testing_for_Reflected_Cross_Site_Scripting',
      'OWASP XSS Prevention Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/Cross_Site_Scripting_Prevention_Cheat_Sheet.html',
    ],
  },
});

/** What a browser runs script in: pages, and pictures that are opened as one. */
const isShown = (exchange: Exchange): boolean =>
  isHtml(exchange) || /^image\/svg\+xml\b/i.test(exchange.header('content-type') ?? '');

/** Looks where a word of our own comes back, alone or behind the site's value. */
async function look(context: CheckContext, input: OpenedInput): Promise<Reflected | undefined> {
  for (const before of canaryPlaces(input)) {
    const { word, exchange } = await canaryAt(context, input, before);
    const words = [word, word.toUpperCase()].filter((each) => exchange.text.includes(each));
    const reflections = isShown(exchange) ? words.flatMap((each) => reflectionsOf(exchange.text, each)) : [];
    if (reflections.length > 0) return { input, before, reflections, answer: exchange };
  }
  return undefined;
}

/** The first payload that runs in a browser, after a look at the answer has told which could. */
async function findPayload(context: CheckContext, data: Reflected): Promise<Payload | undefined> {
  const { input, before, reflections } = data;
  const { survives, answer } = await survivorsOf(context, data);
  const allowed = policyPayloads(reflections, [data.answer, answer], context.surface.inputs);
  const usual = [...allowed, ...reflections.flatMap((each) => payloadsFor(each).slice(0, usualOfEach))];
  const payloads = new Map(usual.map((payload) => [payload.value, payload]));
  const usable = [...payloads.values()].filter(({ value }) => survives(value));
  const visits = { left: maxVisits };
  for (const payload of usable) {
    const values = newTrialValues(context.nonce);
    const exchange = await sendInput(context, input, inputAction(input, before + payload.value), values);
    if (isShown(exchange) && isActive(payload, exchange, values) && (await isRun(context, data, payload, visits)))
      return payload;
  }
  if (visits.left <= 0 || forbidsInline(answer)) return undefined;
  const ask: AskFilter = async (value, values) => {
    const exchange = await sendInput(context, input, inputAction(input, before + value), values);
    return isShown(exchange) ? exchange.text : '';
  };
  const onLeft = (count: number) =>
    context.leave({
      code: 'guessed',
      count,
      text: `${counted(count, 'way')} past a filter ${wasOrWere(count)} left out`,
    });
  for await (const payload of waysPast({ context, ask, survives }, reflections, onLeft)) {
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
  const visit = fillAction({ browser: visitOf(data, data.before + value, clicks) }, values);
  const isDone = ({ dialogs }: { dialogs: readonly string[] }) => dialogs.includes(nonce);
  const seen = 'browser' in visit ? await context.browser.visit({ ...visit.browser, isDone }) : undefined;
  return seen !== undefined && isDone(seen);
}

function isActive({ value, isLoaded }: Payload, { text }: Exchange, values: TrialValues): boolean {
  return isLoaded ? text.includes(fill(value, values)) : hasActiveCall(text, fill('‹nonce›', values));
}

/** Which characters come back as they are: payloads that need others need not be sent. */
async function survivorsOf(
  context: CheckContext,
  { input, before, reflections }: Reflected,
): Promise<{ survives: Survivors; answer: Exchange }> {
  const [begin, end] = [context.nonce(), context.nonce()];
  const action = inputAction(input, before + signsBetween(begin, end));
  const answer = await sendInput(context, input, action, newTrialValues(context.nonce));
  return { survives: survivorsIn(answer.text, { begin, end, reflections }), answer };
}

const visitOf = ({ input }: Pick<Reflected, 'input'>, value: string, clicks: readonly string[] = []) => ({
  ...browserAction(input, value),
  ...(clicks.length > 0 ? { clicks: [...clicks] } : {}),
});

function experimentFor(data: Reflected, { value, clicks = [] }: Payload): Experiment {
  const { input, before } = data;
  const ran = [claim('browser:dialogs', 'matches', '(?m)^‹nonce›$', 'The page opened a dialog with the nonce.')];
  const isPosted = input.in === 'body';
  // Where something has to be clicked, or posted, the address alone runs nothing.
  const isInAddress = clicks.length === 0 && !isPosted;
  return {
    steps: [
      ...(isPosted ? [answerStep(data, value)] : []),
      {
        browser: visitOf(data, before + value, clicks),
        note: isPosted
          ? 'A page of another site posts the form for whoever opens it, and the browser runs the script in the value.'
          : 'A browser that opens this address runs the script in it.',
        expect: ran,
        ...(isInAddress ? { capture: [{ name: 'address', subject: 'browser:url', pattern: '^.+$' }] } : {}),
      },
    ],
    control: [
      {
        browser: visitOf(data, `${before}‹nonce›`, clicks),
        note: 'The same with the nonce alone, without script around it, runs nothing.',
        expect: ran,
      },
    ],
  };
}

/** What a reader can see without a browser. */
const answerStep = ({ input, before }: Reflected, value: string): Step => ({
  http: inputAction(input, before + value),
  note: 'The answer to the form has the value in it.',
  expect: [claim('body', 'contains', '‹nonce›')],
});
