import type { Experiment } from '../../model/experiment.ts';
import { ProbeError } from '../../model/probe-error.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { inputsToProbe } from '../inputs/probe-inputs.ts';
import { type CalledFunction, functionCalls, namesFunction, withArgument } from './chosen-functions.ts';
import { computedBy, computedExperiment } from './computed-result.ts';
import { fewOfKind, lookAtEach } from './look-at-each.ts';

type ChosenFunctionPlace = { input: OpenedInput; called: CalledFunction; detail: string; cvss?: string };

const maxInputs = 60;

/** A value names the function that the application calls, of all that its language has. Source: CWE-470, WSTG-INPV-11. */
export const chosenFunction = defineCheck<ChosenFunctionPlace>({
  id: 'injection.chosen-function',
  title: 'Unsafe reflection (a value names the function that is called)',
  cwe: 470,
  owasp: 'A05:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',
  cost: 5,

  async detect(context) {
    const inputs = inputsToProbe(context.surface).filter(namesFunction);
    if (inputs.length === 0) return notApplicable('No input looks like the name of a function.');
    return lookAtEach(context, inputs, maxInputs, (input) => look(context, input), fewOfKind);
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The value names a function, which the application looks up among all that its language has and calls, with another value as its argument or without any.',
    impact:
      'Whoever can send the value calls any function with the rights of the application: one that runs programs or evaluates code reads files, settings and keys, changes data, and goes on to other systems from there.',
    sends:
      'Sends inputs whose name or value is that of a function names of functions that run a command or evaluate code, with a text beside them that prints a product of two random numbers, and `phpinfo`. They read and change nothing.',
    proves:
      'The product stands between two random words in the page, or the page that only `phpinfo` gives; with the name of the function misspelt it does not. A function that the value named was called.',
    remedy:
      'Look the name up in a table of your own: `$formats = ["upper" => "strtoupper"]; ($formats[$name] ?? "trim")($text)` (PHP), `FORMATS.get(name, str.strip)(text)` (Python), `new Map([["upper", upper]]).get(name)` (Node). Names of functions that are refused are no remedy.',
    references: [
      'CWE-470: https://cwe.mitre.org/data/definitions/470.html',
      'WSTG-INPV-11: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/11-Testing_for_Code_Injection',
    ],
  },
});

async function look(context: CheckContext, given: OpenedInput): Promise<ChosenFunctionPlace | undefined> {
  for (const called of functionCalls(given)) {
    const input = withArgument(given, called);
    if (await computedBy(context, input, [called]).catch(unlessRefused))
      return {
        input,
        called,
        detail: `The value names the function ${called.value}, which is called.`,
        ...harmOf(called),
      };
  }
  return undefined;
}

/** Names that say that something is done are not sent in every place. */
function unlessRefused(error: unknown): undefined {
  if (error instanceof ProbeError && error.code === 'refused') return undefined;
  throw error;
}

/** What takes no argument shows settings. */
const harmOf = ({ argument }: CalledFunction): Pick<ChosenFunctionPlace, 'cvss'> =>
  argument === undefined ? { cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:L/A:L' } : {};

const experimentFor = ({ input, called }: ChosenFunctionPlace): Experiment =>
  computedExperiment(input, called, called.broken, {
    computed: 'The value is the name of a function of the language.',
    result: 'What only that function gives.',
    control: 'With the name misspelt there is no such result.',
  });
