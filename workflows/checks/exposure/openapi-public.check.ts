import type { Candidate } from '../../model/candidate.ts';
import { type Assertion, claim, type Step } from '../../model/experiment.ts';
import type { PageSurface } from '../../model/surface.ts';
import { firstMatch } from '../../proof/pattern.ts';
import { type CheckContext, defineCheck } from '../contract.ts';
import { atMost, pagesAtMost, widened } from '../inputs/at-most.ts';
import { inParallel } from '../inputs/parallel.ts';
import { siteRoots } from '../pages/folders.ts';
import { htmlPages } from '../pages/html-pages.ts';
import { type Routes, routesInDescription, unlinked } from '../pages/route-templates.ts';
import { lookAtGuesses } from './guesses.ts';
import { hiddenRoutes } from './hidden-routes.ts';

type Document = { url: string; claims: Assertion[]; hidden: Routes };

const none: Routes = { routes: [], left: 0 };

/** Where frameworks serve their description: FastAPI, Spring, ASP.NET, NestJS, Quarkus, API Platform, and by habit; the likeliest first. */
const places = [
  'openapi.json',
  'swagger.json',
  'v3/api-docs',
  'v2/api-docs',
  'swagger/v1/swagger.json',
  'api-docs',
  'api-docs/swagger.json',
  'q/openapi',
  'openapi.yaml',
  'api/openapi.json',
  'swagger/doc.json',
  'api-json',
  'api/swagger.json',
  'api/v1/openapi.json',
  'docs/openapi.json',
  'api-docs/v1/swagger.json',
  'swagger/swagger.json',
  'swagger.yaml',
  'documentation/json',
];

/** Pages on which a description is shown, and how they and their scripts say where it is. */
const viewer = /swagger-?ui|<redoc\b|redoc\.init|<rapi-doc|<elements-api|api-reference/i;
const named =
  /(?:spec-?url|\burl|data-url|apidescriptionurl|redoc\.init\()["']?\s{0,3}[:=]?\s{0,3}["'`]([^"'`\s<>]{2,200})["'`]/gi;
/** So many of them are asked for on any site. */
const likely = 9;
const maxPages = 60;
const maxNamed = 5;

/** What a document of either form has to have. Source: OpenAPI Specification 2.0 and 3.x, "OpenAPI Object". */
const forms: readonly Assertion[][] = [
  [
    claim('body', 'matches', '^\\s*\\{', 'It is JSON.'),
    claim('body', 'matches', '"(?:openapi|swagger)"\\s*:\\s*"(?:2\\.0|3\\.\\d)', 'It says which OpenAPI it follows.'),
    claim('body', 'matches', '"paths"\\s*:\\s*\\{\\s*"/', 'It describes paths.'),
  ],
  [
    claim(
      'body',
      'matches',
      '(?m)^(?:openapi|swagger):\\s*["\']?(?:2\\.0|3\\.\\d)',
      'It says which OpenAPI it follows.',
    ),
    claim('body', 'matches', '(?m)^paths:\\s*\\r?\\n\\s+["\']?/', 'It describes paths.'),
  ],
];

/** The description of the API is public. No weakness by itself. Source: WSTG-APIT-01, CWE-200. */
export const openapiPublic = defineCheck<Document>({
  id: 'exposure.openapi-public',
  title: 'Exposed OpenAPI description',
  cwe: 200,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N',
  depth: 'standard',
  risk: 'safe',
  cost: 10,

  async detect(context) {
    const seen = context.surface.pages.filter(
      ({ status, url }) => status === 200 && /(?:openapi|swagger|api-docs)[^/]*$/i.test(new URL(url).pathname),
    );
    const usual = (part: readonly string[]) =>
      siteRoots(context.surface).flatMap((root) => part.map((place) => root + place));
    const shown = await inParallel(
      pagesAtMost(context, htmlPages(context.surface), widened(context, maxPages)),
      4,
      (page) => namedBy(context, page),
    );
    const named = atMost(context, [...new Set(shown.flat())], maxNamed, 'documents that pages name');
    const likeliest = new Set([...seen.map(({ url }) => url), ...named, ...usual(places.slice(0, likely))]);
    const further = usual(places.slice(likely)).filter((url) => !likeliest.has(url));
    const [first, ...others] = await lookAtGuesses(context, { first: [...likeliest], further }, look);
    // The same description at further addresses, or in YAML, names nothing new.
    return first
      ? [first, ...others.map(({ data, ...place }) => ({ ...place, ...(data && { data: { ...data, hidden: none } }) }))]
      : [];
  },

  confirm: (_context, { data }) => {
    if (!data) return undefined;
    const step = (url: string, note: string): Step => ({
      http: { url },
      note,
      expect: [claim('status', 'equals', '200'), ...data.claims],
    });
    return {
      steps: [step(data.url, 'The address answers with an OpenAPI document.')],
      control: [step(data.url.replace(/\/([^/?]*)(\?.*)?$/s, '/‹nonce›$1'), 'A random name beside it does not.')],
    };
  },

  gives: {
    kinds: ['hidden-routes'],
    facts: ({ data }) => (data ? hiddenRoutes(data.url, data.hidden) : []),
  },

  explain: {
    description:
      'A machine-readable description of the whole API (OpenAPI, formerly Swagger) can be fetched without logging in. For a public API that is as it should be; for an API that only your own pages use it may be an oversight.',
    impact:
      'It lists every route with its parameters, those for administrators included. Whoever looks for a route that forgot to check who asks need not guess any more.',
    sends:
      'GET requests for 9 usual paths, for 10 more where one of them answers, for seen addresses that look like a description, and for those that viewer pages name.',
    proves:
      'The address answers with an OpenAPI document that has paths; a random name beside it does not. An attacker reads all operations. Shows a configuration; no operation was called.',
    remedy:
      'Decide whether the description is meant for everybody. If not, switch it off in production: FastAPI `FastAPI(openapi_url=None)`, Spring `springdoc.api-docs.enabled=false`, ASP.NET Core `if (app.Environment.IsDevelopment()) app.MapOpenApi();`, NestJS: call `SwaggerModule.setup` in development only. In any case every route has to check rights by itself.',
    references: [
      'OpenAPI Specification: https://spec.openapis.org/oas/latest.html',
      'OWASP API9:2023 Improper Inventory Management: https://owasp.org/API-Security/editions/2023/en/0xa9-improper-inventory-management/',
      'CWE-200: https://cwe.mitre.org/data/definitions/200.html',
    ],
  },
});

/** Addresses of the site that a page which shows a description, or its own script, reads it from. */
async function namedBy({ http }: CheckContext, { url: page, scripts }: PageSurface): Promise<string[]> {
  const { text } = await http.get(page);
  if (!viewer.test(text)) return [];
  const { origin } = new URL(page);
  const files = scripts.flatMap(({ url = '' }) =>
    /init|index|docs?\b/i.test(url) && url.startsWith(`${origin}/`) ? url : [],
  );
  const texts = await inParallel(files, 2, async (url) => (await http.get(url)).text);
  const found = [text, ...texts].flatMap((each) =>
    [...each.matchAll(named)].flatMap(([, address = '']) => URL.parse(address, page)?.href ?? []),
  );
  return [...new Set(found)].filter((url) => url.startsWith(`${origin}/`) && url !== page);
}

async function look({ http, surface }: CheckContext, url: string): Promise<Candidate<Document>[]> {
  const { status, text } = await http.get(url);
  const claims =
    status === 200 ? forms.find((form) => form.every((each) => firstMatch(each.expected, text))) : undefined;
  const { routes, left } = claims ? routesInDescription(text, url) : none;
  const hidden = { routes: unlinked(routes, [surface]), left };
  return claims ? [{ location: { url }, route: '/{openapi}', data: { url, claims, hidden } }] : [];
}
