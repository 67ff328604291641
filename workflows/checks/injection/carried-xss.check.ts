import type { Candidate } from '../../model/candidate.ts';
import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import { defineCheck, notApplicable, notRun } from '../contract.ts';
import { dialogPattern } from '../dom/script-calls.ts';
import type { Payload } from '../dom/xss-payloads.ts';
import { inputAction } from '../inputs/input-request.ts';
import { inputSteps } from '../inputs/open-input.ts';
import { inputsToProbe, sentByScript } from '../inputs/probe-inputs.ts';
import { policiesOf, restrictsScripts } from '../pages/csp.ts';
import { lookAtEach } from './look-at-each.ts';
import { answerPage, runningPayload } from './reflected-payloads.ts';
import { type Reflected, reflectedAt } from './reflected-values.ts';
import { shaped } from './value-shapes.ts';

type Carried = Reflected & { detail: string; cvss?: string };

const maxInputs = 300;
/** The proof keeps the answer that it shows a browser. */
const maxAnswer = 64 * 1024;
/** No page makes a browser of others send it: what stands between them and the server would have to, or a server that takes it as text. */
const ofScript = 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:N/I:L/A:N';

/** A value of a cookie, of a header or of a body that script sends is script in the answer. Source: CWE-79, WSTG-INPV-01. */
export const carriedXss = defineCheck<Carried>({
  id: 'injection.carried-xss',
  title: 'Cross-site scripting (XSS) by a cookie, a header or a body that script sends',
  cwe: 79,
  owasp: 'A05:2025',
  // Somebody has to have set the cookie: another site below the same domain, or another weakness of this one.
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:C/C:L/I:L/A:N',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',
  cost: 5,

  async detect(context) {
    const inputs = inputsToProbe(context.surface).filter((input) => sentByScript(input) && !input.encoded);
    if (inputs.length === 0)
      return notApplicable('No page reads a cookie, a header or a body of JSON or XML that may be changed.');
    const unavailable = await context.browser.unavailable();
    if (unavailable !== undefined) return notRun('browser_unavailable', unavailable);
    const looked = await lookAtEach<Carried>(context, inputs, maxInputs, async (input) => {
      const found = await reflectedAt(context, input);
      if (!found || found.isLed || found.answer.text.length > maxAnswer) return undefined;
      if (policiesOf(found.answer).some(restrictsScripts)) return undefined;
      const name = `${input.in === 'body' ? 'field' : input.in} ${input.parameter}`;
      const detail = `The ${name} stands in the page as it was sent.`;
      return { ...found, detail, ...(input.in !== 'cookie' && { cvss: ofScript }) };
    });
    return { ...looked, candidates: looked.candidates.map(ofSite) };
  },

  async confirm(context, candidate) {
    const found = candidate.data;
    const payload = found && (await runningPayload(context, found));
    return found && payload && experimentFor(found, payload);
  },

  explain: {
    description:
      'The page puts a value of a cookie, of a header or of a body of JSON or XML into its HTML or script without encoding it for that place. A browser that is given the answer runs script in it.',
    impact:
      'Whoever can set a cookie of the site, from another site below the same domain or by another weakness, acts as the visitor with each page that shows it. A header or such a body has to be sent by the page itself or by what stands between, unless the server reads it whatever its type says; where answers are kept in a cache, all visitors are given its script.',
    sends:
      'Sends a random word in cookies and headers that pages read and in bodies that their scripts send, then the characters that script needs; answers with payloads that come back active are opened in a browser, up to 8 for each input.',
    proves:
      'A real browser that is given the answer runs the script in the value (`alert` with the nonce); the answer to the nonce alone runs nothing. That a visitor is made to send it was not shown.',
    remedy:
      'Encode on output for the place where the value stands, by a template engine that does so by default (Thymeleaf `th:text`, JSTL `<c:out>`, Jinja2 with autoescape), or by an encoder: `Encode.forHtml(value)` (OWASP Java Encoder). A cookie, a header or JSON is input like any other; what answers scripts says `Content-Type: application/json`.',
    references: [
      'CWE-79: https://cwe.mitre.org/data/definitions/79.html',
      'OWASP XSS Prevention Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/Cross_Site_Scripting_Prevention_Cheat_Sheet.html',
    ],
  },
});

/** A cookie is sent to all pages: those that show it are places of one weakness, whichever visitor is shown them. */
const ofSite = (candidate: Candidate<Carried>): Candidate<Carried> =>
  candidate.location.parameterIn === 'cookie' ? { ...candidate, route: '/' } : candidate;

function experimentFor({ input, shape }: Carried, { value, clicks = [] }: Payload): Experiment {
  const ran = [
    claim('browser:dialogs', 'matches', dialogPattern('‹nonce›'), 'The page opened a dialog with the nonce.'),
  ];
  const shown = (sent: string, notes: { sent: string; shown: string }): Step[] => [
    ...inputSteps(input, inputAction(input, sent), {
      note: notes.sent,
      expect: [claim('body', 'contains', '‹nonce›')],
      capture: [{ name: 'answer', subject: 'body', pattern: '(?s)^.*$' }],
    }),
    {
      browser: { url: answerPage(input), page: '‹answer›', ...(clicks.length > 0 ? { clicks: [...clicks] } : {}) },
      note: notes.shown,
      expect: ran,
    },
  ];
  return {
    steps: shown(value, {
      sent: 'The answer has the value in it.',
      shown: 'A browser that is given this answer runs the script in it.',
    }),
    control: shown(shaped(shape, '‹nonce›'), {
      sent: 'The same with the nonce alone.',
      shown: 'Without script around it nothing is run.',
    }),
  };
}
