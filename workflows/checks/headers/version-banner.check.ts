import type { Candidate } from '../../model/candidate.ts';
import { claim } from '../../model/experiment.ts';
import type { Surface } from '../../model/surface.ts';
import { escapePattern } from '../../proof/pattern.ts';
import { defineCheck, notApplicable } from '../contract.ts';

type Banner = { url: string; header: string; product: string };

/** Headers that name software; others hold versions of protocols, of the site's own API, or of what they cache. */
const banners = new Set(['server', 'x-powered-by', 'x-generator', 'x-powered-cms', 'liferay-portal']);
/** Each is about one product, and holds its version alone. */
const products: Record<string, string> = {
  'x-aspnet-version': 'ASP.NET',
  'x-aspnetmvc-version': 'ASP.NET MVC',
  'x-php-version': 'PHP',
  'x-backend-server-version': '',
  microsoftsharepointteamservices: 'SharePoint',
  'x-jenkins': 'Jenkins',
  'x-mod-pagespeed': 'mod_pagespeed',
  'x-page-speed': 'ngx_pagespeed',
  'x-owa-version': 'Outlook on the web',
  'x-influxdb-version': 'InfluxDB',
  'x-umbraco-version': 'Umbraco',
  'kbn-version': 'Kibana',
};

/** A name, and at least two numbers behind it: "ECS (dcb/7F83)" names a machine, "Apache/2" hardly a version. */
const named = /[a-z][\w.+-]{0,40}(?:\s[a-z][\w.+-]{0,40}){0,2}[/ (]v?\d{1,9}\.\d{1,9}[\w.+~-]*\)?/i;
/** Versions of standards, which many products implement, and names that stay the same in every version. */
const standards =
  /\b(?:Servlet|JSP|JSF|HTTP)\/\d[\d.]*|\b(?:Apache-Coyote\/1\.1|awselb\/2\.0|Microsoft-HTTPAPI\/2\.0)(?![\w.])/g;
const bare = /^v?\d+\.\d+[\w.+~-]*$/i;

/** Answers name the software that made them, with its version. Source: WSTG-INFO-02, RFC 9110 §10.2.4. */
export const versionBanner = defineCheck<Banner[]>({
  id: 'headers.version-banner',
  title: 'Server version disclosure',
  cwe: 200,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N',
  depth: 'standard',
  risk: 'safe',

  detect({ surface }) {
    const found = bannersOf(surface);
    if (surface.origins.length + surface.pages.length === 0) return notApplicable('Nothing answered.');
    const [first] = found;
    return first ? [candidateFor(first, found)] : [];
  },

  confirm: (_context, { data = [] }) => {
    const last = data.at(-1);
    if (!last) return undefined;
    const step = ({ url, header }: Banner, expected: string, note: string) => ({
      http: { url },
      note,
      expect: [claim(`headers:${header}`, 'matches', expected)],
    });
    return {
      steps: data.map((banner) =>
        step(banner, escapePattern(banner.product), `The header ${banner.header} names ${banner.product}.`),
      ),
      control: [step(last, '‹nonce›/‹int›\\.‹int2›', 'Software that is not there is not named.')],
    };
  },

  explain: {
    description: 'Headers of the answers name the software that the site runs on, with its version.',
    impact:
      'Nothing by itself. When a weakness of a version becomes known, those who search the internet for it find the site first, and an attacker need not try what cannot work. Hiding the version does not take the place of updates.',
    sends: 'Requests again the addresses whose headers name a product.',
    proves:
      'A header names a product with its version; a random product is not found in it. Shows a configuration; no attack was made.',
    remedy:
      'Switch the banners off where they are made. nginx: `server_tokens off;`. Apache: `ServerTokens Prod` and `ServerSignature Off`. PHP: `expose_php = Off`. IIS and ASP.NET: `<requestFiltering removeServerHeader="true" />`, `<httpRuntime enableVersionHeader="false" />`, `MvcHandler.DisableMvcResponseHeader = true`. Tomcat: `server=""` at the Connector. Express: `app.disable("x-powered-by")`. Keep the software up to date in any case.',
    references: [
      'WSTG-INFO-02: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/01-Information_Gathering/02-Fingerprint_Web_Server',
      'RFC 9110 §10.2.4: https://www.rfc-editor.org/rfc/rfc9110#section-10.2.4',
      'CWE-200: https://cwe.mitre.org/data/definitions/200.html',
    ],
  },
});

/** Each product once, at the first address that named it. */
function bannersOf({ origins, pages }: Surface): Banner[] {
  const answers = [...origins.map(({ origin, headers }) => ({ url: `${origin}/`, headers })), ...pages];
  const found = new Map<string, Banner>();
  for (const { url, headers } of answers) {
    for (const [name, value] of headers) {
      const header = name.toLowerCase();
      if (!banners.has(header) && !Object.hasOwn(products, header)) continue;
      const product = productIn(header, value);
      if (product !== undefined && !found.has(header)) found.set(header, { url, header, product });
    }
  }
  return [...found.values()];
}

function productIn(header: string, value: string): string | undefined {
  const pattern = Object.hasOwn(products, header) ? bare : named;
  return pattern.exec(value.replace(standards, '').trim())?.[0];
}

const candidateFor = ({ url }: Banner, found: Banner[]): Candidate<Banner[]> => ({
  location: { url },
  // It is a setting of the server, not of a page.
  route: '/',
  detail: `Seen: ${found.map(nameOf).join(', ')}.`,
  data: found,
});

const nameOf = ({ header, product }: Banner): string => `${products[header] ?? ''} ${product} (${header})`.trim();
