import { parse } from 'tldts';
import type { Candidate } from '../../model/candidate.ts';
import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import { isHtml } from '../../probe/http/document-type.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { pagesAtMost, widened } from '../inputs/at-most.ts';
import { denials, type MissingTarget, missingTargets } from '../names/missing-targets.ts';
import { htmlPages } from '../pages/html-pages.ts';
import { lookAtPages } from '../pages/look-at-pages.ts';
import { type AbandonedHost, abandonedHost } from './abandoned-hosts.ts';
import { isThirdParty, loadedLinks, loadedScripts, tagPattern } from './third-party.ts';

/** A file that a page loads from a host of others. */
type Loaded = { pageUrl: string; url: string; tag: string };
type Abandoned = Loaded & ({ known: AbandonedHost } | { missing: MissingTarget });

const maxPages = 60;
/** Whoever registers the domain, or has it already, has script in the pages. */
const open = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N';

/** Pages load scripts or styles from hosts that nobody keeps, or that somebody else has taken. Source: CWE-829, CWE-1104. */
export const abandonedCdn = defineCheck<Abandoned>({
  id: 'client.abandoned-cdn',
  title: 'Scripts or styles from an abandoned or taken-over host',
  cwe: 829,
  owasp: 'A03:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:C/C:L/I:L/A:N',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    const pages = pagesAtMost(context, htmlPages(context.surface), widened(context, maxPages));
    if (pages.length === 0) return notApplicable('The site shows no HTML page.');
    const loaded = onceForEachHost((await lookAtPages(context, pages, ({ url }) => loadedAt(context, url))).flat());
    if (loaded.length === 0) return notApplicable('No page loads a script or style from a host of others.');
    const known = loaded.flatMap((each) => {
      const host = abandonedHost(new URL(each.url).hostname);
      return host ? [{ ...each, known: host }] : [];
    });
    const rest = loaded.filter(({ url }) => !known.some((each) => each.url === url));
    return [...known, ...(await withoutDomain(context, rest))].map(candidateFor);
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'A page loads a script or style sheet from a host whose service has ended, whose domain somebody else has bought, or whose domain does not exist any more. What it serves is decided by whoever has the domain now, or registers it.',
    impact:
      'Script from there runs in your pages with everything that your visitors may do: it reads what they type, changes where payments go, sends them elsewhere. In 2024 the new owner of polyfill.io did so to more than a hundred thousand sites, for some visitors only, so that the sites did not notice. A style sheet can read values of fields and change what a page shows.',
    sends:
      'Requests seen pages again, 60 or as many as the budget allows, and asks DNS for the domains of the hosts that their scripts and styles come from. Those hosts get no request.',
    proves:
      'A page loads a script or style from a host that is listed as abandoned or taken over, or whose domain its registry denies while the registry’s zone answers. Whoever has the domain runs script in the page. Nothing was registered.',
    remedy:
      'Take the element out, or serve the file yourself, from your build (`npm install …`). Polyfills for old browsers are hardly needed today; where they are, Cloudflare (https://cdnjs.cloudflare.com/polyfill/) and Fastly have copies. GitHub files: jsDelivr with a fixed version and `integrity="sha384-…" crossorigin="anonymous"`. Let the Content-Security-Policy name only hosts that you know, and look through templates, tag managers and stored content for the old host.',
    references: [
      'Sansec, Polyfill supply chain attack: https://sansec.io/research/polyfill-supply-chain-attack',
      'RawGit has shut down: https://rawgit.com/',
      'CWE-829: https://cwe.mitre.org/data/definitions/829.html',
      'Subresource Integrity: https://www.w3.org/TR/SRI/',
    ],
  },
});

async function loadedAt({ http }: CheckContext, pageUrl: string): Promise<Loaded[]> {
  const exchange = await http.get(pageUrl);
  if (!isHtml(exchange)) return [];
  const { text } = exchange;
  return [
    ...loadedScripts(text, pageUrl).filter(({ integrity }) => integrity.trim() === ''),
    ...loadedLinks(text, pageUrl),
  ]
    .filter(({ url }) => isThirdParty(url, pageUrl))
    .map(({ url, tag }) => ({ pageUrl, url, tag }));
}

/** What is wrong is wrong with the host, not with each file of it. */
function onceForEachHost(loaded: readonly Loaded[]): Loaded[] {
  const hosts = new Map<string, Loaded>();
  for (const each of loaded) {
    const { hostname } = new URL(each.url);
    if (!hosts.has(hostname)) hosts.set(hostname, each);
  }
  return [...hosts.values()];
}

/** Those whose registrable domain the registry does not have. A host that is missing below a domain is its owner's alone. */
async function withoutDomain(context: CheckContext, loaded: readonly Loaded[]): Promise<Abandoned[]> {
  const domains = loaded.flatMap(({ url }) => {
    const { domain, isIcann } = parse(url);
    return domain && isIcann ? [domain] : [];
  });
  const missing = await missingTargets(context, domains);
  return loaded.flatMap((each) => {
    const { domain } = parse(each.url);
    const found = missing.find(({ target, undelegated }) => target === domain && undelegated === domain);
    return found ? [{ ...each, missing: found }] : [];
  });
}

function candidateFor(data: Abandoned): Candidate<Abandoned> {
  const host = new URL(data.url).hostname;
  const what =
    'known' in data ? `${data.known.domain} ${data.known.fate}` : `the domain ${data.missing.target} does not exist`;
  const isOpen = 'missing' in data || data.known.isTakenOver;
  return {
    location: { url: data.pageUrl },
    route: `/{host} ${host}`,
    detail: `The page loads ${data.url}; ${what}.`,
    ...(isOpen ? { cvss: open } : {}),
    data,
  };
}

function experimentFor(data: Abandoned): Experiment {
  const host = new URL(data.url).hostname;
  const page = (pattern: string, note: string): Step => ({
    http: { url: data.pageUrl },
    note,
    isShown: true,
    expect: [claim('status', 'equals', '200'), claim('body', 'matches', pattern)],
  });
  const loads = page(tagPattern(data.tag), `The page loads a file from ${host}.`);
  if ('known' in data)
    return {
      steps: [loads],
      control: [
        page(
          `${tagPattern(data.tag.replace(/\s{0,9}\/?>$/, ''))} ‹nonce›`,
          'The element with another attribute is not in it.',
        ),
      ],
    };
  return {
    steps: [loads, ...denials(data.missing)],
    control: [
      {
        dns: { name: data.missing.zone, type: 'SOA' },
        note: 'The resolver does find that zone itself: neither its name servers nor a filter deny all of it.',
        expect: [claim('dns:rcode', 'equals', 'NXDOMAIN')],
      },
    ],
  };
}
