import { callbackSpot } from '../../model/callbacks.ts';
import type { Candidate } from '../../model/candidate.ts';
import { claim, type Experiment } from '../../model/experiment.ts';
import { defineCheck, notApplicable, notRun } from '../contract.ts';
import { samplePages } from '../inputs/at-most.ts';
import { callbackWaitMs, expectAll, hear } from '../inputs/callback-look.ts';
import { inParallel } from '../inputs/parallel.ts';
import { isInternal } from './fetch-ways.ts';

type FetchedHeader = { url: string; name: string; value: string };

/** One framework reads the headers of all pages. */
const maxPages = 4;

/** Headers that programs look at the address in: statistics, device profiles, and addresses that are made of headers of proxies. */
const headers: readonly { name: string; write: (spot: string) => string }[] = [
  { name: 'Referer', write: (spot) => `http://${spot}` },
  { name: 'X-Forwarded-Host', write: (spot) => spot.replace(/\/$/, '') },
  { name: 'X-Host', write: (spot) => spot.replace(/\/$/, '') },
  { name: 'X-Wap-Profile', write: (spot) => `http://${spot}` },
  { name: 'Profile', write: (spot) => `http://${spot}` },
  { name: 'X-Original-URL', write: (spot) => `http://${spot}` },
  { name: 'X-Callback-URL', write: (spot) => `http://${spot}` },
];

/** The server fetches an address that a header of the request names. Source: CWE-918, WSTG-INPV-19. */
export const ssrfHeader = defineCheck<FetchedHeader>({
  id: 'injection.ssrf-header',
  title: 'Server-side request forgery (SSRF) by a header',
  cwe: 918,
  owasp: 'A01:2025',
  // What the server got was not shown.
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:N/A:N',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    const { callbacks, http, surface } = context;
    if (!callbacks)
      return notRun('no_callback_listener', 'there is no listener for callbacks (CALLBACK_HOST is not set)');
    const shown = surface.pages.filter(({ status, contentType }) => status < 400 && /html|json/.test(contentType));
    const pages = samplePages(context, shown, maxPages, 'one framework reads the headers of all');
    if (pages.length === 0) return notApplicable('No page was seen.');
    const sent = await inParallel(pages, maxPages, async ({ url }) => {
      const tried = headers.map(({ name, write }) => {
        const token = callbacks.newToken();
        return { token, name, value: write(callbackSpot(callbacks.host, token)), write };
      });
      await http.get(url, { headers: tried.map(({ name, value }) => [name, value] as const), fresh: true });
      return tried.map((each) => ({ ...each, url }));
    });
    const tried = sent.flat();
    const tokens = tried.map(({ token }) => token);
    const called = new Set((await hear(context, tokens)).map(({ token }) => token));
    const candidate = ({ url, name, write }: (typeof tried)[number]): Candidate<FetchedHeader> => ({
      location: { url, parameter: name, parameterIn: 'header' },
      route: '/',
      detail: `The server called a listener of the audit that ${name} names; what it got was not shown.`,
      ...(isInternal(callbacks.host) ? { cvss: insideVector } : {}),
      data: { url, name, value: write(callbackSpot(callbacks.host, '‹callback›')) },
    });
    const silent = tried.filter(({ token }) => !called.has(token));
    expectAll(
      context,
      silent.map((each) => ({ token: each.token, candidate: candidate(each) })),
    );
    return tried.filter(({ token }) => called.has(token)).map(candidate);
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The server fetches the address that a header of the request names: a listener of the audit was called with a word that only this header held.',
    impact:
      'Everybody can have the server send requests in its own name, from its own network: to services without a password that only it reaches, or at others, who see the server as the sender.',
    sends:
      'Requests up to 4 pages once, with the address of our listener in `Referer`, `X-Forwarded-Host` and five further headers.',
    proves:
      'The server calls the address in that header, twice with new words; an address in a header of a random name is not called. What it gets, and whether it reaches internal services, is not shown.',
    remedy:
      'Do not fetch what a visitor names: take referrers as text, make addresses of a configured host, and ignore forwarding headers of others than your proxies. Where fetching is meant, allow a list of hosts, refuse private, loopback and link-local addresses (RFC 6890) and follow no redirects.',
    references: [
      'CWE-918: https://cwe.mitre.org/data/definitions/918.html',
      'WSTG-INPV-19: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/19-Testing_for_Server-Side_Request_Forgery',
    ],
  },
});

/** The listener stands in the server's own network. */
const insideVector = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:L/I:N/A:N';

function experimentFor({ url, name, value }: FetchedHeader): Experiment {
  const isCalled = [claim('callback:protocols', 'present', '', 'Nobody but the server knows the word.')];
  const send = (header: string, spot: string, note: string) => ({
    http: { url, headers: [[header, spot] as const] },
    note,
    expect: [],
  });
  return {
    steps: [
      send(name, value, 'The header names an address of the listener with a random word that nothing else contains.'),
      { callback: { token: '‹callback›', waitMs: callbackWaitMs }, note: 'The server calls it.', expect: isCalled },
    ],
    control: [
      send('X-‹nonce›', value.replace('‹callback›', '‹callback2›'), 'The same in a header that no program knows.'),
      { callback: { token: '‹callback2›', waitMs: callbackWaitMs }, note: 'Nobody calls.', expect: isCalled },
    ],
  };
}
