import { claim, type Experiment } from '../../model/experiment.ts';
import { firstMatch } from '../../proof/pattern.ts';
import { newTrialValues } from '../../proof/template.ts';
import { mayBeFetched } from '../addresses/loopback-addresses.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { type KnownFile, unixFiles } from '../files/traversal-payloads.ts';
import { inputAction, type OpenedInput } from '../inputs/input-request.ts';
import { inputSteps, sendInput } from '../inputs/open-input.ts';
import { inputsToProbe } from '../inputs/probe-inputs.ts';
import { unlessDataOnly } from './data-only.ts';
import { fewOfKind, lookAtEach } from './look-at-each.ts';
import { makesNoDifference } from './unparsable.ts';
import { mayBeWritten } from './written-files.ts';

/**
 * @property write puts a path among the arguments of a program
 * @property isForAddresses only programs that fetch addresses take it
 */
type Arguments = { what: string; write(path: string): string; isForAddresses?: true };
type ReadArgument = { input: OpenedInput; file: KnownFile; given: Arguments; detail: string };

const maxInputs = 300;

const ways: readonly Arguments[] = [
  {
    what: 'Words of the value are arguments of their own: the second one names a file',
    write: (path) => `root ${path}`,
  },
  { what: 'The value is taken for an option that names a file', write: (path) => `-f${path}` },
  {
    what: 'Words of the value are conditions and actions of a search for files: one runs a program that prints a file',
    // What the program puts behind the value belongs to the last word; without a depth all files that it meets would be printed.
    write: (path) => `root -maxdepth 0 -o -exec cat ${path} {} + -o -name root`,
  },
  {
    what: 'Words of the value are addresses of their own: the second one is that of a file',
    write: (path) => `http://‹nonce›.invalid file://${path}`,
    isForAddresses: true,
  },
];

/** Words of a value become arguments of a program of the server. Source: CWE-88, WSTG-INPV-12. */
export const programArguments = defineCheck<ReadArgument>({
  id: 'injection.program-arguments',
  weakness: 'injection.os-command',
  title: 'Argument injection: a value adds arguments to a program',
  cwe: 88,
  owasp: 'A05:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',
  cost: 10,

  async detect(context) {
    const inputs = inputsToProbe(context.surface).filter(
      ({ in: place, sample, encoded }) => !encoded && (place === 'query' || place === 'body') && !/^\d+$/.test(sample),
    );
    if (inputs.length === 0) return notApplicable('No page takes a text that may be changed.');
    const each = unlessDataOnly<ReadArgument>(context, (input) => look(context, input));
    return lookAtEach(context, inputs, maxInputs, each, fewOfKind);
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'A program of the server is run with the value among its arguments, without a shell, but the value is divided at its spaces, or may begin with a dash: further words of it are files or options for that program. A file that every system has was read in this way.',
    impact:
      'Everybody can read what the server’s account can: source code, settings with passwords and keys. Many programs have options that write files or run other programs.',
    sends:
      'Sends each input that takes a text `root /etc/passwd`, `-f/etc/passwd` and an `-exec cat` for `find`, those that take an address `file:///etc/passwd` as a second word: each reads a file that every system has.',
    proves:
      'The answer has the form of that system file, which the site’s own value does not show; the same words with a path that leads nowhere do not show it. An attacker reads files of the server.',
    remedy:
      'Give the whole value as one argument, behind `--`, which ends the options: `execFile("grep", ["-i", "--", words, "poems.txt"])` (Node), `subprocess.run(["grep", "-i", "--", words, "poems.txt"])` (Python). Better, do without a program, or accept letters and digits only.',
    references: [
      'CWE-88: https://cwe.mitre.org/data/definitions/88.html',
      'WSTG-INPV-12: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/12-Testing_for_Command_Injection',
    ],
  },
});

async function look(context: CheckContext, input: OpenedInput): Promise<ReadArgument | undefined> {
  const ask = async (value: string) =>
    (await sendInput(context, input, inputAction(input, value), newTrialValues(context.nonce))).text;
  if (await makesNoDifference(context, input)) return undefined;
  const base = await ask(input.sample);
  // What writes to the files that it is given would destroy this one.
  if (mayBeWritten(input, base)) return undefined;
  const file = unixFiles.find(({ pattern }) => firstMatch(pattern, base) === undefined);
  const fetches = mayBeFetched(input);
  for (const given of file ? ways.filter(({ isForAddresses }) => fetches || !isForAddresses) : []) {
    const text = await ask(given.write(`/${file?.path}`));
    if (file && firstMatch(file.pattern, text) !== undefined)
      return { input, file, given, detail: `${given.what}, /${file.path}, which the answer shows.` };
  }
  return undefined;
}

function experimentFor({ input, file, given }: ReadArgument): Experiment {
  const shown = claim('body', 'matches', file.pattern, 'It has the form of the file.');
  const step = (value: string, note: string, expected = shown) =>
    inputSteps(input, inputAction(input, value), { note, expect: [expected] });
  return {
    steps: [
      ...step(
        input.sample,
        "With the site's own value the answer has nothing of the file.",
        claim('body', 'not-matches', file.pattern),
      ),
      ...step(given.write(`/${file.path}`), `${given.what}, and the answer shows it.`),
    ],
    control: step(given.write(`/${file.nowhere}`), 'The same with a path that leads nowhere shows nothing of it.'),
  };
}
