import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import type { InputSurface, Surface } from '../../model/surface.ts';
import { fill, newTrialValues } from '../../proof/template.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { canaryAt, canaryPlaces } from '../inputs/canary.ts';
import { inputAction, type OpenedInput } from '../inputs/input-request.ts';
import { inputSteps, sendInput } from '../inputs/open-input.ts';
import { rootPath } from '../inputs/path-inputs.ts';
import { carriedByOthers, inputsToProbe } from '../inputs/probe-inputs.ts';
import { unlessBroken } from './computed-result.ts';
import { cheapLook, lookAtEach } from './look-at-each.ts';

type Split = { input: OpenedInput; lineEnd: string };

const maxInputs = 300;

const lineEnds = [
  '\r\n',
  // and ways past a look for line ends in the value:
  // decoded once more by the application
  '%0d%0a',
  // characters whose low bytes are CR and LF, for servers that keep one byte of each
  '\u560d\u560a',
  // one of two is taken out
  '\r\r\n\n',
  '\n',
];

/** A line end in a value begins a header of the answer. Source: CWE-113, WSTG-INPV-15. */
export const crlf = defineCheck<Split>({
  id: 'injection.crlf',
  title: 'CRLF injection (HTTP response splitting)',
  cwe: 113,
  owasp: 'A05:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',

  async detect(context) {
    const inputs = [...rootsOf(context.surface), ...inputsToProbe(context.surface).filter(carriedByOthers)];
    if (inputs.length === 0) return notApplicable('No page takes a value that may be changed.');
    return lookAtEach(
      context,
      inputs,
      maxInputs,
      async (input) => {
        const lineEnd = await look(context, input);
        return lineEnd === undefined ? undefined : { input, lineEnd };
      },
      cheapLook,
    );
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The value becomes part of a header of the answer, and a line end in it is kept. What follows the line end is a header of its own.',
    impact:
      'A link can make the site set a cookie, send visitors elsewhere, or, with two line ends, answer with a page of the link’s author, which runs as part of the site. A cache in between may keep that answer for everybody.',
    sends:
      'Sends a random word in each input, and five line ends with a random header in those that come back in a header.',
    proves:
      'The answer has the random header; with a space in place of the line end it has not. An attacker’s link sets headers, and by them cookies or the page.',
    remedy:
      'Use a server or framework that refuses line ends in headers (all current ones do; do not write headers to the socket yourself), and encode values that go into them: `Location: /search?q=` + `encodeURIComponent(q)`. nginx: `return 301 https://$host$request_uri;`, not `$uri`, which is decoded. Decode values once only.',
    references: [
      'CWE-113: https://cwe.mitre.org/data/definitions/113.html',
      'RFC 9110 §5.5: https://www.rfc-editor.org/rfc/rfc9110#section-5.5',
      'WSTG-INPV-15: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/15-Testing_for_HTTP_Splitting_Smuggling',
    ],
  },
});

/** Redirects to another scheme or host repeat the path. */
const rootsOf = ({ origins }: Surface): InputSurface[] => origins.map(({ origin }) => rootPath(origin));

/** The site's own value stays in front: a filter on the beginning of a value lets it pass. */
const valueWith = ({ sample }: InputSurface, lineEnd: string): string =>
  `${sample}‹nonce›${lineEnd}X-‹nonce2›: ‹nonce3›`;

/** @returns the line end that makes a header */
async function look(context: CheckContext, input: OpenedInput): Promise<string | undefined> {
  if (!(await isInHeader(context, input))) return undefined;
  for (const lineEnd of lineEnds) if (await splits(context, input, lineEnd)) return lineEnd;
  return undefined;
}

/** Only what is part of a header can end it. */
async function isInHeader(context: CheckContext, input: OpenedInput): Promise<boolean> {
  for (const before of canaryPlaces(input)) {
    const { word, exchange } = await canaryAt(context, input, before);
    if (exchange.headers.some(([, value]) => value.includes(word))) return true;
  }
  return false;
}

async function splits(context: CheckContext, input: OpenedInput, lineEnd: string): Promise<boolean> {
  const values = newTrialValues(context.nonce);
  // A lone line feed may break the answer for strict readers.
  const sent = inputAction(input, valueWith(input, lineEnd));
  const answer = await sendInput(context, input, sent, values).catch(unlessBroken);
  return answer?.header(fill('X-‹nonce2›', values))?.startsWith(fill('‹nonce3›', values)) ?? false;
}

function experimentFor({ input, lineEnd }: Split): Experiment {
  const step = (value: string, note: string): Step[] =>
    inputSteps(input, inputAction(input, value), {
      note,
      expect: [claim('header:x-‹nonce2›', 'matches', '^‹nonce3›', 'The answer has a header of our making.')],
    });
  return {
    steps: step(valueWith(input, lineEnd), 'What follows a line end in the value is a header of the answer.'),
    control: step(valueWith(input, ' '), 'The same with a space in its place is none.'),
  };
}
