import type { Candidate } from '../../model/candidate.ts';
import type { Exchange } from '../../model/http.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { documentedChanges, documentedHeaders } from '../decisions/documented-headers.ts';
import { endingChanges } from '../decisions/ending-changes.ts';
import { keyedAddresses } from '../decisions/headers-in-scripts.ts';
import { hostChanges } from '../decisions/host-changes.ts';
import { middlewareChanges } from '../decisions/middleware-changes.ts';
import { addressesOfNetworks } from '../decisions/named-networks.ts';
import { refusedNeighbours, versionChanges } from '../decisions/older-versions.ts';
import { type OpenedPage, openedBy, openedExperiment, type PageChange } from '../decisions/opened-page.ts';
import {
  addressChange,
  addressChanges,
  flagChange,
  flagChanges,
  flagsFor,
  methodChanges,
  namedChanges,
  overridingChanges,
  rightsChange,
  rightsChanges,
  spelledChanges,
} from '../decisions/refusal-changes.ts';
import { refusedPages, rolesNamedBy } from '../decisions/refused-page.ts';
import { eachKindAtMost } from '../inputs/at-most.ts';
import { isFromCache } from '../pages/shared-cache.ts';

/** Refused pages that are tried; each takes some twenty requests. */
const maxPages = 6;

/** A page that is refused is shown to the same request in another spelling, with another method, or with a header that says something else. Source: CWE-288, WSTG-ATHZ-02. */
export const refusalBypass = defineCheck<OpenedPage>({
  id: 'auth.refusal-bypass',
  title: 'Access control bypass (403 bypass)',
  cwe: 288,
  owasp: 'A01:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',
  cost: 20,

  async detect(context) {
    const pages = await refusedPages(context);
    const neighbours = await refusedNeighbours(context);
    const keyed = await keyedAddresses(context);
    if (pages.length + neighbours.length + keyed.length === 0)
      return notApplicable('No page that was seen is refused.');
    const kindOf = ({ status, request }: Exchange) => `${status} ${new URL(request.url).pathname.split('/')[1]}`;
    const chosen = eachKindAtMost(context, pages, { max: maxPages, maxOfKind: 2, enough: 1, kindOf }, 'refused pages');
    const candidates: Candidate<OpenedPage>[] = [];
    for (const page of chosen) {
      const opened = await openedAt(context, page);
      if (opened) candidates.push(candidateFor(page, opened));
    }
    for (const ofKind of neighbours)
      for (const page of ofKind) {
        const opened = await firstOpened(context, page, versionChanges(page.request.url));
        if (!opened) continue;
        candidates.push(candidateFor(page, opened));
        break;
      }
    for (const { page, headers } of keyed) {
      const opened = await firstOpened(context, page, documentedChanges(page.request.url, headers));
      if (opened) candidates.push(candidateFor(page, opened));
    }
    return candidates;
  },

  confirm: (_context, { data }) =>
    data &&
    openedExperiment(
      data,
      'The same kind of change, for a page or an object, from an address or with a role that is nobody’s, does not show it.',
    ),

  explain: {
    description:
      'A page is refused, and the same request in another spelling, with another method, or with a parameter or header that any client can set, is shown it: what guards the page and what serves it read the request differently, or the guard believes what a client says of itself.',
    impact:
      'Whoever knows the spelling, the method or the header reads what the guard keeps from everybody: administration, status pages, interfaces for the server’s own machine.',
    sends:
      'Asks for 6 refused pages in 14 spellings (`/%2e/admin`), with a NUL byte, older versions (`/v1/`), with OPTIONS, PROPFIND, on a test system POST with a header for GET, `debug=1`, headers of addresses, networks, roles, comments, scripts, Next.js, `X-Original-URL`, hosts. No headers with a cache.',
    proves:
      'The changed request shows twice what the refusal, the first page and the same change for a page or from an address or role of nobody do not show. An attacker reads the page.',
    remedy:
      'Take older versions of an interface away, or give them the same checks. Check rights in the program that serves the page, after it has read the address, and refuse by default: a guard of the web server or proxy that compares paths as text is a second line at most. Let rules hold for all methods (Apache `<Limit GET POST>` and `<http-method>` of `web.xml` hold for those alone). Take X-Forwarded-For only from your own proxies (`app.set("trust proxy", "loopback")`, `set_real_ip_from`), let the proxy remove X-Original-URL and X-Rewrite-URL, let it overwrite the headers that name users and roles (`X-Forwarded-User`), and never decide on rights by Referer or Host.',
    references: [
      'CWE-288: https://cwe.mitre.org/data/definitions/288.html',
      'WSTG-ATHZ-02: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/05-Authorization_Testing/02-Testing_for_Bypassing_Authorization_Schema',
      'WSTG-CONF-06: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/06-Test_HTTP_Methods',
    ],
  },
});

async function firstOpened(
  context: CheckContext,
  page: Exchange,
  changes: readonly PageChange[],
): Promise<OpenedPage | undefined> {
  const first = await context.http.get(context.surface.url, { maxRedirects: 3 });
  const elsewhere = [first, page, ...(await openNamesake(context, page.request.url))];
  for (const change of changes) {
    const opened = await openedBy(context, change, { elsewhere });
    if (opened) return opened;
  }
  return undefined;
}

/** The page that the site itself leads to at the same path but for the slash at its end: another spelling of the refused one shows it too, and opens nothing. */
async function openNamesake({ http, surface }: CheckContext, url: string): Promise<Exchange[]> {
  const pathOf = (each: string) => each.replace(/\/?(?:[?#].*)?$/s, '');
  const namesake = surface.pages.find(({ status, url: each }) => status === 200 && pathOf(each) === pathOf(url));
  return namesake ? [await http.get(namesake.url)] : [];
}

async function openedAt(context: CheckContext, page: Exchange): Promise<OpenedPage | undefined> {
  const { http, surface } = context;
  const { url } = page.request;
  const first = await http.get(surface.url, { maxRedirects: 3 });
  const tryAll = (changes: readonly PageChange[]) => firstOpened(context, page, changes);
  const overriding = context.writes === 'create' ? overridingChanges(url) : [];
  const spelled = await tryAll([
    ...[...endingChanges(url, surface.pages), ...spelledChanges(url), ...versionChanges(url)],
    ...[...methodChanges(url), ...overriding],
  ]);
  if (spelled) return spelled;
  const flags = flagsFor(rolesNamedBy(page));
  for (const value of ['1', 'true'] as const) {
    const flagged = await tryAll([flagChange(url, value, flags)]);
    if (flagged) return (await tryAll(flagChanges(url, value, flags))) ?? flagged;
  }
  if (isFromCache(page) || isFromCache(await http.get(url, { fresh: true }))) {
    context.leave({
      code: 'unclear',
      count: 1,
      text: `${url} was not asked for with other headers: a cache could give others what it is answered`,
    });
    return undefined;
  }
  const opened = await tryAll([
    ...documentedChanges(url, documentedHeaders([first, page], page)),
    ...middlewareChanges(url, [first, page]),
  ]);
  if (opened) return opened;
  const fromNetworks = addressesOfNetworks([page]).map(
    (address) =>
      [(at: string) => addressChange(at, undefined, address), (at: string) => addressChanges(at, address)] as const,
  );
  for (const [all, each] of [
    [(at: string) => addressChange(at), (at: string) => addressChanges(at)] as const,
    ...fromNetworks,
    [(at: string) => rightsChange(at), rightsChanges] as const,
  ]) {
    const opened = await tryAll([all(url)]);
    if (opened) return (await tryAll(each(url))) ?? opened;
  }
  return tryAll([...namedChanges(url), ...hostChanges(url, [page, first])]);
}

const candidateFor = ({ request }: Exchange, data: OpenedPage): Candidate<OpenedPage> => ({
  location: { url: request.url, method: 'GET' },
  // What lets one change pass lets it pass for all pages.
  route: `/{refused}/${data.change.what}`,
  detail: `It was shown to the same request with ${data.change.what}.`,
  data,
});
