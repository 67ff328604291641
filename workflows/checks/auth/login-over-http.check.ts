import { percentDecodedOrSame } from '../../../kit/percent.ts';
import type { Candidate } from '../../model/candidate.ts';
import { claim, type Experiment } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import type { PageSurface, Surface } from '../../model/surface.ts';
import { escapePattern } from '../../proof/pattern.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { pagesAtMost, sample, widened } from '../inputs/at-most.ts';
import { inParallel } from '../inputs/parallel.ts';
import { cspHeader, metaPolicies } from '../pages/csp.ts';
import { readHsts } from '../pages/hsts.ts';
import { byAddress } from '../pages/html-pages.ts';
import { lookAtPages } from '../pages/look-at-pages.ts';
import { type PasswordForm, passwordForms } from './password-forms.ts';

type PlainLogin =
  /** The page comes over http; `rendered` when script makes the form. */
  | { kind: 'page'; url: string; status: number; rendered: boolean }
  /** The page comes over HTTPS, and its form goes to an http address, which is written like this. */
  | { kind: 'action'; url: string; status: number; action: string; written: string }
  | { kind: 'basic'; url: string };

const maxPages = 60;
/** Of pages that ask for a password over HTTPS, so many are asked for over http. */
const maxOverHttp = 5;
/** Each is loaded in a browser four times. */
const maxRendered = 2;
const askedPattern = '(?i)<input\\b[^>]*\\btype\\s*=\\s*["\']?\\s*password\\b';
const basicPattern = (scheme: string) => `(?i)(?:^|[,\\n])\\s*${scheme}(?:[\\s,]|$)`;

/** A form that an address itself writes into its page is none of the site's. */
const carriesForm = (url: string): boolean => /<\s*(?:form|input)\b/i.test(percentDecodedOrSame(url));

/** A password is asked for, or sent, over http. Source: WSTG-ATHN-01, CWE-523. */
export const loginOverHttp = defineCheck<PlainLogin>({
  id: 'auth.login-over-http',
  title: 'Password submitted over unencrypted HTTP',
  cwe: 523,
  owasp: 'A04:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:H/I:L/A:N',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    const { surface } = context;
    const shown = surface.pages
      .filter(({ status, contentType }) => status === 401 || (/html/i.test(contentType) && status < 500))
      .filter(({ url }) => !carriesForm(url))
      .toSorted(byAddress);
    const [asking, others] = askingFirst(surface, shown);
    const pages = pagesAtMost(context, [...asking, ...others], widened(context, maxPages));
    const looked = await lookAtPages(context, pages, async ({ url }) => plainAt(await context.http.get(url)));
    const logins = looked.filter(({ asks }) => asks).map(({ url }) => url);
    const drawn = renderedOverHttp(surface).filter(({ url }) => !logins.includes(url));
    const rendered = sample(context, drawn, maxRendered, 'pages whose login script may draw', oneAnswer);
    if (logins.length + rendered.length === 0) return notApplicable('No page asks for a password.');
    const found = [...looked.flatMap(({ plain }) => plain), ...rendered];
    return [...found, ...(await overHttpToo(context, logins, found))].map(candidateFor);
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'A page that asks for a password comes over http, its form sends it to an http address, or the server asks for it with HTTP Basic authentication over http. The password goes over the network as it was typed.',
    impact:
      'Whoever is on the way (an open Wi-Fi, a hostile router, a provider) reads the password. Where only the page comes over http and the form goes to HTTPS, they change the page instead, so that it sends them what is typed. People use the same password elsewhere, too.',
    sends:
      'Requests seen pages again, 60 or as many as the budget allows, and login pages over http too; where script makes the form, a browser opens the page. No password is sent.',
    proves:
      'A password field comes over http, a form on HTTPS goes to http, or http asks for Basic authentication; a random field type or scheme is not found. An attacker on the network can read the password. None was intercepted.',
    remedy:
      'Show pages with forms over HTTPS only, and write actions without a scheme: `<form action="/login" method="post">`. Redirect everything: nginx `server { listen 80; return 301 https://$host$request_uri; }`, Apache `Redirect permanent / https://www.example.com/` in the virtual host of port 80, IIS "Require SSL". For Basic authentication: `auth_basic` in the server block of port 443 alone. Then `Strict-Transport-Security: max-age=31536000; includeSubDomains`, so that browsers do not begin over http any more.',
    references: [
      'CWE-523: https://cwe.mitre.org/data/definitions/523.html',
      'WSTG-ATHN-01: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/04-Authentication_Testing/01-Testing_for_Credentials_Transported_over_an_Encrypted_Channel',
      'RFC 7617 §4, Basic authentication: https://www.rfc-editor.org/rfc/rfc7617#section-4',
      'OWASP Transport Layer Security Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html',
    ],
  },
});

/** Why some pages stand for all. */
const oneAnswer = 'http answers for the whole site';

/** Pages that were seen to ask for a password, and the others: a survey keeps one form of many that are alike. */
function askingFirst({ forms }: Surface, pages: readonly PageSurface[]): [PageSurface[], PageSurface[]] {
  const withField = new Set(
    forms.flatMap(({ fields, pageUrl }) => (fields.some(({ type }) => type === 'password') ? pageUrl : [])),
  );
  const asks = ({ status, url }: PageSurface): boolean => status === 401 || withField.has(url);
  return [pages.filter(asks), pages.filter((page) => !asks(page))];
}

const isHttp = (url: string): boolean => url.startsWith('http:');
const asksBasic = (exchange: Exchange): boolean =>
  exchange.status === 401 &&
  exchange.headerValues('www-authenticate').some((value) => /(?:^|,)\s*basic(?:[\s,]|$)/i.test(value));

/** Whether an answer asks for a password, and what of it goes in the clear. */
function plainAt(exchange: Exchange): { url: string; asks: boolean; plain: PlainLogin[] } {
  const { url } = exchange.request;
  if (asksBasic(exchange)) return { url, asks: true, plain: isHttp(url) ? [{ kind: 'basic', url }] : [] };
  const forms = passwordForms(exchange.text, url);
  const { status } = exchange;
  if (forms.length === 0 || isHttp(url))
    return {
      url,
      asks: forms.length > 0,
      plain: forms.length > 0 ? [{ kind: 'page', url, status, rendered: false }] : [],
    };
  const plain = forms.flatMap(({ form }) =>
    form && isHttp(form.action) && !isUpgraded(exchange, form)
      ? [{ kind: 'action' as const, url, status, action: form.action, written: form.written }]
      : [],
  );
  return { url, asks: true, plain: plain.slice(0, 1) };
}

/** A browser asks for HTTPS by itself: the page says so, or HSTS holds for this host. Source: Upgrade Insecure Requests §3. */
function isUpgraded(exchange: Exchange, { action }: NonNullable<PasswordForm['form']>): boolean {
  const policies = [...exchange.headerValues(cspHeader), ...metaPolicies(exchange.text)];
  if (policies.some((policy) => /(?:^|[;,])\s*upgrade-insecure-requests\b/i.test(policy))) return true;
  const isSameHost = new URL(action).hostname === new URL(exchange.request.url).hostname;
  return isSameHost && readHsts(exchange.headerValues('strict-transport-security')).effective;
}

/** Forms that a page over http has after its script ran. */
const renderedOverHttp = ({ forms, pages }: Surface): PlainLogin[] =>
  [
    ...new Set(
      forms.filter(({ fields }) => fields.some(({ type }) => type === 'password')).map(({ pageUrl }) => pageUrl),
    ),
  ]
    .filter((url) => isHttp(url) && pages.some((page) => page.url === url && page.scripts.length > 0))
    .map((url) => ({ kind: 'page', url, status: 200, rendered: true }));

/** Pages that were seen over HTTPS may be shown over http as well. */
async function overHttpToo(
  context: CheckContext,
  logins: readonly string[],
  found: readonly PlainLogin[],
): Promise<PlainLogin[]> {
  const { surface, http } = context;
  const plain = surface.origins.find(({ scheme }) => scheme === 'http');
  if (!plain || found.some(({ url }) => isHttp(url))) return [];
  const urls = logins.filter((url) => url.startsWith('https:')).map((url) => plain.origin + new URL(url).pathname);
  const few = sample(context, [...new Set(urls)], maxOverHttp, 'pages with a login', oneAnswer);
  const looked = await inParallel(few, 4, async (url) => plainAt(await http.get(url)));
  return looked.flatMap((each) => each.plain);
}

const details: Record<PlainLogin['kind'], (plain: PlainLogin) => string> = {
  page: () => 'The page with the field for the password comes over http.',
  action: (plain) => `The form sends the password to ${'action' in plain ? withoutQuery(plain.action) : ''}.`,
  basic: () => 'The server asks for a password by HTTP Basic authentication over http.',
};
const withoutQuery = (url: string): string => url.replace(/[?#;].*$/s, '');

const candidateFor = (data: PlainLogin): Candidate<PlainLogin> => ({
  location: { url: data.url },
  route: '/{login}',
  detail: details[data.kind](data),
  data,
});

function experimentFor(data: PlainLogin): Experiment {
  const { url } = data;
  if (data.kind === 'basic') {
    const asks = (scheme: string) => [
      claim('status', 'equals', '401'),
      claim('headers:www-authenticate', 'matches', basicPattern(scheme)),
    ];
    return {
      steps: [{ http: { url }, note: 'Over http the server asks for a name and a password.', expect: asks('basic') }],
      control: [{ http: { url }, note: 'It does not ask by a scheme that does not exist.', expect: asks('‹nonce›') }],
    };
  }
  if (data.kind === 'page' && data.rendered) {
    const shows = (pattern: string) => [
      claim('browser:url', 'matches', '^http:'),
      claim('browser:html', 'matches', pattern),
    ];
    return {
      steps: [
        { browser: { url }, note: 'Over http a browser shows a field for a password.', expect: shows(askedPattern) },
      ],
      control: [
        {
          browser: { url },
          note: 'A kind of field that does not exist is not seen.',
          expect: shows(askedPattern.replace('password', '‹nonce›')),
        },
      ],
    };
  }
  const has = (field: string, address: string) => [
    claim('status', 'equals', String(data.status)),
    claim('body', 'matches', askedPattern.replace('password', field), 'It has a field for a password.'),
    ...(data.kind === 'action'
      ? [claim('body', 'matches', `(?i)\\b(?:action|formaction|href)\\s*=\\s*["']?\\s*${address}`)]
      : []),
  ];
  const written = data.kind === 'action' ? escapePattern(withoutQuery(data.written)) : '';
  return {
    steps: [{ http: { url }, note: details[data.kind](data), expect: has('password', written) }],
    control: [
      { http: { url }, note: 'A kind of field that does not exist is not seen.', expect: has('‹nonce›', written) },
    ],
  };
}
