import { claim, type Experiment } from '../../model/experiment.ts';
import type { InputSurface } from '../../model/surface.ts';
import { isHtml } from '../../probe/http/document-type.ts';
import { fill, fillAction, newTrialValues } from '../../proof/template.ts';
import { parsePage } from '../../survey/page.ts';
import { type CheckContext, defineCheck, notApplicable, notRun } from '../contract.ts';
import {
  isCompiled,
  type TemplatePayload,
  type TemplatePlace,
  templatePayloads,
  templatePlaces,
} from '../dom/template-payloads.ts';
import { atMost, likeliest } from '../inputs/at-most.ts';
import { canaryAt } from '../inputs/canary.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { inParallel } from '../inputs/parallel.ts';
import { namedPaths, rootPath } from '../inputs/path-inputs.ts';
import { siteRoots } from '../pages/folders.ts';
import { isLibraryFile } from '../pages/scripts.ts';
import { lookAtEach } from './look-at-each.ts';
import { browserAction } from './posting-page.ts';

type Compiled = { input: OpenedInput; place: TemplatePlace; payload: TemplatePayload; detail: string };

const maxInputs = 300;
/** Payloads that are tried in the browser for each place of an input. */
const maxVisits = 3;
/** Script files of one page that are read for what compiles it. */
const maxFiles = 8;
const width = 4;

/** A value of a request becomes part of a template that a library compiles in the browser. Source: CWE-79, CWE-1336. */
export const clientTemplate = defineCheck<Compiled>({
  id: 'injection.client-template',
  title: 'Client-side template injection (CSTI)',
  cwe: 79,
  owasp: 'A05:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',
  cost: 15,

  async detect(context) {
    const inputs = inputsOf(context);
    if (inputs.length === 0) return notApplicable('No page takes a value from its address.');
    if (!context.surface.pages.some(({ scripts }) => scripts.length > 0)) return notApplicable('No page has a script.');
    const unavailable = await context.browser.unavailable();
    if (unavailable !== undefined) return notRun('browser_unavailable', unavailable);
    return lookAtEach(context, inputs, maxInputs, (input) => look(context, input));
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The server puts a value of the address into a part of the page that Vue, AngularJS, Alpine or a similar library then compiles in the browser. Encoding for HTML does not help: the library reads the text after the browser has decoded it, and runs what stands between its signs (`{{ … }}`), or in an attribute that it takes for an expression (`x-data`, `:title`, `ng-init`).',
    impact:
      'Whoever follows such a link runs script of its author as part of the site: it acts in the visitor’s session, reads what the site shows, and changes the page to ask for a password. Filters for tags see nothing of it.',
    sends:
      'Sends a random word in each GET input; opens pages that compile it in a browser, with up to 3 expressions for each place.',
    proves:
      'A real browser runs the expression in the address (`alert` with the nonce); the value without the signs of an expression runs nothing. An attacker’s link acts as the visitor.',
    remedy:
      'Keep what the server writes out of what the library compiles: `<p v-pre>` (Vue), `<p ng-non-bindable>` (AngularJS), `x-ignore` (Alpine), or mount the library on elements that hold no values of requests. Pass values as data: `<div id="app" data-query="…">` read by `el.dataset.query`, and shown by `{{ query }}` or `v-text`. In attributes with expressions write no value into the code; have the expression read it: `x-data="{ q: $el.dataset.q }"`. Compile templates in the build, with the run-time build of Vue and a Content-Security-Policy without `unsafe-eval`. AngularJS has had no repairs since 2021.',
    references: [
      'CWE-79: https://cwe.mitre.org/data/definitions/79.html',
      'CWE-1336: https://cwe.mitre.org/data/definitions/1336.html',
      'Vue, Security, rule no. 1: https://vuejs.org/guide/best-practices/security.html',
      'AngularJS, Security: https://docs.angularjs.org/guide/security',
      'PortSwigger, Client-side template injection: https://portswigger.net/kb/issues/00200308_client-side-template-injection',
    ],
  },
});

/** Inputs that a link can carry, and the path itself. */
function inputsOf({ surface }: CheckContext): InputSurface[] {
  const given = surface.inputs.filter(
    ({ method, in: place }) => method === 'GET' && (place === 'query' || place === 'path'),
  );
  const paths = surface.origins
    .filter(({ origin, redirectsTo }) => !redirectsTo || redirectsTo.startsWith(`${origin}/`))
    .map(({ origin }) => rootPath(origin));
  return [...given, ...namedPaths(surface), ...paths];
}

/** Where a word comes back in a page that a library compiles, a browser tries expressions. */
async function look(context: CheckContext, input: OpenedInput): Promise<Compiled | undefined> {
  const { word, exchange } = await canaryAt(context, input);
  if (!isHtml(exchange) || !exchange.text.includes(word)) return undefined;
  const places = templatePlaces(exchange.text, word);
  if (places.length === 0) return undefined;
  const scripts = await scriptsOf(context, exchange.text, exchange.request.url);
  if (!isCompiled(exchange.text, scripts)) return undefined;
  for (const place of places) {
    const found = await runIn(context, input, place, scripts);
    if (found) return found;
  }
  return undefined;
}

/** What is known of the library decides what comes next: the first visit shows its version. */
async function runIn(
  context: CheckContext,
  input: OpenedInput,
  place: TemplatePlace,
  scripts: readonly string[],
): Promise<Compiled | undefined> {
  const tried = new Set<string>();
  let libraries: string[] = [];
  while (tried.size < maxVisits) {
    const payload = templatePayloads(place, libraries, scripts).find(({ value }) => !tried.has(value));
    if (!payload) return undefined;
    tried.add(payload.value);
    const values = newTrialValues(context.nonce);
    const visit = fillAction({ browser: visitOf(input, payload) }, values);
    if (!('browser' in visit)) return undefined;
    const seen = await context.browser.visit(visit.browser);
    if (seen.dialogs.includes(fill('‹nonce›', values))) return { input, place, payload, detail: detailOf(place, seen) };
    libraries = seen.libraries;
  }
  const untried = templatePayloads(place, libraries, scripts).filter(({ value }) => !tried.has(value));
  likeliest(context, [...tried, ...untried], maxVisits, 'expressions');
  return undefined;
}

const detailOf = (place: TemplatePlace, { libraries }: { libraries: string[] }): string => {
  const library = libraries.find((line) => /^(?:angularjs|vue) /.test(line));
  const where =
    place.kind === 'text'
      ? 'The value stands in text that the library compiles'
      : `The value stands in the expression of the attribute "${place.attribute}"`;
  return `${where}${library ? ` (${library})` : ''}.`;
};

/** Text of the page's own scripts; the file name of a library identifies it well enough. */
async function scriptsOf(context: CheckContext, html: string, url: string): Promise<string[]> {
  const { http, surface } = context;
  const { scripts, inlineScripts } = parsePage(html, url);
  const roots = siteRoots(surface);
  const files = scripts
    .flatMap((script) => script.url ?? [])
    .filter((file) => !isLibraryFile(file) && roots.some((root) => file.startsWith(root)));
  const few = atMost(context, [...new Set(files)], maxFiles, 'script files of a page');
  const texts = await inParallel(few, width, async (file) => (await http.get(file)).text);
  return [...inlineScripts, ...texts];
}

const visitOf = (input: OpenedInput, { value, clicks = [] }: Pick<TemplatePayload, 'value' | 'clicks'>) => ({
  ...browserAction(input, value),
  ...(clicks.length > 0 ? { clicks: [...clicks] } : {}),
});

function experimentFor({ input, payload }: Compiled): Experiment {
  const ran = [claim('browser:dialogs', 'matches', '(?m)^‹nonce›$', 'The page called alert with the nonce.')];
  return {
    steps: [
      {
        browser: visitOf(input, payload),
        note: 'A browser that opens this address runs the expression in it.',
        expect: ran,
      },
    ],
    control: [
      {
        browser: visitOf(input, { ...payload, value: payload.inert }),
        note: 'Without what makes an expression of it, the value runs nothing.',
        expect: ran,
      },
    ],
  };
}
