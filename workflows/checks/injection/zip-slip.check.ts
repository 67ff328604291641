import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import { ProbeError } from '../../model/probe-error.ts';
import { inZip } from '../../proof/plain-zip.ts';
import { fill, newTrialValues } from '../../proof/template.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import type { OpenedInput, UploadedFile } from '../inputs/input-request.ts';
import { inputSteps, openInput, requestOfInput } from '../inputs/open-input.ts';
import { contextOf } from './plant.ts';
import { maxForms, sending, type Taking, takingForms } from './upload-forms.ts';
import { addressesIn, keptFile, pagesWithFiles } from './upload-places.ts';

/** A form that unpacks archives, and the address of the folder in which their files are found, with its slash. */
type Unpacking = Taking & { folder: string; viewer: string };

const takesArchives = ({ accept, called }: Taking): boolean => /zip|archive|compressed/i.test(`${accept} ${called}`);

const [file, word] = ['‹nonce3›.txt', '‹nonce›'];
const archive = (name: string): UploadedFile => ({
  name: '‹nonce4›.zip',
  type: 'application/zip',
  content: inZip([{ name, content: word }]),
});

/** An archive's file whose name leads out of its folder is written there. Source: CWE-22, Snyk "Zip Slip" (2018). */
export const zipSlip = defineCheck<Unpacking>({
  id: 'injection.zip-slip',
  title: 'Path traversal in an archive (Zip Slip)',
  cwe: 22,
  owasp: 'A01:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:H/A:N',
  depth: 'deep',
  risk: 'caution',
  cost: 20,

  async detect(context) {
    if (context.writes !== 'create')
      return notApplicable('Files that are sent stay, which only a scope with "writes": "create" allows.');
    const all = takingForms(context).filter(takesArchives);
    const forms = likeliest(context, all, maxForms, 'forms that take an archive');
    if (forms.length === 0) return notApplicable('No form takes an archive.');
    const found = [];
    for (const form of forms) {
      const place = await unpackedAt(context, form);
      if (place === undefined || !(await isLedOut(context, { ...form, ...place }))) continue;
      found.push(candidateFor({ ...form, ...place }));
    }
    return found;
  },

  async confirm(context, { data }) {
    return data && experimentFor(data, await openInput(contextOf(context, data.identity), data.input));
  },

  explain: {
    description:
      'The form takes an archive and unpacks it by the names that stand in it: a name with ".." in it leads out of the folder that it is unpacked to, and the file is written there.',
    impact:
      'Whoever may send an archive writes files to any folder that the application may write to: a script where the web server runs it, a template, a key, or a configuration. That is mostly the same as running code.',
    sends:
      'With `writes: "create"`, sends each form that takes an archive one with a small text file, and one whose text file is named into the folder above; 4 more for the proof. The files have names that nobody has. They may stay, recorded before they are sent.',
    proves:
      'A text file named "../<word>.txt" is found at the address above the folder that archives are unpacked to, and one named "<another folder>/<word>.txt" is not: files are written outside. That one of them would be run was not tried.',
    remedy:
      'Resolve each name before writing and refuse what is not below the folder: `if (!path.resolve(folder, name).startsWith(folder + path.sep)) throw …` (Node), `ZipFile.extractall` instead of own loops (Python), `target.normalize().startsWith(folder)` (Java). Or give files names of your own. Refuse links in archives as well.',
    references: [
      'CWE-22: https://cwe.mitre.org/data/definitions/22.html',
      'OWASP File Upload Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/File_Upload_Cheat_Sheet.html',
      'Zip Slip: https://security.snyk.io/research/zip-slip-vulnerability',
    ],
  },
});

/** Sends an archive with one file. @returns what comes of it; undefined where the form is not sent */
async function sendArchive<T>(
  context: CheckContext,
  taking: Taking,
  entry: string,
  look: (put: (text: string) => string, answer: Parameters<typeof keptFile>[1]) => Promise<T | undefined>,
): Promise<T | undefined> {
  const sender = contextOf(context, taking.identity);
  const values = newTrialValues(context.nonce);
  const opened = await openInput(sender, taking.input);
  const request = await requestOfInput(sender, opened, sending(taking, opened, archive(entry)), values);
  const put = (text: string) => fill(text, values);
  try {
    return await context.store?.(taking.identity, request, (answer) => look(put, answer));
  } catch (error) {
    if (error instanceof ProbeError && error.code === 'refused') return undefined;
    throw error;
  }
}

/** Where the file of an archive is found. A folder that each archive has of its own cannot be named by the next. */
async function unpackedAt(context: CheckContext, taking: Taking) {
  const { identity, pageUrl, input } = taking;
  const place = { identity, pageUrl, url: input.url };
  const before = addressesIn(await pagesWithFiles(context, place));
  return sendArchive(context, taking, file, async (put, answer) => {
    const words = { nonce: put('‹nonce3›'), word: put(word), archive: put('‹nonce4›') };
    const sent = { ...place, ...words, name: put(file), before };
    const kept = await keptFile(context, answer, sent);
    const [, folder] = /^([^?#]*\/)[^/]*$/.exec(kept?.url ?? '') ?? [];
    return kept && folder !== undefined && kept.url === folder + put(file)
      ? { folder, viewer: kept.viewer }
      : undefined;
  });
}

/** A name that leads to the folder above, which a site that resolves names and compares the result refuses. */
const above = `../${file}`;
const aboveOf = (folder: string): string => new URL('..', folder).href;

async function isLedOut(context: CheckContext, unpacking: Unpacking): Promise<boolean> {
  const { folder, viewer } = unpacking;
  const outside = aboveOf(folder);
  if (outside === folder) return false;
  const isThere = await sendArchive(context, unpacking, above, async (put) => {
    const { status, text } = await contextOf(context, viewer).http.get(outside + put(file), { fresh: true });
    return status === 200 && text.includes(put(word));
  });
  return isThere ?? false;
}

function candidateFor(unpacking: Unpacking) {
  const { input, identity, folder } = unpacking;
  const who = identity === '' ? 'Anybody sends it' : `The test identity "${identity}" sends it`;
  return {
    location: { url: input.url, method: 'POST', parameter: input.parameter, parameterIn: 'body' as const },
    route: input.route,
    detail: `A file of an archive whose name leads out of ${folder} was found at ${aboveOf(folder)}. ${who}.`,
    cvss: `CVSS:3.1/AV:N/AC:L/PR:${identity === '' ? 'N' : 'L'}/UI:N/S:U/C:N/I:H/A:N`,
    data: unpacking,
  };
}

function experimentFor(unpacking: Unpacking, input: OpenedInput): Experiment {
  const { folder, identity, viewer } = unpacking;
  const send = (sent: UploadedFile, note: string): Step[] =>
    inputSteps(input, sending(unpacking, input, sent), {
      note,
      expect: [claim('status', 'less-than', '400')],
    }).map((step) => ({ ...step, ...(identity === '' ? {} : { identity }) }));
  const look = (url: string, note: string): Step => ({
    ...{ http: { url }, note },
    ...(viewer === '' ? {} : { identity: viewer }),
    expect: [claim('status', 'equals', '200'), claim('body', 'contains', word)],
  });
  const [outside, control] = [aboveOf(folder), '‹nonce5›.txt'];
  return {
    steps: [
      ...send(archive(above), 'An archive whose file is named by way of the folder above.'),
      look(outside + file, 'The file is outside of the folder that archives are unpacked to.'),
    ],
    control: [
      ...send(archive(`‹nonce6›/${control}`), 'An archive whose file is named by way of another folder.'),
      look(outside + control, 'The file is not outside: that is not where all files go.'),
    ],
  };
}
