import type { Candidate } from '../../model/candidate.ts';
import { type Assertion, claim, type Experiment, type Step } from '../../model/experiment.ts';
import type { Exchange, HeaderList } from '../../model/http.ts';
import type { PageSurface } from '../../model/surface.ts';
import { isHtml } from '../../probe/http/document-type.ts';
import { namedPath } from '../../probe/program-parts.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { samplePages } from '../inputs/at-most.ts';
import { lookAtPages } from '../pages/look-at-pages.ts';
import { isFromCache, unshared } from '../pages/shared-cache.ts';

type Believed = { url: string; header: string; value: string; where: 'address' | 'redirect' };

/** Pages of one origin that are looked at; all are made by the same framework. */
const maxPages = 6;

/** RFC 2606: nobody can own a name below .example. */
const foreign = '‹nonce›.example';
/** Headers that proxies send to the application behind them, here sent by the visitor. Source: RFC 7239, and the habit before it. */
const headers: readonly [name: string, value: string][] = [
  ['X-Forwarded-Host', foreign],
  ['Forwarded', `host=${foreign}`],
];

const resetWords = /(?:forgot|reset|recover|lost|vergessen|oublie|olvid)[\w-]*/i;
/** The page asks for the address that a link is sent to: the same links stand in the mail. */
const resetVector = 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:H/I:N/A:N';
/** One poisoned answer is given to everybody. */
const cacheableVector = 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:C/C:L/I:L/A:N';

/** Addresses in an answer are made of a host that the request names in a header. Source: CWE-644, WSTG-INPV-17. */
export const hostHeader = defineCheck<Believed>({
  id: 'injection.host-header',
  title: 'Host header injection',
  cwe: 644,
  owasp: 'A05:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:N/I:L/A:N',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',
  cost: 20,

  async detect(context) {
    const pages = samplePages(context, pagesOf(context.surface.pages), maxPages, 'one framework makes them all');
    if (pages.length === 0) return notApplicable('No page was seen.');
    return (await lookAtPages(context, pages, (page) => look(context, page))).flat();
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The application believes a header that a proxy is meant to set, although nothing in front of it sets or removes it: the host that a visitor names there stands in the addresses of the page or of a redirect.',
    impact:
      'By itself a visitor deceives only themselves. It becomes grave where somebody else gets the answer: a cache keeps it for all, with script and links of the attacker’s host, or a mail for resetting a password leads to that host with its token.',
    sends:
      'Requests up to 6 pages under a random parameter with a random host in `X-Forwarded-Host` and `Forwarded`. The `Host` header stays, and no form is sent.',
    proves:
      'A redirect or address of the page has the random host; in a header of a random name it comes back nowhere. An attacker profits where a cache or a mail for resetting passwords repeats it; neither is shown.',
    remedy:
      'Make absolute addresses of a configured name (`APP_URL`, `WP_HOME`, Django `ALLOWED_HOSTS` without `USE_X_FORWARDED_HOST`, Rails `config.hosts`, Symfony `trusted_hosts`), or use relative ones. Believe forwarding headers from your own proxies only (Express `app.set("trust proxy", "10.0.0.0/8")`, Laravel TrustProxies), and let the outermost proxy overwrite them: nginx `proxy_set_header X-Forwarded-Host $host;`.',
    references: [
      'CWE-644: https://cwe.mitre.org/data/definitions/644.html',
      'WSTG-INPV-17: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/17-Testing_for_Host_Header_Injection',
      'RFC 7239 §8.1: https://www.rfc-editor.org/rfc/rfc7239#section-8.1',
    ],
  },
});

/** Those that matter most first: pages for lost passwords, then redirects and pages in their order. */
function pagesOf(pages: readonly PageSurface[]): PageSurface[] {
  const seen = pages.filter(({ status, contentType }) => status < 400 && (status >= 300 || /html/.test(contentType)));
  return seen.toSorted((a, b) => Number(isReset(b)) - Number(isReset(a)));
}

const isReset = ({ url }: PageSurface): boolean => resetWords.test(namedPath(url));

async function look({ http, nonce }: CheckContext, page: PageSurface): Promise<Candidate<Believed>[]> {
  // A cache that ignores parameters would give our answer to others: there nothing is tried.
  const plain = await http.get(unshared(page.url, nonce()), { fresh: true });
  if (isFromCache(plain)) return [];
  for (const [header, value] of headers) {
    const word = nonce();
    const given = [[header, value.replace('‹nonce›', word)]] as const;
    const answer = await http.get(unshared(page.url, nonce()), { headers: given, fresh: true });
    const where = whereIn(answer, `${word}.example`);
    if (!where) continue;
    const vector = isReset(page) ? resetVector : isCacheable(answer) ? cacheableVector : undefined;
    return [
      {
        location: { url: page.url, parameter: header, parameterIn: 'header' },
        // How the application finds its own name is a property of the whole.
        route: '/',
        detail: `A host in ${header} comes back in ${where === 'redirect' ? 'a redirect' : 'addresses of the page'}.`,
        ...(vector === undefined ? {} : { cvss: vector }),
        data: { url: page.url, header, value, where },
      },
    ];
  }
  return [];
}

/** Shared caches may keep it. Source: RFC 9111 §3. */
function isCacheable(answer: Exchange): boolean {
  const control = answer.headerValues('cache-control').join(',').toLowerCase();
  if (/no-store|private|no-cache/.test(control) || answer.header('set-cookie') !== undefined) return false;
  return /s-maxage=[1-9]|(?:^|[,\s])public\b|max-age=[1-9]/.test(control);
}

function whereIn(answer: Exchange, host: string): Believed['where'] | undefined {
  const location = URL.parse(answer.header('location') ?? '', answer.request.url);
  if (answer.status >= 300 && answer.status < 400 && location?.hostname === host) return 'redirect';
  const isAddress = new RegExp(`["'=]\\s*(?:https?:)?//${host.replaceAll('.', '\\.')}[/"':?#>]`);
  return isHtml(answer) && isAddress.test(answer.text) ? 'address' : undefined;
}

function experimentFor({ url, header, value, where }: Believed): Experiment {
  const shown: Assertion =
    where === 'redirect'
      ? claim('location:origin', 'matches', '^https?://‹nonce›\\.example(?::\\d+)?$', 'The redirect leads there.')
      : claim(
          'body',
          'matches',
          '["\'=]\\s*(?:https?:)?//‹nonce›\\.example[/"\':?#>]',
          'An address of the page has it.',
        );
  const step = (sent: HeaderList, note: string): Step => ({
    http: { url: unshared(url, '‹nonce2›'), headers: sent },
    note,
    expect: [shown],
  });
  return {
    steps: [step([[header, value]], 'The host in the header becomes that of addresses.')],
    control: [step([['X-‹nonce3›', value]], 'In a header without meaning it comes back nowhere.')],
  };
}
