import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import { piecesOf } from '../../probe/html/page-pieces.ts';
import { newTrialValues } from '../../proof/template.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { inputSteps, sendInput } from '../inputs/open-input.ts';
import { inputsToProbe } from '../inputs/probe-inputs.ts';
import { lookAtEach } from './look-at-each.ts';
import { documentAction, documentWith } from './xml-documents.ts';
import { documentBodies, isDocument } from './xml-inputs.ts';

/** What answers to documents that name a missing file have, and those that name one that is there have not. */
type Difference = { status: number; gone: number } | { piece: string };
type OpenedFiles = { input: OpenedInput; question: EntityQuestion; difference: Difference; detail: string };

const maxInputs = 200;
/** Paths that are answered in one way, and such that are answered in another; `control` is one of the latter. */
type EntityQuestion = { present: readonly string[]; absent: readonly string[]; control: string };

/** Files that every Unix has. A rule that knows such names does not know the second spelling. Source: hosts(5), passwd(5). */
const present = ['etc/passwd', 'etc/./hosts'];
/** Names of the same letters that lead nowhere. */
const [control, ...absent] = ['passwd/etc', 'hosts/./etc', 'etc/./tsohs'] as const;
const below = (path: string): string => `${path}/‹nonce›`;

const questions: readonly EntityQuestion[] = [
  { present, absent: [...absent, below('etc/passwd')], control },
  // Some parsers pass over what is missing, and fail at what is no folder.
  { present: present.map(below), absent: absent.map(below), control: below(control) },
];

/** A parser of XML opens what a document names, which nothing shows but that it fails where there is no such file. Source: CWE-611, WSTG-INPV-07. */
export const xxeExistence = defineCheck<OpenedFiles>({
  id: 'injection.xxe-existence',
  weakness: 'injection.xxe',
  title: 'XML external entity injection (XXE, blind)',
  cwe: 611,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',

  async detect(context) {
    const inputs = [...(await documentBodies(context)), ...inputsToProbe(context.surface)];
    if (inputs.length === 0) return notApplicable('No page takes a value that may be changed.');
    return lookAtEach(context, inputs, maxInputs, async (input) =>
      (await isDocument(context, input)) ? look(context, input) : undefined,
    );
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The value is parsed as XML by a parser that resolves external entities. Nothing of the files that a document names comes back, but it is answered otherwise when there is no such file.',
    impact:
      'Everybody can ask which files the server has. Such a parser mostly opens addresses as well, so that the server asks internal services, and hands files over to a host of the attacker by a document type of theirs.',
    sends:
      'Sends XML documents whose entity names `/etc/passwd`, `/etc/hosts` or a path of the same letters that leads nowhere, in inputs that take XML by their name, value or error messages.',
    proves:
      'Two files that every Unix has (or paths below them) are answered in one way, and paths of the same letters that lead nowhere in another, each time: the parser opens what a document names.',
    remedy:
      'Turn off document types and external entities: `resolve_entities=False, no_network=True` or `defusedxml` (Python), `setFeature("http://apache.org/xml/features/disallow-doctype-decl", true)` (Java), no `LIBXML_NOENT` and `LIBXML_DTDLOAD` (PHP), `DtdProcessing.Prohibit` (.NET), no `noent` (libxmljs). Accept JSON only where XML is not needed.',
    references: [
      'CWE-611: https://cwe.mitre.org/data/definitions/611.html',
      'WSTG-INPV-07: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/07-Testing_for_XML_Injection',
      'OWASP XXE Prevention Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/XML_External_Entity_Prevention_Cheat_Sheet.html',
    ],
  },
});

const naming = (input: OpenedInput, path: string) =>
  documentAction(input, documentWith(input.sample, '&x;', `<!ENTITY x SYSTEM "file:///${path}">`));

async function look(context: CheckContext, input: OpenedInput): Promise<OpenedFiles | undefined> {
  for (const question of questions) {
    const difference = await answeredOtherwise(context, input, question);
    if (difference)
      return {
        input,
        question,
        difference,
        detail: 'It is answered otherwise when a file that it names does not exist.',
      };
  }
  return undefined;
}

async function answeredOtherwise(
  context: CheckContext,
  input: OpenedInput,
  { present, absent, control }: EntityQuestion,
) {
  const ask = (path: string) => sendInput(context, input, naming(input, path), newTrialValues(context.nonce));
  const there = [await ask(present[0] ?? '')];
  const gone = [await ask(control)];
  if (!differenceOf(there, gone)) return undefined;
  for (const path of present.slice(1)) there.push(await ask(path));
  for (const path of absent) gone.push(await ask(path));
  return differenceOf(there, gone);
}

function differenceOf(there: readonly Exchange[], gone: readonly Exchange[]): Difference | undefined {
  const [statuses, others] = [there, gone].map((each) => [...new Set(each.map(({ status }) => status))]);
  const [status, failed] = [statuses?.[0], others?.[0]];
  if (status === undefined || failed === undefined || statuses?.length !== 1 || others?.length !== 1) return undefined;
  if (status !== failed) return { status, gone: failed };
  const pieces = gone.map(({ text }) => new Set(piecesOf(text)));
  const [one = new Set<string>()] = pieces;
  const shared = [...one].filter((piece) => /\p{L}{3}/u.test(piece) && pieces.every((each) => each.has(piece)));
  const piece = shared.find((each) => there.every(({ text }) => !text.includes(each)));
  return piece === undefined ? undefined : { piece };
}

function experimentFor({ input, question, difference }: OpenedFiles): Experiment {
  const step = (path: string, isThere: boolean, note: string): Step[] =>
    inputSteps(input, naming(input, path), {
      note,
      expect: [
        'piece' in difference
          ? claim('body', isThere ? 'not-contains' : 'contains', difference.piece)
          : claim('status', 'equals', String(isThere ? difference.status : difference.gone)),
      ],
    });
  return {
    steps: [
      ...question.present.flatMap((path) => step(path, true, 'The document names a file that is there,')),
      ...question.absent.flatMap((path) => step(path, false, 'and one that is not, which is answered otherwise.')),
    ],
    control: step(
      question.control,
      true,
      'The same names in an order that leads nowhere are answered as what is not there.',
    ),
  };
}
