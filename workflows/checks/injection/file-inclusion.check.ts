import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { inputsToProbe } from '../inputs/probe-inputs.ts';
import { unlessDataOnly } from './data-only.ts';
import { inclusionAt, inclusionExperiment, mayBeIncluded } from './included-input.ts';
import { fewOfKind, lookAtEach } from './look-at-each.ts';

type InclusionPlace = { input: OpenedInput; inclusion: NonNullable<Awaited<ReturnType<typeof inclusionAt>>> };

const maxInputs = 60;
/** A value names what an application runs as a part of itself, and an address of a text does as well as a file. Source: CWE-98, WSTG-INPV-11.1. */
export const fileInclusion = defineCheck<InclusionPlace>({
  id: 'injection.file-inclusion',
  title: 'Remote file inclusion',
  cwe: 98,
  owasp: 'A05:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',
  cost: 5,

  async detect(context) {
    const inputs = inputsToProbe(context.surface).filter(mayBeIncluded);
    if (inputs.length === 0) return notApplicable('No input looks like the name of a page or a file.');
    return lookAtEach(
      context,
      inputs,
      maxInputs,
      unlessDataOnly(context, (input) => look(context, input)),
      fewOfKind,
    );
  },

  confirm: (_context, { data }) => data && inclusionExperiment(data.input, data.inclusion),

  explain: {
    description:
      'The value names what the application runs as a part of itself, and addresses are taken for files there: text in an address of ours was run as code.',
    impact:
      'Whoever can send the value runs any code with the rights of the application: reads its files, settings and keys, changes its data, and goes on to other systems from there.',
    sends:
      'Sends inputs that look like names of pages two `data:` addresses, with code of PHP and of Python that prints a product of two random numbers. It reads and changes nothing, and no other host is asked.',
    proves:
      'The product stands between two random words in the page; with a word of the language misspelt it does not. Code in the value was run.',
    remedy:
      'Choose what is included by a table: `$pages = ["home" => "home.php", "help" => "help.php"]; include $pages[$_GET["page"]] ?? "home.php";`. Never put a value into the name of a file, and never give `exec` what was read from one. `allow_url_include = Off` and `open_basedir` are the second line.',
    references: [
      'CWE-98: https://cwe.mitre.org/data/definitions/98.html',
      'PHP manual, supported protocols and wrappers: https://www.php.net/manual/en/wrappers.php',
      'WSTG-INPV-11.1: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/11.1-Testing_for_File_Inclusion',
    ],
  },
});

async function look(context: CheckContext, input: OpenedInput): Promise<InclusionPlace | undefined> {
  const inclusion = await inclusionAt(context, input);
  return inclusion && { input, inclusion };
}
