import type { Candidate } from '../../model/candidate.ts';
import { claim, type Step } from '../../model/experiment.ts';
import { escapePattern } from '../../proof/pattern.ts';
import { sourceTextsIn } from '../../proof/source-map.ts';
import { maxPackBytes } from '../../proof/subjects/readers.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { atMost, likeliest, widened } from '../inputs/at-most.ts';
import { inParallel } from '../inputs/parallel.ts';
import { type MapReference, mapReferenceIn } from '../pages/map-reference.ts';
import { type Routes, routesInSources, unlinked } from '../pages/route-templates.ts';
import { isLibraryFile, isRelease, ownScripts } from '../pages/scripts.ts';
import { hiddenRoutes } from './hidden-routes.ts';

type Mapped = {
  script: string;
  named: MapReference;
  /** URL of the map, or of the script that it stands in. */
  map: string;
  source: string;
  /** Routes of objects in the sources that no page leads to. */
  hidden: Routes;
};

const maxScripts = 40;
/** Scripts that name no map, and whose map is looked for where bundlers put it all the same. */
const maxUnnamed = 6;

/** The original source of the site's scripts can be fetched. Source: ECMA-426, WSTG-INFO-05, CWE-540. */
export const sourceMap = defineCheck<Mapped>({
  id: 'exposure.source-map',
  title: 'Exposed source maps',
  cwe: 540,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:N/A:N',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',

  async detect(context) {
    const own = ownScripts(context.surface).filter((url) => !isLibraryFile(url) && !isRelease(url));
    const scripts = atMost(context, own, widened(context, maxScripts), 'script files');
    if (scripts.length === 0) return notApplicable('The site has no script files of its own.');
    const looked = await inParallel(scripts, 4, (url) => look(context, url));
    if (looked.flat().length > 0) return namedOnce(looked.flat());
    const hidden = await inParallel(likeliest(context, scripts, maxUnnamed, 'script files'), 4, (url) =>
      lookAtMap(context, url, { reference: '' }),
    );
    return namedOnce(hidden.flat());
  },

  confirm: (_context, { data }) => {
    if (!data) return undefined;
    const { script, named, map, source } = data;
    const step = (url: string, note: string): Step => ({
      http: { url },
      note,
      expect: [
        claim('status', 'equals', '200'),
        claim('body:source-map', 'matches', `(?m)^${escapePattern(source)}$`, 'The map holds the text of this source.'),
      ],
    });
    const naming: Step = {
      http: { url: script },
      note: 'The script says where its source map is.',
      expect: [
        named.header
          ? claim(`header:${named.header}`, 'equals', named.reference)
          : claim(
              'body:masked',
              'matches',
              `[#@]\\s*sourceMappingURL=${escapePattern(named.reference)}\\s*(?:\\*/)?\\s*$`,
            ),
      ],
    };
    return {
      steps: [...(named.url ? [naming] : []), step(map, 'The map holds the source as it was written.')],
      control: [step(map.replace(/\/([^/?]+)(\?.*)?$/s, '/‹nonce›$1$2'), 'A map of a random name beside it does not.')],
    };
  },

  gives: {
    kinds: ['hidden-routes'],
    facts: ({ data }) => (data ? hiddenRoutes(data.map, data.hidden) : []),
  },

  explain: {
    description:
      'A script of the site names a source map, and the map can be fetched. It holds the source code as it was written: names, comments, the structure of folders, and parts that were left out of what visitors need.',
    impact:
      'Reading the client becomes as easy as for its authors: routes that no page links to, checks that only the client makes, names of internal systems, notes on what is not finished. It is no hole by itself, but shortens the search for one.',
    sends: 'Requests up to 40 script files, the maps that they name, or else the map beside up to 6 of them.',
    proves:
      'The map holds the text of a source file of the site; a map of a random name does not. An attacker reads the client’s original source.',
    remedy:
      'Do not deploy the maps, or only to where your error reports are read. Vite: `build.sourcemap: "hidden"`. webpack: `devtool: "hidden-source-map"`. Next.js: leave `productionBrowserSourceMaps` off. Upload the maps to the error tracker in the build and delete them: `find dist -name "*.map" -delete`. Refuse what was deployed already: nginx `location ~ \\.map$ { return 404; }`.',
    references: [
      'CWE-540: https://cwe.mitre.org/data/definitions/540.html',
      'WSTG-INFO-05: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/01-Information_Gathering/05-Review_Web_Page_Content_for_Information_Leakage',
      'ECMA-426, source map format: https://tc39.es/ecma426/',
    ],
  },
});

async function look(context: CheckContext, script: string): Promise<Candidate<Mapped>[]> {
  const { http } = context;
  const start = await http.get(script);
  // A map that stands in its script makes it large, and comes last.
  const exchange = start.truncated ? await http.get(script, { maxBodyBytes: maxPackBytes }) : start;
  const named = exchange.status === 200 ? mapReferenceIn(exchange) : undefined;
  return named ? lookAtMap(context, script, named, named.url ? undefined : exchange.text) : [];
}

/** @param inline text of the script, when the map stands in it */
async function lookAtMap(
  { http, surface }: CheckContext,
  script: string,
  named: MapReference,
  inline?: string,
): Promise<Candidate<Mapped>[]> {
  const map = named.url ?? (inline === undefined ? script.replace(/(?=\?|$)/, '.map') : script);
  const text = inline ?? (await textAt(http, map));
  const sources = sourceTextsIn(text).filter(({ name }) => isOwn(name));
  const [first] = sources;
  if (!first) return [];
  const source = first.name;
  const texts = sources.map(({ content }) => content);
  const { routes, left } = routesInSources(texts, new URL(map).origin);
  const hidden = { routes: unlinked(routes, [surface]), left };
  return [
    {
      location: { url: map },
      // One setting of the build, seen in several files.
      route: '/{source-map}',
      detail: `The map holds the text of "${source}".`,
      data: { script, named, map, source, hidden },
    },
  ];
}

async function textAt(http: CheckContext['http'], url: string): Promise<string> {
  const { status, text } = await http.get(url, { maxBodyBytes: maxPackBytes });
  return status === 200 ? text : '';
}

/** A route that several maps name is a fact of the first. */
function namedOnce(candidates: readonly Candidate<Mapped>[]): Candidate<Mapped>[] {
  const known = new Set<string>();
  return candidates.map((candidate) => {
    if (!candidate.data) return candidate;
    const { routes, left } = candidate.data.hidden;
    const hidden = { routes: routes.filter((route) => !known.has(route) && known.add(route)), left };
    return { ...candidate, data: { ...candidate.data, hidden } };
  });
}

/** Packages of others and what bundlers add are public already. */
const isOwn = (source: string): boolean =>
  !/node_modules|bower_components|\/vendors?\/|^webpack:\/\/(?:[^/]*\/)?(?:\(?webpack|webpack)|^(?:vite|rollup|webpack)\/|core-js|\bexternal /i.test(
    source,
  ) && !/[\p{Cc}]/u.test(source);
