import type { Candidate } from '../../model/candidate.ts';
import { defineCheck, notApplicable } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { openInput } from '../inputs/open-input.ts';
import { type Delayed, delayExperiment, delayedBy } from './delays.ts';
import { revivingFiles } from './serialized-calls.ts';
import { maxForms, storingUploads, type Taking, takingFormsApart, uploadingExperiment } from './upload-forms.ts';

type RevivedFile = Taking & { opened: OpenedInput; delayed: Delayed };

/** A file is made an object of by a format whose texts can call functions. Source: CWE-502, WSTG-INPV-11. */
export const fileDeserialization = defineCheck<RevivedFile>({
  id: 'injection.file-deserialization',
  weakness: 'injection.deserialization',
  title: 'Insecure deserialization of an uploaded file (functions of the file are called)',
  cwe: 502,
  owasp: 'A08:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  depth: 'deep',
  risk: 'caution',
  cost: 10,

  async detect(context) {
    if (context.writes !== 'create')
      return notApplicable('Files that are sent stay, which only a scope with "writes": "create" allows.');
    const fitting = (await takingFormsApart(context)).filter((form) => kindsFor(form).length > 0);
    const forms = likeliest(context, fitting, maxForms, 'forms that take a file');
    if (forms.length === 0) return notApplicable('No form takes a file that an object may be made of.');
    const found: Candidate<RevivedFile>[] = [];
    for (const form of forms) {
      const sender = storingUploads(context, form);
      for (const { delaying, name, type } of kindsFor(form)) {
        const opened = await openInput(sender, { ...form.input, inFile: { name, type } });
        const delayed = await delayedBy(sender, opened, [delaying]);
        if (!delayed) continue;
        found.push(candidateFor({ ...form, opened, delayed }));
        break;
      }
    }
    return found;
  },

  confirm: (_context, { data }) => data && uploadingExperiment(data, delayExperiment(data.opened, data.delayed)),

  explain: {
    description:
      'The server makes an object of a file that a visitor sends, by a format whose texts name functions to call: a pickle or a YAML document of Python, or JSON with functions of Node. A function that a file of ours named was called: the answer waited for it.',
    impact:
      'Whoever can send the file calls any function with the rights of the application: runs programs, reads its files, settings and keys, changes its data, and goes on to other systems from there.',
    sends:
      'Only with `writes: "create"`: sends forms that take files of data, or any files, an empty one and up to three (pickle, YAML, JSON) that name a function that waits for two seconds, and those of a proof. The files may stay, recorded before they are sent.',
    proves:
      'The answers to four files follow the delays in them, in random order; with the name of the function misspelt nothing waits. A function that the file named was called.',
    remedy:
      'Take files in a format that has data only, and check their shape: `yaml.safe_load` instead of `yaml.load` with another loader, `json.loads` with a schema instead of `pickle.load` (Python), `JSON.parse` instead of `node-serialize` (Node). Models of machine learning have formats without code: safetensors, ONNX.',
    references: [
      'CWE-502: https://cwe.mitre.org/data/definitions/502.html',
      'OWASP Deserialization Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/Deserialization_Cheat_Sheet.html',
    ],
  },
});

/** What is looked at, printed or heard, and no object is made of. */
const media =
  /image|video|audio|photo|picture|avatar|icon|logo|\.(?:png|jpe?g|gif|webp|svg|pdf|docx?|xlsx?|csv|mp[34]|zip|tar|t?gz|xml)\b/i;

/** Kinds of files for a form by what it says to take; all of them where it does not say, and is for no media. */
function kindsFor({ accept, called }: Pick<Taking, 'accept' | 'called'>) {
  const isOpen = accept === '' || accept === '*/*';
  const hint = isOpen ? called : accept;
  const named = revivingFiles.filter((kind) => kind.called.test(hint));
  const kinds = named.length > 0 ? named : media.test(hint) ? [] : revivingFiles;
  const endings = isOpen ? [] : (accept.match(/(?<=\.)\w{1,12}\b/g) ?? []);
  return kinds.map(({ ending, type, called: own, delaying }) => ({
    delaying,
    type,
    name: `‹nonce3›.${endings.find((each) => own.test(`.${each}`)) ?? endings[0] ?? ending}`,
  }));
}

function candidateFor(revived: RevivedFile): Candidate<RevivedFile> {
  const { input, identity, needs, delayed } = revived;
  const who = identity === '' ? 'Anybody' : `The test identity "${identity}"`;
  return {
    location: { url: input.url, method: 'POST', parameter: input.parameter, parameterIn: 'body' as const },
    route: input.route,
    detail: `${who} sends a file that is read as ${delayed.delaying.where}.`,
    cvss: `CVSS:3.1/AV:N/AC:L/PR:${needs}/UI:N/S:U/C:H/I:H/A:H`,
    data: revived,
  };
}
