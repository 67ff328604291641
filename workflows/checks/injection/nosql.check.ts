import type { Experiment } from '../../model/experiment.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { inputsToProbe } from '../inputs/probe-inputs.ts';
import { staysData } from './data-only.ts';
import { type DecidedPage, decidedPage, pageAddedTo, pageExperiment, startValues } from './decided-page.ts';
import { isOfAnother } from './interpreters.ts';
import { fewOfKind, lookAtEach } from './look-at-each.ts';
import {
  anyTextComparisons,
  anyTextValue,
  operatorAction,
  operatorComparisons,
  repeatsAnyText,
  takesOperators,
} from './operator-request.ts';
import { steadyAskerOf } from './plain-again.ts';
import { scriptAlternatives, scriptComparisons } from './query-comparisons.ts';
import { askerOf } from './sql-decision.ts';
import { namesWhatIsChanged } from './sql-place.ts';
import { isKnown, showsUnparsable } from './unparsable.ts';

type NosqlDecision = DecidedPage & {
  input: OpenedInput;
  takes: 'operators' | 'any' | 'script';
  detail: string;
  isAdded?: true;
};

const maxInputs = 300;

/** Operators or a condition in a value are evaluated by a document database, which decides what the page shows. Source: CWE-943, WSTG-INPV-05. */
export const nosqlInjection = defineCheck<NosqlDecision>({
  id: 'injection.nosql',
  title: 'NoSQL injection',
  cwe: 943,
  owasp: 'A05:2025',
  // Any data that the query can reach can be read, one yes or no at a time.
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',
  cost: 15,

  async detect(context) {
    const inputs = inputsToProbe(context.surface);
    if (inputs.length === 0) return notApplicable('No page takes a value that may be changed.');
    return lookAtEach(context, inputs, maxInputs, (input) => look(context, input), fewOfKind);
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The value becomes part of a query of a document database: sent as an object, its members are operators of the query; or it stands in the text of a condition in JavaScript. What it says there decides what the page shows: everything as usual when it is true, less when it is false, although both are made of the same words. With a misspelt operator the query is refused or finds nothing.',
    impact:
      'The page answers questions about the documents with yes or no, so that a program reads their fields; a login that compares a name and a password this way lets anybody in.',
    sends:
      'Sends inputs whose page depends on their value the operators `$eq` and `$ne` (`name[$eq]=…`, or an object in JSON), `$gt` and `$lt` where no value finds anything, and conditions in JavaScript that narrow, true, false and misspelt; where they decide nothing in a GET, the same as an alternative.',
    proves:
      'True conditions show the page of the value and false ones with the same words do not, twice each in random order; misspelt ones do not show it. The database evaluates input: an attacker reads it bit by bit. No data was read.',
    remedy:
      'Demand the type before a value gets into a query: `if (typeof name !== "string") return response.sendStatus(400)`, a schema (`z.string()`), or `{ name: { $eq: String(name) } }`; in Mongoose `sanitizeFilter`. Keep the query parser of Express at "simple". Never build `$where` or functions out of values; turn JavaScript off in the server (`javascriptEnabled: false`).',
    references: [
      'CWE-943: https://cwe.mitre.org/data/definitions/943.html',
      'WSTG-INPV-05.6: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/05.6-Testing_for_NoSQL_Injection',
    ],
  },
});

async function look(context: CheckContext, input: OpenedInput): Promise<NosqlDecision | undefined> {
  if (namesWhatIsChanged(input)) return undefined;
  const values = startValues(input, context);
  if (takesOperators(input)) {
    const ask = askerOf(context, input, operatorAction);
    const decided = await decidedPage(ask, values, operatorComparisons, input.isStored);
    if (decided)
      return { input, ...decided, takes: 'operators', detail: 'The value is taken as operators of a query.' };
    const any =
      mayFindAll(input) && (!isKnown(input) || (await isRefused(context, input)))
        ? await decidedPage(ask, [anyTextValue], anyTextComparisons)
        : undefined;
    const markers = any?.markers.filter((marker) => !repeatsAnyText(marker)) ?? [];
    if (any && markers.length > 0)
      return { input, ...any, markers, takes: 'any', detail: 'The value is taken as operators of a query.' };
  }
  if ((await staysData(context, input)) || !(await showsUnparsable(context, input))) return undefined;
  if (await isOfAnother(context, input)) return undefined;
  const ask = steadyAskerOf(context, input);
  const narrowed = await decidedPage(ask, values, scriptComparisons, input.isStored);
  // An alternative finds what there is, which only what reads may be asked for.
  const decided = narrowed ?? (input.method === 'GET' ? await pageAddedTo(ask, scriptAlternatives) : undefined);
  const detail = `The value stands in a condition in JavaScript as ${decided?.comparison.where}.`;
  return decided && { input, ...decided, takes: 'script', detail, ...(narrowed ? {} : { isAdded: true }) };
}

/** Only where the request reads: what it finds may be all. A POST that is tried was seen to read, unless it is known to store. */
const mayFindAll = ({ method, in: place, json, isStored }: OpenedInput): boolean =>
  method === 'GET' || (method === 'POST' && place === 'body' && json !== undefined && !isStored);

/** The site's own value finds nothing, as the one that a form of a login is filled in with. */
const isRefused = async (context: CheckContext, input: OpenedInput): Promise<boolean> =>
  (await askerOf(context, input)(input.sample)).status >= 400;

const experimentFor = ({ input, detail: _, takes, isAdded, ...decided }: NosqlDecision): Experiment =>
  takes === 'script'
    ? pageExperiment(input, decided, {
        language: 'JavaScript',
        ...(isAdded && {
          usual: 'With an alternative that is always true the page shows more than the value itself finds.',
        }),
      })
    : pageExperiment(input, decided, {
        ...{ language: 'operator', write: operatorAction },
        ...(takes === 'any' && {
          usual: 'With an operator that any text fulfils the page shows what some value stands for.',
        }),
      });
