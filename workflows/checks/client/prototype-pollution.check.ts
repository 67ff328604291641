import type { Candidate } from '../../model/candidate.ts';
import { claim, type Experiment } from '../../model/experiment.ts';
import type { PageSurface } from '../../model/surface.ts';
import { parsePage } from '../../survey/page.ts';
import { type CheckContext, defineCheck, notApplicable, notRun } from '../contract.ts';
import { pagesAtMost } from '../inputs/at-most.ts';
import { inParallel } from '../inputs/parallel.ts';
import { htmlPages } from '../pages/html-pages.ts';
import { orLeft } from '../pages/or-left.ts';

/** A way to write the address of a property of all objects; `‹name›` and `‹value›` stand in it. */
type Polluting = { pageUrl: string; in: 'query' | 'fragment'; spelling: string };

const maxPages = 8;
/** As many as a browser has open at the same time. */
const width = 2;

/** How parsers of addresses write members of members. Each is put in with a property of its own, so that one visit tries all. */
const spellings = [
  '__proto__[‹name›]',
  '__proto__.‹name›',
  'constructor[prototype][‹name›]',
  'constructor.prototype.‹name›',
];

/** Script of a page lets its address give properties to every object. Source: CWE-1321. */
export const prototypePollution = defineCheck<Polluting>({
  id: 'client.prototype-pollution',
  title: 'Client-side prototype pollution',
  cwe: 1321,
  owasp: 'A08:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:C/C:L/I:L/A:N',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',
  cost: 15,

  async detect(context) {
    const pages = await pagesByScripts(context);
    if (pages.length === 0) return notApplicable('No page has a script that may read its address.');
    const unavailable = await context.browser.unavailable();
    if (unavailable !== undefined) return notRun('browser_unavailable', unavailable);
    const looked = await inParallel(pagesAtMost(context, pages, maxPages), width, ({ url }) => look(context, url));
    return onceForEachSpelling(looked.flat());
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'A script of the page takes its address apart into an object and follows names such as `__proto__` or `constructor.prototype` on the way. What the address says then becomes a property that every object of the page has.',
    impact:
      'Code that asks an object for an option which is not set gets the value out of the link instead: addresses of scripts, templates, event handlers. In many pages some library is led that way to run script of the author of the link, who then acts as the visitor (for known ones see the references); in others checks such as `if (user.isAdmin)` are switched. Whether this page has such a place was not tried.',
    sends: 'Opens up to 8 pages in a browser with four spellings of a property of the prototype in query and fragment.',
    proves:
      'Every object of the page has the random property of the address; the same property without `__proto__` or `constructor` reaches none. An attacker’s link sets properties of all objects. That script runs by it is not shown.',
    remedy:
      'Read addresses with URLSearchParams, which knows no members: `new URLSearchParams(location.search).get("q")`. Update or replace the parser (jquery-deparam, jQuery BBQ, can-deparam, purl, arg.js, backbone-query-parameters and old versions of qs and deparam-like helpers have this mistake). In code of your own: build with `Object.create(null)` or a Map, refuse the names `__proto__`, `constructor` and `prototype`, or test with `Object.hasOwn`. `Object.freeze(Object.prototype)` before other scripts stops all of it.',
    references: [
      'CWE-1321: https://cwe.mitre.org/data/definitions/1321.html',
      'Client-side prototype pollution, parsers and gadgets: https://github.com/BlackFan/client-side-prototype-pollution',
      'MDN, prototype pollution: https://developer.mozilla.org/en-US/docs/Web/Security/Attacks/Prototype_pollution',
      'OWASP Prototype Pollution Prevention Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/Prototype_Pollution_Prevention_Cheat_Sheet.html',
    ],
  },
});

/** One page for each file of script that no page before it had, and for each script in a page that may read the address. */
async function pagesByScripts(context: CheckContext): Promise<PageSurface[]> {
  const seen = new Set<string>();
  const isNew = (key: string) => !seen.has(key) && seen.add(key);
  const read = await inParallel(htmlPages(context.surface), width, async (page) => {
    const texts = page.scripts.every(({ url }) => url !== undefined)
      ? []
      : await orLeft(context, page.url, () => inlineScripts(context, page));
    return { page, texts: texts.flat() };
  });
  return read.flatMap(({ page, texts }) => {
    const files = page.scripts.flatMap(({ url }) => url ?? []).filter(isNew);
    const own = texts
      .filter((text) => mayReadAddress.test(text))
      .map(withoutTokens)
      .filter(isNew);
    return files.length + own.length > 0 ? [page] : [];
  });
}

async function inlineScripts({ http }: CheckContext, { url }: PageSurface): Promise<string[]> {
  const { text } = await http.get(url);
  return parsePage(text, url).inlineScripts;
}

/** A page gives each visitor another one. */
const withoutTokens = (script: string): string => script.replace(/(["'`])[\w+/=.-]{16,}\1/g, '$1$1');

/** By itself, or by a function of a library whose name says so. */
const mayReadAddress =
  /\blocation\b|\bdocument\.URL\b|(?:hash|query(?!Selector)|param|(?<!JSON\.)\bparse|state)\w{0,20}\s{0,3}\(/i;

async function look(context: CheckContext, pageUrl: string): Promise<Candidate<Polluting>[]> {
  const { browser, nonce } = context;
  const inQuery = spellings.map((spelling) => ({ spelling, in: 'query' as const, name: nonce() }));
  const inFragment = spellings.map((spelling) => ({ spelling, in: 'fragment' as const, name: nonce() }));
  const visit = async (tried: readonly ((typeof inQuery)[number] | (typeof inFragment)[number])[]) => {
    const address = tried.reduce(
      (url, { in: part, spelling, name }) => withPair(url, part, spelling, name, 'x'),
      pageUrl,
    );
    const { status, prototype } = await browser.visit({ url: address });
    const found = tried.filter(({ name }) => prototype.includes(`${name} x`));
    return { isShown: status < 400, found: found.map((each) => ({ pageUrl, in: each.in, spelling: each.spelling })) };
  };
  const looked = await orLeft(context, pageUrl, async () => {
    const both = await visit([...inQuery, ...inFragment]);
    // A server or firewall that refuses such a query never sees the fragment.
    const { found } = both.isShown ? both : await visit(inFragment);
    return found.map(candidateFor);
  });
  return looked.flat();
}

/** Puts a property into the address; brackets stay as they are, since some scripts do not decode what they read. */
function withPair(url: string, part: Polluting['in'], spelling: string, name: string, value: string): string {
  const pair = `${spelling.replace('‹name›', name)}=${value}`;
  const [page = '', fragment] = url.split('#');
  if (part === 'query')
    return `${page}${page.includes('?') ? '&' : '?'}${pair}${fragment === undefined ? '' : `#${fragment}`}`;
  return `${page}#${fragment === undefined ? '' : `${fragment}&`}${pair}`;
}

const candidateFor = (found: Polluting): Candidate<Polluting> => ({
  location: {
    url: found.pageUrl,
    method: 'GET',
    parameter: found.spelling.replace('‹name›', 'name'),
    parameterIn: found.in,
  },
  data: found,
});

/** A parser takes several spellings, in the query or in both: that is one mistake, and the first shows it. */
function onceForEachSpelling(candidates: readonly Candidate<Polluting>[]): Candidate<Polluting>[] {
  const pages = new Set<string>();
  return candidates.filter(({ location: { url } }) => !pages.has(url) && pages.add(url));
}

function experimentFor({ pageUrl, in: part, spelling }: Polluting): Experiment {
  const visit = (how: string) => ({
    browser: { url: withPair(pageUrl, part, how, '‹nonce›', '‹nonce2›') },
    expect: [
      claim('browser:prototype', 'matches', '(?m)^‹nonce› ‹nonce2›$', 'Every object has the property of the address.'),
    ],
  });
  return {
    steps: [
      { ...visit(spelling), note: 'A browser that opens this address gives every object of the page this property.' },
    ],
    control: [
      {
        ...visit('‹name›'),
        note: 'The same property without the way to the prototype in front of it reaches no other object.',
      },
    ],
  };
}
