import type { Candidate } from '../../model/candidate.ts';
import { budgetAdvice } from '../../model/omission.ts';
import { ProbeError } from '../../model/probe-error.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { eachKindAtMost } from '../inputs/at-most.ts';
import { inParallel } from '../inputs/parallel.ts';
import { omittedBy } from '../omitted.ts';
import { sentText } from './filter-dialects.ts';
import { type FilteredList, filteredLists } from './filtered-lists.ts';
import { lookupExperiment } from './lookup-experiment.ts';
import { type HiddenLookup, hiddenLookupAt } from './lookup-search.ts';

const maxLists = 60;
/** So many lists that refuse every name in the same way stand for the others. */
const enoughRefusing = 2;
const width = 4;

/** Mail addresses open no account by themselves. */
const personalOnly = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N';

/** Names of parameters become fields of a query, also those that no answer shows. Source: CWE-943, WSTG-INPV-05.7. */
export const ormLookup = defineCheck<HiddenLookup>({
  id: 'injection.orm-lookup',
  title: 'ORM injection (ORM leak): hidden fields can be filtered by',
  cwe: 943,
  owasp: 'A05:2025',
  // Passwords, their hashes and tokens can be read, one yes or no at a time.
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',
  cost: 10,

  async detect(context) {
    const lists = filteredLists(context.surface);
    if (lists.length === 0) return notApplicable('No page or answer could list what is asked for.');
    const kinds = {
      max: maxLists,
      maxOfKind: 1,
      enough: 1,
      kindOf: ({ method, route }: FilteredList) => method + route,
    };
    return lookAtLists(context, eachKindAtMost(context, lists, kinds, 'lists'));
  },

  confirm: (_context, { data }) => data && lookupExperiment(data),

  explain: {
    description:
      'The list hands names of parameters, or of members of JSON, over to the filters of its ORM or of the interface to its database. So visitors choose which field is compared and how, and may take one that no answer shows.',
    impact:
      'Which entries are listed says whether the hidden value begins with a text. A program asks that letter by letter, and reads the passwords, password hashes, tokens or keys of all users in some thousand requests, through relations also those of the authors of public entries.',
    sends:
      'Sends up to 60 lists, in one or two requests each, conditions in spellings of frameworks (`name__gte`, `filter[name][$gte]`, `q[name_start]`, `$filter`, JSON); where a list reacts, those on some 30 names of hidden fields, also of its authors and users, and halves where one value begins.',
    proves:
      'By a field that the answer does not show, a condition that every text fulfils lists the entries, and one that none fulfils does not, twice each in random order; with an unknown field or operator it is not so. An attacker reads the values letter by letter. None was read.',
    remedy:
      'Name the fields that may be filtered, and refuse all others: django-filter `fields = ["title"]` instead of `filter(**request.GET)`, Ransack `ransackable_attributes`, Prisma and MikroORM `where: { title: { startsWith: String(query.title) } }` instead of `where: query`, OData `[NotFilterable]` or `$filter` over a DTO. Check fields of related things as well, and take hashes and tokens out of what the query can reach (`hidden`, `private`, column permissions).',
    references: [
      'CWE-943: https://cwe.mitre.org/data/definitions/943.html',
      'WSTG-INPV-05.7: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/05.7-Testing_for_ORM_Injection',
      'plORMbing your Django ORM: https://www.elttam.com/blog/plormbing-your-django-orm/',
    ],
  },
});

async function lookAtLists(context: CheckContext, lists: readonly FilteredList[]) {
  const refusing = new Map<number, number>();
  const unpaid: FilteredList[] = [];
  const found = await inParallel(lists, width, async (list): Promise<Candidate<HiddenLookup>[]> => {
    const isKnown = (status: number): boolean => {
      const count = refusing.get(status) ?? 0;
      refusing.set(status, count + 1);
      return count >= enoughRefusing;
    };
    if (context.allowance() <= 0) {
      unpaid.push(list);
      return [];
    }
    try {
      const lookup = await hiddenLookupAt(context, list, isKnown);
      return lookup ? [candidateOf(lookup)] : [];
    } catch (error) {
      if (!(error instanceof ProbeError) || error.code === 'canceled') throw error;
      context.leave(omittedBy(error, 1, `${error.code} at ${list.url}: ${error.message}`));
      return [];
    }
  });
  const alike = [...refusing.values()].reduce((sum, count) => sum + Math.max(0, count - enoughRefusing), 0);
  const others = `${alike} lists that refuse unknown names were not tried one by one: enough that answer alike were`;
  if (alike > 0) context.leave({ code: 'alike', count: alike, text: others });
  const text = `${unpaid.length} of ${lists.length} lists were not tried: the check's part of the budget was used up. ${budgetAdvice}`;
  if (unpaid.length > 0) context.leave({ code: 'budget', count: unpaid.length, text });
  return found.flat();
}

function candidateOf(lookup: HiddenLookup): Candidate<HiddenLookup> {
  const { list, field, range } = lookup;
  const name = field.path.join('.');
  const narrowed = range ? ' Where one value of it begins was narrowed down to one of seven ranges.' : '';
  return {
    location: {
      url: list.url,
      method: list.method,
      parameter: name,
      parameterIn: list.method === 'GET' ? 'query' : 'body',
    },
    route: list.route,
    detail: `The list can be filtered by \`${name}\`, which it does not show, written as \`${writtenAs(lookup)}\`.${narrowed}`,
    ...(field.isPersonal && { cvss: personalOnly }),
    data: lookup,
  };
}

/** The condition as it is sent, with a sign in the place of its text. */
function writtenAs({ dialect, operators, field }: HiddenLookup): string {
  const conditions = [{ path: field.path, ...operators.none }];
  const written =
    dialect.in === 'query'
      ? dialect.write(conditions).map(({ name, value }) => `${name}=${value}`)
      : [JSON.stringify(dialect.member(conditions))];
  return written.join('&').replace(sentText, '…');
}
