import { type Assertion, claim } from '../../model/experiment.ts';
import type { OriginSurface } from '../../model/surface.ts';
import { defineCheck, notApplicable, notRun } from '../contract.ts';
import { hstsNotNeeded, readHsts } from '../pages/hsts.ts';

type Unprotected = {
  /** The landing page, and where it leads on the same origin. */
  urls: string[];
};

/** An HTTPS origin sets no HSTS policy that browsers enforce. Source: RFC 6797 §6.1, §8.1. */
export const hstsMissing = defineCheck<Unprotected>({
  id: 'headers.hsts-missing',
  title: 'Missing HTTP Strict Transport Security (HSTS)',
  cwe: 319,
  owasp: 'A04:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N',
  depth: 'standard',
  risk: 'safe',

  async detect({ surface, http }) {
    const notNeeded = hstsNotNeeded(surface.host);
    if (notNeeded !== undefined) return notApplicable(notNeeded);
    const origins = surface.origins.filter((origin) => origin.scheme === 'https');
    if (origins.length === 0) return notApplicable('The host does not answer over HTTPS.');
    const candidates = [];
    let failing: string | undefined;
    for (const origin of origins.filter((seen) => !isProtected(seen.headers))) {
      const start = `${origin.origin}/`;
      const last = await http.get(start, { maxRedirects: 5 });
      const exchanges = [...last.redirects, last].filter(
        ({ request }) => URL.parse(request.url)?.origin === origin.origin,
      );
      if (exchanges.some(({ headers }) => isProtected(headers))) continue;
      // What answers in the place of a site that is down has other headers than the site.
      if (last.status >= 500) failing ??= `${start} answered ${last.status}, which says nothing of the site itself.`;
      if (last.status >= 500) continue;
      candidates.push({
        location: { url: start },
        route: '/',
        data: { urls: exchanges.map(({ request }) => request.url) },
      });
    }
    return failing !== undefined && candidates.length === 0 ? notRun('unreachable', failing) : candidates;
  },

  async confirm({ http }, { data }) {
    const steps = [];
    for (const url of data?.urls ?? []) {
      const { headerValues, headers } = await http.get(url, { fresh: true });
      const policy = readHsts(headerValues('strict-transport-security'));
      const other = headers.find(([name]) => name.toLowerCase() !== 'strict-transport-security')?.[0];
      if (policy.effective || other === undefined) return undefined;
      steps.push({ step: step(url, claimFor(headerValues('strict-transport-security')[0], policy.reason)), other });
    }
    const last = steps.at(-1);
    if (!last) return undefined;
    return {
      steps: steps.map(({ step: shown }) => shown),
      control: [
        {
          ...last.step,
          note: 'A header that the same answer has is not taken for absent.',
          expect: [claim(`header:${last.other.toLowerCase()}`, 'absent')],
        },
      ],
    };
  },

  explain: {
    description:
      'The site answers over HTTPS, but does not require browsers to use nothing else: the Strict-Transport-Security header is absent, switches itself off, or is written so that browsers ignore it. A browser that follows an http link or is given the bare name therefore still begins in the clear.',
    impact:
      'Somebody on the way (an open Wi-Fi, a hostile router) can answer that first request instead of the site, keep the visitor on http, and read or change everything, session cookies without Secure included (SSL stripping).',
    sends: 'Requests the home page of each HTTPS origin and follows its redirects.',
    proves:
      'No answer on the way sets a policy that browsers enforce; a header of the same answer is not taken for absent. Shows a configuration; no traffic was intercepted.',
    remedy:
      'Send the header with every HTTPS answer, redirects and errors included. nginx: `add_header Strict-Transport-Security "max-age=31536000; includeSubDomains" always;`. Apache: `Header always set Strict-Transport-Security "max-age=31536000; includeSubDomains"`. Begin with a short max-age while you make sure that every subdomain has HTTPS.',
    references: [
      'RFC 6797: https://www.rfc-editor.org/rfc/rfc6797',
      'CWE-319: https://cwe.mitre.org/data/definitions/319.html',
      'WSTG-CONF-07: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/07-Test_HTTP_Strict_Transport_Security',
      'MDN: https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Strict-Transport-Security',
    ],
  },
});

const isProtected = (headers: OriginSurface['headers'] | readonly (readonly [string, string])[]): boolean =>
  readHsts(headers.filter(([name]) => name.toLowerCase() === 'strict-transport-security').map(([, value]) => value))
    .effective;

function claimFor(value: string | undefined, reason: string): Assertion {
  return value === undefined
    ? claim('header:strict-transport-security', 'absent', '', reason)
    : claim('header:strict-transport-security', 'equals', value, reason);
}

const step = (url: string, assertion: Assertion) => ({
  http: { url },
  note: 'An answer over HTTPS sets no policy that a browser enforces.',
  expect: [claim('status', 'less-than', '500'), assertion],
});
