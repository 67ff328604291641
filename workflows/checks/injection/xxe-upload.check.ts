import { claim, type Experiment } from '../../model/experiment.ts';
import { ProbeError } from '../../model/probe-error.ts';
import { firstMatch } from '../../proof/pattern.ts';
import { newTrialValues } from '../../proof/template.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import type { OpenedInput, UploadedFile } from '../inputs/input-request.ts';
import { inputSteps, openInput, requestOfInput } from '../inputs/open-input.ts';
import { contextOf } from './plant.ts';
import { unixFiles } from './traversal-payloads.ts';
import { maxForms, sending, type Taking, takingForms } from './upload-forms.ts';

type Parsed = Taking & { pattern: string; path: string };

/** A drawing whose texts are an entity of the document. */
const drawing = (declared: string): UploadedFile => ({
  name: '‹nonce3›.svg',
  type: 'image/svg+xml',
  content: `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x ${declared}>]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><title>‹nonce›&x;</title><text y="9">&x;</text></svg>`,
});
const naming = (path: string): UploadedFile => drawing(`SYSTEM "file:///${path}"`);
const asText = (path: string): UploadedFile => drawing(`"file:///${path}"`);

/** A drawing that is sent as a file is read by a parser that opens what it names. Source: CWE-611, WSTG-INPV-07. */
export const xxeUpload = defineCheck<Parsed>({
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
    const found = [];
    for (const form of forms) {
      const parsed = await tryDrawings(context, form);
      if (parsed) found.push(candidateFor(parsed));
    }
    return found;
  },

  async confirm(context, { data }) {
    return data && experimentFor(data, await openInput(contextOf(context, data.identity), data.input));
  },

  explain: {
    description:
      'The form takes an SVG drawing, which the server reads with an XML parser that resolves external entities: the content of a file of the server that the drawing names comes back in the answer.',
    impact:
      'Whoever may send a file can read files of the server: source code, settings with passwords and keys. Most parsers open addresses as well, so that the server can be made to ask internal services.',
    sends:
      'With `writes: "create"`, sends each form that takes a file one SVG drawing whose entity is a text, and one that names `/etc/passwd`; where that shows the file, 4 more for the proof. They may stay, recorded before they are sent.',
    proves:
      'The answer to the form has the form of that file; the same drawing whose entity is a text does not. Files of the server are read.',
    remedy:
      'Turn off document types and external entities in the parser that reads drawings: `resolve_entities=False, no_network=True` or `defusedxml` (Python), `setFeature("http://apache.org/xml/features/disallow-doctype-decl", true)` (Java), no `LIBXML_NOENT` and `LIBXML_DTDLOAD` (PHP), `DtdProcessing.Prohibit` (.NET). Take no SVG where pictures are enough.',
    references: [
      'CWE-611: https://cwe.mitre.org/data/definitions/611.html',
      'OWASP XXE Prevention Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/XML_External_Entity_Prevention_Cheat_Sheet.html',
      'OWASP File Upload Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/File_Upload_Cheat_Sheet.html',
    ],
  },
});

/** The first look is at the same drawing without anything external: a form that refuses it is sent no other. @throws ProbeError, ProofError */
async function tryDrawings(context: CheckContext, taking: Taking): Promise<Parsed | undefined> {
  const [file] = unixFiles;
  if (!file) return undefined;
  const { path, pattern } = file;
  const base = await answerTo(context, taking, asText(path));
  if (base === undefined || firstMatch(pattern, base)) return undefined;
  const answer = await answerTo(context, taking, naming(path));
  return answer !== undefined && firstMatch(pattern, answer) ? { ...taking, path, pattern } : undefined;
}

/** Undefined where the form refuses the file. */
async function answerTo(context: CheckContext, taking: Taking, file: UploadedFile): Promise<string | undefined> {
  const sender = contextOf(context, taking.identity);
  try {
    const opened = await openInput(sender, taking.input);
    const values = newTrialValues(context.nonce);
    const request = await requestOfInput(sender, opened, sending(taking, opened, file), values);
    return await context.store?.(taking.identity, request, ({ status, text }) =>
      Promise.resolve(status === 413 || status === 415 ? undefined : text),
    );
  } catch (error) {
    if (error instanceof ProbeError && error.code === 'refused') return undefined;
    throw error;
  }
}

function candidateFor(parsed: Parsed) {
  const { input, identity, path } = parsed;
  const who = identity === '' ? 'Anybody' : `The test identity "${identity}"`;
  return {
    location: { url: input.url, method: 'POST', parameter: input.parameter, parameterIn: 'body' as const },
    route: input.route,
    detail: `${who} sends an SVG drawing that names the file /${path}, and the answer shows that file.`,
    cvss: `CVSS:3.1/AV:N/AC:L/PR:${identity === '' ? 'N' : 'L'}/UI:N/S:U/C:H/I:N/A:N`,
    data: parsed,
  };
}

function experimentFor(parsed: Parsed, input: OpenedInput): Experiment {
  const { identity, pattern, path } = parsed;
  const shown = claim('body', 'matches', pattern, 'The answer has the form of the file.');
  const send = (file: UploadedFile, note: string) =>
    inputSteps(input, sending(parsed, input, file), { note, expect: [shown] }).map((step) => ({
      ...step,
      ...(identity === '' ? {} : { identity }),
    }));
  return {
    steps: send(naming(path), 'The drawing names a file, and the parser opens it.'),
    control: send(asText(path), 'The same drawing whose entity is a text opens nothing.'),
  };
}
