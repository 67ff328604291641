import type { Candidate } from '../../model/candidate.ts';
import type { InputSurface } from '../../model/surface.ts';
import { takesUpload } from '../../probe/gate/structure.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { openInput } from '../inputs/open-input.ts';
import { type Delayed, type Delaying, delayExperiment, delayedBy } from './delays.ts';
import { fileNames } from './file-names.ts';
import { maxForms, privilegesOf, sendersOf, storingUploads, type Taking, uploadingExperiment } from './upload-forms.ts';

type NamedUpload = Pick<Taking, 'identity' | 'needs' | 'pageUrl'> & { input: InputSurface };
type RunName = NamedUpload & { opened: OpenedInput; delayed: Delayed };

/** The name of a file that is sent stands in a command line. Source: CWE-78, WSTG-INPV-12. */
export const fileNameCommand = defineCheck<RunName>({
  id: 'injection.file-name-command',
  weakness: 'injection.os-command',
  title: 'OS command injection in the name of an uploaded file',
  cwe: 78,
  owasp: 'A05:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  depth: 'deep',
  risk: 'caution',
  cost: 10,

  async detect(context) {
    if (context.writes !== 'create')
      return notApplicable('Files that are sent stay, which only a scope with "writes": "create" allows.');
    const uploads = likeliest(context, namedUploads(context), maxForms, 'forms that take a file');
    if (uploads.length === 0) return notApplicable('No form takes a file.');
    const found: Candidate<RunName>[] = [];
    for (const upload of uploads) {
      const sender = storingUploads(context, upload);
      const opened = await openInput(sender, upload.input);
      const delayed = await delayedBy(sender, opened, delayingNames);
      if (delayed) found.push(candidateFor({ ...upload, opened, delayed }));
    }
    return found;
  },

  confirm: (_context, { data }) => data && uploadingExperiment(data, delayExperiment(data.opened, data.delayed)),

  explain: {
    description:
      'The name of a file that a visitor sends becomes part of a command line, of a program that converts, measures or scans it. What follows the name there is run by the shell of the server as a command of its own.',
    impact:
      'Whoever can send a file runs any program with the rights of the application: reads its files, settings and keys, changes its data, and goes on to other systems from there.',
    sends:
      'Only with `writes: "create"`: sends each form that takes a file a small one under up to five names with a command that waits for two seconds, and those of a proof. The files may stay, recorded before they are sent.',
    proves:
      'The answers to four files follow the delays in their names, in random order; a misspelt program delays nothing. A command of ours ran on the server.',
    remedy:
      'Keep files under names of your own (`crypto.randomUUID()`), and the name of the visitor only as text in the database. Give programs their arguments as a list, without a shell: `execFile("ffprobe", [path])` (Node), `subprocess.run(["ffprobe", path])` (Python), `proc_open(["ffprobe", $path], …)` (PHP).',
    references: [
      'CWE-78: https://cwe.mitre.org/data/definitions/78.html',
      'OWASP OS Command Injection Defense Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/OS_Command_Injection_Defense_Cheat_Sheet.html',
      'OWASP File Upload Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/File_Upload_Cheat_Sheet.html',
    ],
  },
});

const typed = /^(?:text|search|textarea|url|email|tel)$/;

/** The names of files of all forms that take one, each once, as the first visitor who is shown it. */
function namedUploads(context: CheckContext): NamedUpload[] {
  const all = sendersOf(context).flatMap((identity) =>
    (identity === '' ? context.surface : (context.surfaces[identity] ?? context.surface)).forms
      .filter((form) => form.method === 'POST' && takesUpload(form))
      .flatMap((form) =>
        fileNames(form, typed).map((input) => ({
          ...{ identity, needs: privilegesOf(context, identity), pageUrl: form.pageUrl, input },
        })),
      ),
  );
  const names = all.filter(({ input: { parameter, file } }) => parameter === file?.field);
  return [...new Map(names.toReversed().map((each) => [`${each.input.route} ${each.input.parameter}`, each])).values()];
}

const gap = '$' + '{IFS}';

/**
 * Names are cut at slashes, browsers write double quotes and line breaks in another way, and filters take out spaces more often than
 * signs of variables. What stands behind the last sign is the ending.
 */
const delayingNames: Delaying[] = (
  [
    ['behind a semicolon', (sleep, n) => `audit;${sleep}${gap}${n};a`],
    ['in a command substitution', (sleep, n) => `audit$(${sleep}${gap}${n})`],
    ['behind a pipe, with spaces', (sleep, n) => `audit|${sleep} ${n}|a`],
    ['in single quotes', (sleep, n) => `audit';${sleep} ${n};'`],
    ['between backticks', (sleep, n) => `audit\`${sleep} ${n}\``],
  ] as const satisfies readonly (readonly [string, (sleep: string, n: string) => string])[]
).map(([where, write]) => ({
  where: `sh, ${where}`,
  value: (seconds) => write('sleep', seconds),
  broken: (seconds) => write('sleepq', seconds),
}));

function candidateFor(run: RunName): Candidate<RunName> {
  const { input, identity, needs, delayed } = run;
  const who = identity === '' ? 'Anybody' : `The test identity "${identity}"`;
  return {
    location: { url: input.url, method: 'POST', parameter: input.parameter, parameterIn: 'body' as const },
    route: input.route,
    detail: `${who} sends a file whose name stands in the command line of ${delayed.delaying.where}.`,
    cvss: `CVSS:3.1/AV:N/AC:L/PR:${needs}/UI:N/S:U/C:H/I:H/A:H`,
    data: run,
  };
}
