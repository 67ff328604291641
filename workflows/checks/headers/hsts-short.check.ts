import type { Candidate } from '../../model/candidate.ts';
import { claim } from '../../model/experiment.ts';
import type { OriginSurface } from '../../model/surface.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { hstsNotNeeded, readHsts } from '../pages/hsts.ts';
import { valuesOf } from '../pages/html-pages.ts';

type Short = { url: string; maxAgeSeconds: number };

const header = 'strict-transport-security';
const day = 86_400;
/** Six months, which the Mozilla guidelines and the OWASP cheat sheet take for the least: 182.5 days. */
const leastSeconds = 15_768_000;
/** Whoever visits once a month stays protected by a policy as long as this. */
const harmlessSeconds = 30 * day;
const harmless = 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:N/I:N/A:N';

/** Browsers forget that the site wants HTTPS before most visitors come back. Source: RFC 6797 §11.2. */
export const hstsShort = defineCheck<Short>({
  id: 'headers.hsts-short',
  title: 'HSTS max-age too short',
  cwe: 319,
  owasp: 'A04:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    const notNeeded = hstsNotNeeded(context.surface.host);
    if (notNeeded !== undefined) return notApplicable(notNeeded);
    const origins = context.surface.origins.filter(({ scheme }) => scheme === 'https');
    const candidates: Candidate<Short>[] = [];
    let withPolicy = 0;
    for (const origin of origins) {
      const policies = await policiesOf(context, origin);
      if (policies.length > 0) withPolicy += 1;
      const [longest] = policies.toSorted((a, b) => b.maxAgeSeconds - a.maxAgeSeconds);
      if (longest && longest.maxAgeSeconds < leastSeconds) candidates.push(candidateFor(longest));
    }
    return withPolicy === 0 ? notApplicable('The host sets no policy that browsers enforce.') : candidates;
  },

  confirm: (_context, { data }) => {
    if (!data) return undefined;
    const lasting = (seconds: number) => [
      claim(`header:${header}`, 'matches', `(?i)(?:^|;)\\s*max-age\\s*=\\s*"?0*${seconds}"?\\s*(?:;|$)`),
    ];
    return {
      steps: [
        {
          http: { url: data.url },
          note: `The policy ends ${inWords(data.maxAgeSeconds)} after the last visit; six months are the least.`,
          expect: lasting(data.maxAgeSeconds),
        },
      ],
      control: [
        {
          http: { url: data.url },
          note: 'The same claim does not hold of six months.',
          expect: lasting(leastSeconds),
        },
      ],
    };
  },

  explain: {
    description:
      'The site requires browsers to use HTTPS only (Strict-Transport-Security), but for less than six months after a visit. Whoever comes back later begins unprotected again.',
    impact:
      'After that time somebody on the way (an open Wi-Fi, a hostile router) can answer the first request in the clear, keep the visitor on http, and read or change everything. The shorter the time, the more visitors it meets.',
    sends: 'Requests the home page of each HTTPS origin and follows its redirects.',
    proves:
      'The longest policy that browsers enforce ends before six months; six months do not match. Shows a configuration; no traffic was intercepted.',
    remedy:
      'Once every page and subdomain has worked over HTTPS for a while, raise max-age to a year or more: `Strict-Transport-Security: max-age=31536000; includeSubDomains`. nginx: `add_header Strict-Transport-Security "max-age=31536000; includeSubDomains" always;`. Django: `SECURE_HSTS_SECONDS = 31536000`. ASP.NET Core, whose default is 30 days: `services.AddHsts(o => o.MaxAge = TimeSpan.FromDays(365))`. Cloudflare: SSL/TLS, Edge Certificates, HSTS.',
    references: [
      'RFC 6797 §11.2: https://www.rfc-editor.org/rfc/rfc6797#section-11.2',
      'OWASP HSTS Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Strict_Transport_Security_Cheat_Sheet.html',
      'CWE-319: https://cwe.mitre.org/data/definitions/319.html',
    ],
  },
});

/** What browsers enforce after the landing page, where it leads, and the pages that were seen. */
async function policiesOf({ surface, http }: CheckContext, { origin }: OriginSurface): Promise<Short[]> {
  const last = await http.get(`${origin}/`, { maxRedirects: 5 });
  const landing = [...last.redirects, last].map(({ request, headerValues }) => ({
    url: request.url,
    values: headerValues(header),
  }));
  const pages = surface.pages.map((page) => ({ url: page.url, values: valuesOf(page, header) }));
  return [...landing, ...pages].flatMap(({ url, values }) => {
    const policy = readHsts(values);
    const isHere = URL.parse(url)?.origin === origin;
    return isHere && policy.effective ? [{ url, maxAgeSeconds: policy.maxAgeSeconds }] : [];
  });
}

const candidateFor = (data: Short): Candidate<Short> => ({
  location: { url: data.url, parameter: 'Strict-Transport-Security', parameterIn: 'header' },
  route: '/',
  detail: `Browsers forget the policy ${inWords(data.maxAgeSeconds)} after the last visit.`,
  ...(data.maxAgeSeconds >= harmlessSeconds ? { cvss: harmless } : {}),
  data,
});

function inWords(seconds: number): string {
  const days = Math.floor(seconds / day);
  if (days === 0) return `${seconds} seconds`;
  return days === 1 ? '1 day' : `${days} days`;
}
