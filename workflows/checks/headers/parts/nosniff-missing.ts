import { type Assertion, claim } from '../../../model/experiment.ts';
import type { Exchange } from '../../../model/http.ts';
import type { PageSurface } from '../../../model/surface.ts';
import { defineCheck, notApplicable } from '../../contract.ts';
import { byAddress, headerPlace, valuesOf } from '../../pages/html-pages.ts';
import { headerExperiment } from '../header-experiment.ts';

const header = 'x-content-type-options';

/** The first value decides, the values of all lines taken together; case does not matter. Source: Fetch standard §3.6. */
const nosniff = /^[\t ]*nosniff[\t ]*(?:[,\n]|$)/i;

/** Answers come without X-Content-Type-Options, so browsers may guess another type than the one given. Source: MIME Sniffing. */
export const nosniffMissing = defineCheck({
  id: 'headers.nosniff-missing',
  title: 'Missing X-Content-Type-Options: nosniff',
  cwe: 693,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:N/I:N/A:N',
  depth: 'standard',
  risk: 'safe',

  detect({ surface }) {
    const answers = surface.pages.filter(({ status }) => status === 200);
    if (answers.length === 0) return notApplicable('No address gave an answer with content.');
    const without = answers.filter((answer) => !isSet(valuesOf(answer, header)));
    return firstOfEachKind(without).map(({ url }) => headerPlace(url, 'X-Content-Type-Options'));
  },

  confirm: ({ http }, { location }) =>
    headerExperiment(http, location.url, 'The answer does not require browsers to keep to its type.', (exchange) =>
      isSet(exchange.headerValues(header)) ? undefined : [claimFor(exchange)],
    ),

  explain: {
    description:
      'Answers come without `X-Content-Type-Options: nosniff`. A browser may then look at the content and treat it as another type than the one in Content-Type, and runs scripts and applies styles that were sent as something else.',
    impact:
      "Nothing by itself. Where visitors can put content on the site (uploads, comments as JSON or text), a file that was accepted as harmless can be run as script of the site by a page that includes it, which makes other weaknesses usable and gets past `script-src 'self'`.",
    sends: 'Requests one seen page, one script and one other answer again.',
    proves:
      'The answer has no `nosniff` that browsers heed; a header of the same answer is not taken for absent. Shows a configuration; no attack was made.',
    remedy:
      'Send the header with every answer, files and errors included. nginx: `add_header X-Content-Type-Options "nosniff" always;` (again in each location that has an add_header of its own). Apache: `Header always set X-Content-Type-Options "nosniff"`. Express: `app.use(helmet())`. Django has it by default (SECURE_CONTENT_TYPE_NOSNIFF). Make sure first that scripts and styles have their right Content-Type, or browsers will refuse them.',
    references: [
      'Fetch standard, X-Content-Type-Options: https://fetch.spec.whatwg.org/#x-content-type-options-header',
      'MDN: https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/X-Content-Type-Options',
      'CWE-693: https://cwe.mitre.org/data/definitions/693.html',
    ],
  },
});

const isSet = (values: readonly string[]): boolean => nosniff.test(values.join('\n'));

/** Pages, scripts and the rest most often come from different places, and get their headers there. */
const kindOf = ({ contentType }: PageSurface): string =>
  /html/i.test(contentType) ? 'page' : /(?:java|ecma)script/i.test(contentType) ? 'script' : 'other';

function firstOfEachKind(answers: readonly PageSurface[]): PageSurface[] {
  const firsts = new Map<string, PageSurface>();
  for (const answer of answers.toSorted(byAddress)) if (!firsts.has(kindOf(answer))) firsts.set(kindOf(answer), answer);
  return [...firsts.values()];
}

function claimFor(exchange: Exchange): Assertion {
  return exchange.header(header) === undefined
    ? claim(`header:${header}`, 'absent')
    : claim(`headers:${header}`, 'not-matches', `(?i)${nosniff.source}`, 'The value is not one that browsers know.');
}
