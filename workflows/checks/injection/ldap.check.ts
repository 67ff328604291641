import type { Experiment } from '../../model/experiment.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { inputsToProbe } from '../inputs/probe-inputs.ts';
import { unknownWord, wordsOf } from './answer-words.ts';
import { unlessLookedUp } from './data-only.ts';
import { type DecidedPage, decidedPage, pageAddedTo, pageExperiment, startValues } from './decided-page.ts';
import { isOfAnother } from './interpreters.ts';
import { fewOfKind, lookAtEach } from './look-at-each.ts';
import { steadyAskerOf } from './plain-again.ts';
import { ldapComparisons, ldapConditions } from './query-comparisons.ts';
import { askerOf } from './sql-decision.ts';
import { isKnown, mayBeInQuery } from './unparsable.ts';

type LdapDecision = DecidedPage & { input: OpenedInput; detail: string; isAdded?: true };

const maxInputs = 300;

/** A condition in a value is evaluated by an LDAP directory, which decides what the page shows. Source: CWE-90, WSTG-INPV-06. */
export const ldapInjection = defineCheck<LdapDecision>({
  id: 'injection.ldap',
  title: 'LDAP injection',
  cwe: 90,
  owasp: 'A05:2025',
  // Any data that the query can reach can be read, one yes or no at a time.
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',
  cost: 5,

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
      'The value becomes part of an LDAP filter. A further condition behind the value decides what the page shows: everything as usual when it is true, nothing when it is false, although both are made of the same words. With a parenthesis missing the filter is refused. Where it is the only condition, a sign of the value is read by its code.',
    impact:
      'The page answers any question about the entries of the directory with yes or no: a program reads attributes that no page shows, and filters that decide on rights or on a login can be made to say yes.',
    sends:
      'Sends inputs whose page depends on their value conditions that narrow (`…)(|(objectClass=*)…`), true, false and with a parenthesis missing, and the value with one sign by its code; where another condition finds something anyway, behind a word that fits nothing.',
    proves:
      'True conditions show the page of the value and false ones that differ by one sign do not, twice each in random order; an unbalanced filter, or a code that is none, does not show it. The directory evaluates input: an attacker reads it bit by bit. No data was read.',
    remedy:
      'Escape values by RFC 4515 §3, or build filters of objects: `new EqualityFilter({ attribute: "cn", value })` (ldapjs, ldapts), `ldap_escape($value, "", LDAP_ESCAPE_FILTER)` (PHP), `escape_filter_chars(value)` (python-ldap), `LdapQueryBuilder.query().where("cn").is(value)` (Spring).',
    references: [
      'CWE-90: https://cwe.mitre.org/data/definitions/90.html',
      'RFC 4515: https://www.rfc-editor.org/rfc/rfc4515',
      'WSTG-INPV-06: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/06-Testing_for_LDAP_Injection',
    ],
  },
});

async function look(context: CheckContext, input: OpenedInput): Promise<LdapDecision | undefined> {
  // What is stored decides nothing of a page.
  if (input.isStored || !(await mayBeInFilter(context, input)) || (await isOfAnother(context, input))) return undefined;
  const ask = steadyAskerOf(context, input);
  const detail = 'The value stands in an LDAP filter as';
  // A star fits all, where nothing is known that the directory has.
  const decided = await decidedPage(ask, [...startValues(input, context), '*'], ldapComparisons);
  if (decided) return { input, ...decided, detail: `${detail} ${decided.comparison.where}.` };
  // Of several conditions of which one is enough none can narrow what the others find.
  const added = await pageAddedTo(ask, ldapConditions);
  return (
    added && { input, ...added, isAdded: true, detail: `${detail} one of several conditions of which one is enough.` }
  );
}

/** Where nothing that is known of a site is found, as with a login that a password of nobody comes with, a star may find something. */
const mayBeInFilter = async (context: CheckContext, input: OpenedInput): Promise<boolean> => {
  if (await mayBeInQuery(context, input)) return true;
  if (isKnown(input)) return false;
  const ask = askerOf(context, input);
  return wordsOf(await ask('*'), ['*']) !== wordsOf(await ask(unknownWord), [unknownWord]);
};

const experimentFor = ({ input, detail: _, isAdded, ...decided }: LdapDecision): Experiment =>
  pageExperiment(input, decided, {
    language: 'LDAP filter',
    ...(isAdded && { usual: 'With a condition that is always true the page shows more than the value itself finds.' }),
  });
