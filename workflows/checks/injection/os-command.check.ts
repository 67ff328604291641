import type { Experiment } from '../../model/experiment.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { namesFile } from '../files/traversal-payloads.ts';
import { type Awaited, type CallbackWay, calledExperiment, heard, sendWays } from '../inputs/callback-look.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { inputsToProbe } from '../inputs/probe-inputs.ts';
import {
  type Calculating,
  calculatingIn,
  callingIn,
  delayingIn,
  delayingTogether,
  openedIn,
  sparselyDelayingIn,
} from './command-payloads.ts';
import { computedBy, computedExperiment } from './computed-result.ts';
import { mayBeInShell, unlessKnownDataOnly, unlessLookedUp } from './data-only.ts';
import { delayingHeaders } from './delaying-headers.ts';
import { type Delayed, delayExperiment, delayedBy, mayDelay } from './delays.ts';
import { commandAt, isOfAnother, mayBeCommand } from './interpreters.ts';
import { fewOfKind, lookAtEach } from './look-at-each.ts';
import { givenValue, makesNoDifference, showsUnparsable } from './unparsable.ts';

type RunCommand = { input: OpenedInput; detail: string } & (
  | { calculating: Calculating }
  | { delayed: Delayed }
  | { way: CallbackWay }
);

const maxInputs = 300;

/** A command in a value is run by a shell of the server. Source: CWE-78, WSTG-INPV-12. */
export const osCommand = defineCheck<RunCommand>({
  id: 'injection.os-command',
  title: 'OS command injection',
  cwe: 78,
  owasp: 'A05:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',
  cost: 20,

  async detect(context) {
    const inputs = inputsToProbe(context.surface);
    const headers = await lookInHeaders(context);
    if (inputs.length === 0 && headers.candidates.length === 0)
      return notApplicable('No page takes a value that may be changed.');
    const each = unlessLookedUp<RunCommand | Awaited<CallbackWay>>(context, async (input) => {
      if (await isOfAnother(context, input, ['shell'])) return undefined;
      return (await look(context, input)) ?? sendWays(context, input, callingIn(input, context.callbacks?.host));
    });
    const eachName = async (input: OpenedInput) => (await lookAtName(context, input)) ?? each(input);
    const looked = await lookAtEach<RunCommand | Awaited<CallbackWay>>(context, inputs, maxInputs, eachName, fewOfKind);
    const all = {
      candidates: [...looked.candidates, ...headers.candidates],
      omitted: [...looked.omitted, ...headers.omitted],
    };
    return heard<RunCommand, CallbackWay>(context, all, (called) => ({
      ...called,
      detail: 'A command of ours called a listener of the audit.',
    }));
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The value becomes part of a command line. What follows it there is run by the shell of the server as a command of its own: one that calculates prints its result in the page, or one that waits delays the answer by the time that the value asks for, or one that fetches an address calls the listener of the audit.',
    impact:
      'Whoever can send the value runs any program with the rights of the application: reads its files, settings and keys, changes its data, and goes on to other systems from there.',
    sends:
      'Sends each input, and headers that are logged, commands behind the value that print a product of two random numbers, for sh, PowerShell and cmd.exe, in and out of quotes, ones that wait for up to four seconds, and ones that fetch an address of our listener. They read nothing and change nothing.',
    proves:
      'The product stands in the page between two random words, or answers follow delays in random order, or our listener is called; the same words without the signs of a command print and call nothing, and a misspelt program delays nothing. A command of ours ran on the server.',
    remedy:
      'Do without a shell: give the program and its arguments as a list, `execFile("ping", ["-c", "1", host])` (Node), `subprocess.run(["ping", "-c", "1", host])` (Python), `proc_open(["ping", "-c", "1", $host], …)` (PHP), `new ProcessBuilder("ping", "-c", "1", host)` (Java); better a library than a program. Accept only what the value has to be, an address or a name, and nothing that begins with a dash.',
    references: [
      'CWE-78: https://cwe.mitre.org/data/definitions/78.html',
      'WSTG-INPV-12: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/12-Testing_for_Command_Injection',
      'OWASP OS Command Injection Defense Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/OS_Command_Injection_Defense_Cheat_Sheet.html',
    ],
  },
});

/** What opens files by their names takes some for commands, and looks others up unchanged. */
async function lookAtName(context: CheckContext, input: OpenedInput): Promise<RunCommand | undefined> {
  if (input.in === 'header' || !namesFile(input.in === 'path' ? '' : input.parameter, input.sample)) return undefined;
  if (await makesNoDifference(context, input)) return undefined;
  const look = unlessKnownDataOnly(context, (each) => computedBy(context, each, openedIn(givenValue(each))));
  const calculating = /^\d+$/.test(input.sample) ? undefined : await look(input);
  return calculating && { input, calculating, detail: `The value is ${calculating.where}.` };
}

async function look(context: CheckContext, input: OpenedInput): Promise<RunCommand | undefined> {
  const calculating = (await mayBeCommand(context, input)) ? await calculatedAt(context, input) : undefined;
  if (calculating)
    return { input, calculating, detail: `The value stands in the command line of ${calculating.where}.` };
  return lookForDelay(context, input);
}

const calculatedAt = async (context: CheckContext, input: OpenedInput): Promise<Calculating | undefined> =>
  (await commandAt(context, input)) ?? computedBy(context, input, calculatingIn(givenValue(input)).slice(1));

/** Where no page shows anything of a header, only delays are evidence. A line break ends a header. */
async function lookInHeaders(context: CheckContext) {
  const late = await delayingHeaders(context, delayingTogether('1').slice(0, 1));
  return lookAtEach<RunCommand>(context, late, maxInputs, (input) => lookForDelay(context, input), fewOfKind);
}

async function lookForDelay(context: CheckContext, input: OpenedInput): Promise<RunCommand | undefined> {
  const sample = givenValue(input);
  const refusesQuotes = input.in !== 'header' && (await showsUnparsable(context, input));
  if (refusesQuotes && !(await mayBeInShell(context, input))) return undefined;
  // Filters that refuse some of the signs refuse all of them together.
  if (!refusesQuotes && input.in !== 'header' && !(await mayDelay(context, input, delayingTogether(sample))))
    return undefined;
  const delayed = await delayedBy(context, input, [
    ...delayingIn(sample),
    ...(refusesQuotes ? sparselyDelayingIn(sample) : []),
  ]);
  if (!delayed) return undefined;
  return { input, delayed, detail: `The value stands in the command line of ${delayed.delaying.where}.` };
}

const experimentFor = (run: RunCommand): Experiment =>
  'way' in run
    ? calledExperiment(run, {
        sent: 'A command behind the value fetches an address of the listener with a random word that nothing else contains.',
        called: 'The server calls that address.',
        control: 'The same words without the signs of a command are text.',
      })
    : 'delayed' in run
      ? delayExperiment(run.input, run.delayed)
      : computedExperiment(run.input, run.calculating, run.calculating.inert, {
          computed: 'A command behind the value is run: it prints the product of two numbers.',
          result: 'What the command prints, which stands nowhere in the request.',
          control: 'The same words without the signs of a command are text.',
        });
