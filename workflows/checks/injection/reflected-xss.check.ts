import type { Candidate } from '../../model/candidate.ts';
import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import { defineCheck, notApplicable, notRun } from '../contract.ts';
import { dialogPattern } from '../dom/script-calls.ts';
import type { Payload } from '../dom/xss-payloads.ts';
import { inputAction } from '../inputs/input-request.ts';
import { scriptAddress } from '../pages/script-address.ts';
import { cheapLook, lookAtEach } from './look-at-each.ts';
import { runningPayload, visitOf } from './reflected-payloads.ts';
import { type Reflected, reflectedAt } from './reflected-values.ts';
import { repeatedInputs } from './repeated-inputs.ts';
import { shaped } from './value-shapes.ts';

type ReflectedCandidate = Candidate<Reflected>;

const maxInputs = 300;

/** A value of a request is run as script in the answer. Source: CWE-79, WSTG-INPV-01. */
export const reflectedXss = defineCheck<Reflected>({
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
    const looked = await lookAtEach(context, inputs, maxInputs, (input) => reflectedAt(context, input), cheapLook);
    return { ...looked, candidates: onePlaceEach(looked.candidates) };
  },

  async confirm(context, candidate) {
    const found = candidate.data;
    const payload = found && (await runningPayload(context, found));
    return found && payload && experimentFor(found, payload);
  },

  gives: {
    kinds: ['script-execution'],
    facts: (candidate, { address = '', nonce = '' }) => {
      const template = scriptAddress(address, nonce);
      const found = candidate.data;
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

/** An error page, or what all pages have in common, shows a parameter wherever it is asked for: that is one mistake. */
function onePlaceEach(candidates: readonly ReflectedCandidate[]): ReflectedCandidate[] {
  const routes = new Map<string, string>();
  return candidates.map((candidate) => {
    const { location, route, data } = candidate;
    if (route === undefined || candidate.isApart || !data) return candidate;
    const key = JSON.stringify([location.method, location.parameterIn, location.parameter, data.around]);
    const first = routes.get(key) ?? route;
    routes.set(key, first);
    return { ...candidate, route: first };
  });
}

function experimentFor(data: Reflected, { value, clicks = [] }: Payload): Experiment {
  const { input, shape, isLed } = data;
  const ran = [
    claim('browser:dialogs', 'matches', dialogPattern('‹nonce›'), 'The page opened a dialog with the nonce.'),
  ];
  const isPosted = input.in === 'body';
  // Where something has to be clicked, or posted, the address alone runs nothing.
  const isInAddress = clicks.length === 0 && !isPosted;
  return {
    steps: [
      ...(isPosted && !isLed ? [answerStep(data, value)] : []),
      {
        browser: visitOf(data, value, clicks),
        note: isPosted
          ? 'A page of another site posts the form for whoever opens it, and the browser runs the script in the value.'
          : 'A browser that opens this address runs the script in it.',
        expect: ran,
        ...(isInAddress ? { capture: [{ name: 'address', subject: 'browser:url', pattern: '^.+$' }] } : {}),
      },
    ],
    control: [
      {
        browser: visitOf(data, shaped(shape, '‹nonce›'), clicks),
        note: 'The same with the nonce alone, without script around it, runs nothing.',
        expect: ran,
      },
    ],
  };
}

/** What a reader can see without a browser. */
const answerStep = ({ input }: Reflected, value: string): Step => ({
  http: inputAction(input, value),
  note: 'The answer to the form has the value in it.',
  expect: [claim('body', 'matches', '(?i)‹nonce›')],
});
