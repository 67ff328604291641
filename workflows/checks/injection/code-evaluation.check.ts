import type { Experiment } from '../../model/experiment.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { inputsToProbe } from '../inputs/probe-inputs.ts';
import type { Evaluating } from './code-payloads.ts';
import { computedExperiment } from './computed-result.ts';
import { unlessLookedUp } from './data-only.ts';
import { delayingCode } from './delaying-code.ts';
import { type Delayed, type Delaying, delayExperiment, delayedBy } from './delays.ts';
import { codeAt, isCodeOf, languageOf, mayBeCode } from './evaluated-code.ts';
import { isOfAnother } from './interpreters.ts';
import { fewOfKind, lookAtEach } from './look-at-each.ts';
import { isOnlyRepeated, showsUnparsable } from './unparsable.ts';

type EvaluatedCode = { input: OpenedInput; detail: string } & ({ evaluated: Evaluating } | { delayed: Delayed });

const maxInputs = 300;

/** Code in a value is evaluated by the language that the application is written in. Source: CWE-95, WSTG-INPV-11. */
export const codeEvaluation = defineCheck<EvaluatedCode>({
  id: 'injection.code-evaluation',
  title: 'Code injection (server-side evaluation)',
  cwe: 95,
  owasp: 'A05:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',
  cost: 20,

  async detect(context) {
    const inputs = inputsToProbe(context.surface);
    if (inputs.length === 0) return notApplicable('No page takes a value that may be changed.');
    const language = await languageOf(context);
    if (language !== undefined)
      context.leave({
        code: 'guessed',
        count: inputs.length,
        text: `code of other languages than ${language}, which the site is written in, was not tried`,
      });
    return lookAtEach(
      context,
      inputs,
      maxInputs,
      unlessLookedUp(context, (input) => look(context, input, language)),
      fewOfKind,
    );
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The value becomes part of code that the server evaluates. A function call in it comes back as its result: a product of two random numbers, filled up with zeros by a function that only this language has; or a call that waits delays the answer by the time that the value asks for.',
    impact:
      'Whoever can send the value runs any code with the rights of the application: reads its files, settings and keys, changes its data, runs programs, and goes on to other systems from there.',
    sends:
      'Sends inputs that answer otherwise what cannot be parsed calls that fill up a product of two random numbers, in JavaScript, Python, PHP, Ruby, Perl and Java, in and out of quotes, and calls that wait up to four seconds; with `writes: "create"` also inputs whose answer does not show the value.',
    proves:
      'The padded product stands in the page, or the answers follow delays in random order; with the name of the function misspelt there is no product and nothing waits. A function call of ours ran in the application.',
    remedy:
      'Evaluate nothing that comes from outside. Read data as data: `JSON.parse` instead of `eval` (Node), `ast.literal_eval(text)` (Python), `json_decode($text)` (PHP); choose functions by a table (`operations[name]`), and calculate with a parser of expressions that has no functions. A filter of words is no remedy.',
    references: [
      'CWE-95: https://cwe.mitre.org/data/definitions/95.html',
      'CWE-917: https://cwe.mitre.org/data/definitions/917.html',
      'WSTG-INPV-11: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/11-Testing_for_Code_Injection',
    ],
  },
});

/** @param language whose code alone is sent; that of all when not given */
async function look(
  context: CheckContext,
  input: OpenedInput,
  language: string | undefined,
): Promise<EvaluatedCode | undefined> {
  const signs = await mayBeCode(context, input);
  // Where nothing shows what a value does, time does, and each input takes many requests: on a test system.
  const isBlind =
    signs === undefined &&
    context.writes === 'create' &&
    !(await showsUnparsable(context, input)) &&
    !(await isOnlyRepeated(context, input));
  if ((!signs && !isBlind) || (await isOfAnother(context, input, ['code']))) return undefined;
  const evaluated = signs && (await codeAt(context, input));
  if (evaluated) return { input, evaluated, detail: `The value stands in ${evaluated.where}.` };
  // Texts stand in single quotes more often, and where nothing shows the sign that breaks one, each way takes a request.
  const fits = ({ brokenBy }: Delaying): boolean =>
    brokenBy === undefined || (signs?.has(brokenBy) ?? brokenBy === "'");
  const isSent = isCodeOf(language);
  const delayings = delayingCode(input.sample).filter((each) => isSent(each) && fits(each));
  const delayed = await delayedBy(context, input, delayings);
  if (!delayed && !signs)
    context.leave({
      code: 'guessed',
      count: 1,
      text: 'expressions of Java within texts in double quotes were not tried where no answer shows anything',
    });
  return delayed && { input, delayed, detail: `The value stands in ${delayed.delaying.where}.` };
}

const experimentFor = (run: EvaluatedCode): Experiment =>
  'delayed' in run
    ? delayExperiment(run.input, run.delayed)
    : computedExperiment(run.input, run.evaluated, run.evaluated.broken, {
        computed: 'A function call in the value comes back as its result.',
        result: 'The product of two numbers of the request, filled up with zeros or put between two words by the call.',
        control: 'With the name of the function misspelt there is no such result.',
      });
