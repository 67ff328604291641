import type { Experiment } from '../../model/experiment.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { inputAction, type OpenedInput } from '../inputs/input-request.ts';
import { inputsToProbe } from '../inputs/probe-inputs.ts';
import { unlessDataOnly } from './data-only.ts';
import { type DecidedPage, decidedPage, pageExperiment } from './decided-page.ts';
import { aboveExperiment, added, cutOff, overriding, type ReadAbove, readAbove } from './inner-requests.ts';
import { fewOfKind, lookAtEach } from './look-at-each.ts';
import { steadyAskerOf } from './plain-again.ts';
import { isKnown } from './unparsable.ts';

type PollutedAddress = { input: OpenedInput; detail: string; cvss?: string } & (
  | { above: ReadAbove }
  | { overridden: DecidedPage }
  | { parts: DecidedPage[] }
);

const maxInputs = 300;
/** What can be done with further parameters depends on the inner service. */
const partsOnly = 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:N/A:N';
const overridingOnly = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N';

/** A value becomes part of the address of a request that the server sends to another service. Source: CWE-116, WSTG-INPV-04. */
export const parameterPollution = defineCheck<PollutedAddress>({
  id: 'injection.parameter-pollution',
  title: 'Server-side parameter pollution',
  cwe: 116,
  owasp: 'A05:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',
  cost: 5,

  async detect(context) {
    const inputs = inputsToProbe(context.surface).filter(isKnown);
    if (inputs.length === 0) return notApplicable('No page has a value of its own that may be changed.');
    return lookAtEach(
      context,
      inputs,
      maxInputs,
      unlessDataOnly(context, (input) => look(context, input)),
      fewOfKind,
    );
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The server puts the value into the address of a request to a service of its own, and does not encode it. Signs that have a meaning there end the value: `../` leads to other addresses of that service, `&` adds a parameter or takes the place of one, `#` cuts off what follows.',
    impact:
      'Inner services trust whoever reaches them. An attacker asks them for what the site never asks for: other paths, among them those of an administration, other accounts, other rights.',
    sends:
      'Sends inputs that have a value of the site’s own that value with `&` and a parameter, with `#`, and behind a step into a folder and out of it; where that changes nothing, steps out of the folder that is meant to the root and eight usual names of services. They only read.',
    proves:
      'The answer shows what stands above the folder that is meant, and not for a name that nothing has; or `&` with the parameter puts our value in the place of the first; or `&` and `#` end the value. With `$` or `!` in their place none does, twice each.',
    remedy:
      'Encode each part that goes into an address: `encodeURIComponent(id)` or `new URLSearchParams({ id })` (JavaScript), `quote(id, safe="")` (Python), `rawurlencode($id)` (PHP), `UriComponentsBuilder` with variables (Java), `url.PathEscape` (Go); and accept only what an identifier may be made of.',
    references: [
      'CWE-116: https://cwe.mitre.org/data/definitions/116.html',
      'WSTG-INPV-04: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/04-Testing_for_HTTP_Parameter_Pollution',
    ],
  },
});

async function look(context: CheckContext, input: OpenedInput): Promise<PollutedAddress | undefined> {
  // What is stored decides nothing of a page.
  if (input.isStored) return undefined;
  const ask = steadyAskerOf(context, input);
  const decidedBy = (comparisons: typeof added) => decidedPage(ask, [input.sample], comparisons);
  const above = await readAbove(ask, input.sample);
  if (above && !(await isOwnPage(context, input, above)))
    return { input, above, detail: `With ${above.path} the server reads what is above the address that is meant.` };
  const name = input.in === 'path' ? undefined : /[\w-]+$/.exec(input.parameter)?.[0];
  const overridden = name === undefined ? undefined : await decidedBy(overriding(name));
  if (overridden)
    return {
      ...{ input, overridden, cvss: overridingOnly },
      detail: 'A second parameter behind the value takes the place of the first in a request of the server.',
    };
  const parts: DecidedPage[] = [];
  for (const comparisons of [added, cutOff]) {
    const part = await decidedBy(comparisons);
    if (!part) return undefined;
    parts.push(part);
  }
  return { input, parts, cvss: partsOnly, detail: 'The value ends at signs that end one in an address.' };
}

/**
 * Servers that resolve encoded steps in the path of what they are asked for show their own page at the address that results, or one that
 * it leads on to: the last step may leave an empty part.
 */
async function isOwnPage({ http }: CheckContext, input: OpenedInput, { path, markers }: ReadAbove): Promise<boolean> {
  if (input.in !== 'path') return false;
  const address = new URL(inputAction(input, path).url.replace(/%2f/gi, '/'));
  address.pathname = address.pathname.replace(/\/{2,}/g, '/');
  const { text } = await http.get(address.href, { maxRedirects: 3 });
  return markers.every((marker) => text.includes(marker));
}

function experimentFor({ input, ...found }: PollutedAddress): Experiment {
  if ('above' in found) return aboveExperiment(input, found.above);
  if ('overridden' in found)
    return pageExperiment(input, found.overridden, {
      language: 'address',
      whenTrue: 'With the parameter once more behind an unknown value, the page shows what the second one stands for.',
      whenFalse: 'With another sign in the place of the ampersand it is a part of the unknown value.',
      broken: 'So it is with a third sign.',
    });
  const experiments = found.parts.map((part) =>
    pageExperiment(input, part, {
      language: 'address',
      whenTrue: 'What follows a sign that ends a value in an address is no part of it.',
      whenFalse: 'What follows another sign is: nothing is known by that value.',
      broken: 'So it is with a third sign.',
    }),
  );
  return {
    steps: experiments.flatMap(({ steps }) => steps),
    control: experiments[0]?.control ?? [],
  };
}
