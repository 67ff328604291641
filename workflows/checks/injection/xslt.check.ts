import type { Experiment } from '../../model/experiment.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { canaryAt } from '../inputs/canary.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { inputsToProbe } from '../inputs/probe-inputs.ts';
import { computedBy, computedExperiment } from './computed-result.ts';
import { lookAtEach } from './look-at-each.ts';
import { computing, type StylesheetTry, stronger, takesStylesheet, withDocument } from './stylesheets.ts';
import { saysXmlError, takesXml } from './xml-documents.ts';

type RunSheet = { input: OpenedInput; run: StylesheetTry; detail: string; cvss: string };

const maxInputs = 300;

const shown: Record<StylesheetTry['shows'], Pick<RunSheet, 'detail' | 'cvss'>> = {
  computed: {
    detail: 'The stylesheet is run; that it reads files or calls functions of the server was not shown.',
    cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:L',
  },
  read: {
    detail: 'The stylesheet opened a file of the server (`document()`).',
    cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  },
  called: {
    detail: 'The stylesheet called a function of the language that the application is written in.',
    cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  },
};

/** A stylesheet of the visitor is run by the server. Source: CWE-91, WSTG-INPV-07. */
export const xslt = defineCheck<RunSheet>({
  id: 'injection.xslt',
  title: 'XSLT injection',
  cwe: 91,
  owasp: 'A05:2025',
  cvss: shown.read.cvss,
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',

  async detect(context) {
    const inputs = inputsToProbe(context.surface);
    if (inputs.length === 0) return notApplicable('No page takes a value that may be changed.');
    return lookAtEach(context, inputs, maxInputs, (input) => look(context, input));
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The value is an XSLT stylesheet, or becomes one, and the server runs it: a product of two random numbers comes back calculated.',
    impact:
      'Stylesheets open files and addresses by `document()`, and many processors call functions of the language behind them: whoever can send one reads files of the server, asks internal services, or runs code.',
    sends:
      'Sends stylesheets that multiply two random numbers to inputs that take XML or a stylesheet by their name, value or error messages; where one is run, five more that repeat a word by PHP, multiply by Java, or read the name of the root of documents that ordinary systems have. None of them writes.',
    proves:
      'The result of the calculation, the call or the document is in the answer; with another namespace, a function or a file that nobody has it is not.',
    remedy:
      'Take no stylesheets from outside: let visitors choose among your own, and fill in texts. Where that cannot be, forbid what leaves the document: `XSLTAccessControl(read_file=False, read_network=False, write_file=False, create_dir=False, write_network=False)` (lxml), `ACCESS_EXTERNAL_STYLESHEET` and `FEATURE_SECURE_PROCESSING` (Java), no `registerPHPFunctions()` and `setSecurityPrefs` (PHP).',
    references: [
      'CWE-91: https://cwe.mitre.org/data/definitions/91.html',
      'WSTG-INPV-07: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/07-Testing_for_XML_Injection',
      'XSLT 1.0, extensions and document(): https://www.w3.org/TR/xslt-10/',
    ],
  },
});

async function look(context: CheckContext, given: OpenedInput): Promise<RunSheet | undefined> {
  const isAsked =
    takesStylesheet(given) || takesXml(given) || saysXmlError((await canaryAt(context, given)).exchange.text);
  if (!isAsked) return undefined;
  const input = withDocument(given);
  if (!(await computedBy(context, input, [computing]))) return undefined;
  const run = (await computedBy(context, input, stronger)) ?? computing;
  return { input, run, ...shown[run.shows] };
}

const experimentFor = ({ input, run }: RunSheet): Experiment =>
  computedExperiment(input, run, run.broken, {
    computed: 'The value is a stylesheet.',
    result: 'What the stylesheet works out, which stands nowhere in the request.',
    control: 'The same with another namespace, or with a function or a file that nobody has.',
  });
