import type { Experiment } from '../../model/experiment.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { canaryAt } from '../inputs/canary.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { inputsToProbe } from '../inputs/probe-inputs.ts';
import { computedBy, computedExperiment } from './computed-result.ts';
import { unlessDataOnly } from './data-only.ts';
import { includeDirectives } from './include-directives.ts';
import { fewOfKind, lookAtEach } from './look-at-each.ts';
import type { ExpressionForm } from './template-forms.ts';

type IncludePlace = ExpressionForm & { input: OpenedInput };

const maxInputs = 300;

/** Directives in a value are carried out by the server, or by a cache before it. Source: CWE-97, WSTG-INPV-08. */
export const serverIncludes = defineCheck<IncludePlace>({
  id: 'injection.server-includes',
  title: 'Server-side includes injection (SSI, ESI)',
  cwe: 97,
  owasp: 'A05:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:L/A:N',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',
  cost: 5,

  async detect(context) {
    const inputs = inputsToProbe(context.surface);
    if (inputs.length === 0) return notApplicable('No page takes a value that may be changed.');
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
      'The page repeats the value, and the server, or a cache before it, carries out what stands in it as directives of its own: a variable that the value sets was put out.',
    impact:
      'Whoever can send the value includes files and internal addresses of the server into the page, reads its variables, and where programs may be run by directives, runs them.',
    sends:
      'Sends inputs whose value the page repeats directives that set a variable and put it out, in SSI and in ESI, and one that has a shell multiply two numbers.',
    proves:
      'Two random words stand beside each other that only the directives bring together, or with the product between them; with their names misspelt they do not.',
    remedy:
      'Encode on output: `<` as `&lt;`, so that a value is no markup of any kind. Turn server-side includes off where no page needs them (Apache `Options -Includes`, nginx `ssi off`), and have the cache carry out ESI only in answers that say so (`Surrogate-Control`).',
    references: [
      'CWE-97: https://cwe.mitre.org/data/definitions/97.html',
      'WSTG-INPV-08: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/08-Testing_for_SSI_Injection',
      'ESI Language Specification 1.0: https://www.w3.org/TR/esi-lang',
    ],
  },
});

/** What the page does not repeat as markup, nothing reads in it. */
async function look(context: CheckContext, input: OpenedInput): Promise<IncludePlace | undefined> {
  const { word, exchange } = await canaryAt(context, input);
  const isPage = /html|xml/.test(exchange.header('content-type') ?? 'text/html');
  if (!isPage || !exchange.text.includes(word)) return undefined;
  const found = await computedBy(context, input, includeDirectives);
  return found && { ...found, input };
}

const experimentFor = (place: IncludePlace): Experiment =>
  computedExperiment(place.input, place, place.inert, {
    computed: 'The value has directives that set a variable and put it out.',
    result: 'What was set stands where it was put out.',
    control: 'With the names of the directives misspelt nothing is put out.',
  });
