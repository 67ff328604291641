import type { Experiment } from '../../model/experiment.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { inputsToProbe } from '../inputs/probe-inputs.ts';
import { unlessLookedUp } from './data-only.ts';
import { type DecidedPage, decidedPage, pageAddedTo, pageExperiment, startValues } from './decided-page.ts';
import { isOfAnother } from './interpreters.ts';
import { fewOfKind, lookAtEach } from './look-at-each.ts';
import { steadyAskerOf } from './plain-again.ts';
import { xpathAlternatives, xpathComparisons } from './query-comparisons.ts';
import { mayBeInQuery } from './unparsable.ts';

type XpathDecision = DecidedPage & { input: OpenedInput; detail: string; isAdded?: true };

const maxInputs = 300;

/** A condition in a value is evaluated by XPath, which decides what the page shows. Source: CWE-643, WSTG-INPV-09. */
export const xpathInjection = defineCheck<XpathDecision>({
  id: 'injection.xpath',
  title: 'XPath injection',
  cwe: 643,
  owasp: 'A05:2025',
  // Any data that the query can reach can be read, one yes or no at a time.
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',
  cost: 10,

  async detect(context) {
    const inputs = inputsToProbe(context.surface);
    if (inputs.length === 0) return notApplicable('No page takes a value that may be changed.');
    return lookAtEach(
      context,
      inputs,
      maxInputs,
      unlessLookedUp(context, (input) => look(context, input)),
      fewOfKind,
    );
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The value becomes part of an XPath expression. A condition that only XPath has, put behind the value, decides what the page shows: everything as usual when it is true, less when it is false, although both are made of the same words. With a misspelt function the expression is refused.',
    impact:
      'The page answers any question about the whole document with yes or no: XPath knows no rights. A program reads all of it within minutes, and where the document holds accounts, their passwords.',
    sends:
      'Sends inputs whose page depends on their value conditions that narrow (`… and starts-with(…)`), true, false and with a misspelt function; where they decide nothing, the same as an alternative to a word that fits nothing.',
    proves:
      'True conditions show the page of the value and false ones with the same words do not, twice each in random order; a misspelt function does not show it. XPath evaluates input: an attacker reads the document bit by bit. No data was read.',
    remedy:
      'Bind values as variables: `evaluate("//user[name = $name]", doc, variables)` (`xpath`, lxml: `tree.xpath("//user[name = $name]", name=name)`, .NET: `XsltContext`, Java: `XPathVariableResolver`). Where a library has no variables, accept only letters and digits.',
    references: [
      'CWE-643: https://cwe.mitre.org/data/definitions/643.html',
      'WSTG-INPV-09: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/09-Testing_for_XPath_Injection',
    ],
  },
});

async function look(context: CheckContext, input: OpenedInput): Promise<XpathDecision | undefined> {
  // What is stored decides nothing of a page.
  if (input.isStored || !(await mayBeInQuery(context, input)) || (await isOfAnother(context, input, ['xml'])))
    return undefined;
  const ask = steadyAskerOf(context, input);
  const narrowed = await decidedPage(ask, startValues(input, context), xpathComparisons);
  // Where the site's own value finds nothing, an alternative finds what there is; an expression only reads.
  const decided = narrowed ?? (await pageAddedTo(ask, xpathAlternatives));
  if (!decided) return undefined;
  const detail = `The value stands in an XPath expression as ${decided.comparison.where}.`;
  return { input, ...decided, detail, ...(narrowed ? {} : { isAdded: true }) };
}

const experimentFor = ({ input, detail: _, isAdded, ...decided }: XpathDecision): Experiment =>
  pageExperiment(input, decided, {
    language: 'XPath',
    ...(isAdded && {
      usual: 'With an alternative that is always true the page shows more than the value itself finds.',
    }),
  });
