import type { Answer, Request } from '../../../fixtures/site.ts';

/** One mistake (or none) on a site that is in order otherwise. */
export type ObservatoryCase = {
  /** In place of those of a site in order; undefined takes one away. */
  headers?: Record<string, string | string[] | undefined>;
  /** What stands in the page, before its form. */
  markup?: string;
  head?: string;
  /** Answers over HTTPS before the page does. */
  answer?: (request: Request) => Answer | undefined;
  /** Answer of the landing page over http; a redirect to HTTPS by default. */
  plain?: (secureUrl: string, url: string) => Answer;
  /** Tests of the Observatory on which we are of another opinion, and why. */
  differs?: Record<string, string>;
};

const csp = (policy: string | string[]) => ({ 'Content-Security-Policy': policy });
const hsts = (value: string | string[]) => ({ headers: { 'Strict-Transport-Security': value } });
const cookie = (...lines: string[]) => ({ headers: { 'Set-Cookie': lines } });
const referrer = (value: string | string[]) => ({ headers: { 'Referrer-Policy': value } });
const id = 'q8Zk2LwX7vN4pR9tYc3M';
const framed = "frame-ancestors 'none'";
const library = 'https://cdn.jsdelivr.net/npm/jquery@3.7.1/dist/jquery.min.js';
const moved = (location: string): Answer => ({ status: 301, headers: { location } });
const notByCsp =
  'It asks what a policy would be at its best; we report a way in which injected script runs in spite of it, and this is none.';
const oldNonce = 'It sees one answer; the nonce is the same in each, so that whoever has seen one page knows it.';
const dropped = 'It counts every cookie; without a session there is nothing in it that anybody could take.';
const oldWords = 'Current browsers ignore the value, so the page can be framed.';

export const cases: Record<string, ObservatoryCase> = {
  'in order': {},

  // Content-Security-Policy
  'no policy': { headers: csp([]) },
  'a policy that only reports': {
    headers: { 'Content-Security-Policy': framed, 'Content-Security-Policy-Report-Only': "default-src 'none'" },
  },
  'a policy for frames alone': { headers: csp(framed) },
  'inline script allowed': { headers: csp(`script-src 'self' 'unsafe-inline'; object-src 'none'; ${framed}`) },
  'inline script beside a nonce': {
    headers: csp(`script-src 'self' 'unsafe-inline' 'nonce-r4nd0mr4nd0m'; object-src 'none'; ${framed}`),
    differs: { 'content-security-policy': oldNonce },
  },
  'strict-dynamic with a nonce': {
    headers: csp(
      `script-src 'nonce-r4nd0mr4nd0m' 'strict-dynamic' https: 'unsafe-inline'; object-src 'none'; ${framed}`,
    ),
    differs: { 'content-security-policy': oldNonce },
  },
  'scripts from every host': { headers: csp(`script-src *; object-src 'none'; ${framed}`) },
  'scripts from https:': { headers: csp(`default-src https:; ${framed}`) },
  'scripts from data:': { headers: csp(`script-src 'self' data:; object-src 'none'; ${framed}`) },
  'eval allowed': {
    headers: csp(`default-src 'none'; script-src 'self' 'unsafe-eval'; ${framed}`),
    differs: { 'content-security-policy': notByCsp },
  },
  'plug-ins from everywhere': {
    headers: csp(`script-src 'self'; ${framed}`),
    differs: { 'content-security-policy': 'No current browser has plug-ins, so object-src lets no script in.' },
  },
  'inline styles allowed': { headers: csp(`default-src 'none'; style-src 'unsafe-inline'; ${framed}`) },
  'a policy in the markup': {
    headers: csp(framed),
    head: `<meta http-equiv="Content-Security-Policy" content="default-src 'none'">`,
  },
  'a lax policy in the markup': {
    headers: csp(framed),
    head: `<meta http-equiv="Content-Security-Policy" content="script-src 'unsafe-inline'; object-src 'none'">`,
    differs: {
      'content-security-policy':
        'It drops a directive that the first policy does not have; a browser obeys the one in the markup, which allows inline script.',
    },
  },
  'a strict policy behind a lax one': {
    headers: csp(["script-src 'unsafe-inline'; object-src 'none'", `default-src 'none'; ${framed}`]),
    differs: {
      'content-security-policy':
        'Every policy is enforced (CSP Level 3 §2.4), and the second one lets no inline script run.',
    },
  },
  'policies in one line': { headers: csp(`default-src 'self' 'unsafe-inline', default-src 'none'; ${framed}`) },

  // Cookies
  'a session that is in order': cookie(`__Host-session=${id}; Path=/; Secure; HttpOnly; SameSite=Lax`),
  'a session without Secure': cookie(`PHPSESSID=${id}; Path=/; HttpOnly; SameSite=Lax`),
  'a session without Secure or HSTS': {
    headers: {
      'Set-Cookie': `JSESSIONID=${id}; Path=/; HttpOnly; SameSite=Lax`,
      'Strict-Transport-Security': undefined,
    },
  },
  'a cookie for tastes without Secure': { ...cookie('theme=dark; SameSite=Lax'), differs: { cookies: dropped } },
  'a cookie that is taken away': {
    ...cookie('PHPSESSID=; Expires=Thu, 01 Jan 1970 00:00:00 GMT'),
    differs: { cookies: 'The line takes a cookie away, so there is none that could leak.' },
  },
  'several cookies, one of them wrong': cookie(
    'lang=en; Secure; SameSite=Lax',
    `connect.sid=s%3A${id}${id}.${id}${id}; Path=/; HttpOnly; SameSite=Strict`,
  ),

  // Sharing with other origins
  'every origin without credentials': { answer: ({ method }) => (method === 'OPTIONS' ? cors('*') : undefined) },
  'every origin with credentials': { answer: preflight },
  'one origin with credentials': {
    answer: ({ method }) => (method === 'OPTIONS' ? cors('https://app.northwind.shop') : undefined),
  },

  // From http to HTTPS
  'no redirect': { plain: () => ({ headers: { 'content-type': 'text/html' }, body: '<p>The shop in the clear</p>' }) },
  'a redirect over http first': {
    plain: (secure, url) => moved(url.endsWith('/start') ? secure : `${url.replace(/\/$/, '')}/start`),
    differs: {
      redirection: 'Two redirects in the clear are no weaker than one: the visitor is sent to HTTPS all the same.',
    },
  },

  // Referrer-Policy
  'no policy for referrers': {
    headers: { 'Referrer-Policy': undefined },
    differs: { 'referrer-policy': 'It lets the default of browsers count; we report it, as information.' },
  },
  'unsafe-url': referrer('unsafe-url'),
  'no-referrer-when-downgrade': referrer('no-referrer-when-downgrade'),
  'a fallback before the policy': referrer('no-referrer, strict-origin-when-cross-origin'),
  'a word that is none': referrer('none'),
  'the origin alone': {
    ...referrer('origin'),
    differs: { 'referrer-policy': 'Other sites learn the name of this one and no address, over HTTPS and http.' },
  },
  'a policy in a meta element': {
    headers: { 'Referrer-Policy': undefined },
    head: '<meta name="referrer" content="no-referrer">',
  },
  'an unsafe policy in a meta element': { head: '<meta name="referrer" content="unsafe-url">' },

  // Strict-Transport-Security
  'no HSTS': { headers: { 'Strict-Transport-Security': undefined } },
  'HSTS for a month': hsts('max-age=2592000'),
  'HSTS for half a year': hsts('max-age=15768000; includeSubDomains'),
  'HSTS that ends at once': hsts('max-age=0'),
  'HSTS without max-age': hsts('includeSubDomains'),
  'HSTS in capitals with spaces': hsts('MAX-AGE=31536000 ; INCLUDESUBDOMAINS'),
  'HSTS twice in one line': hsts('max-age=31536000, max-age=31536000'),

  // Integrity
  'a library without integrity': { markup: `<script src="${library}"></script>` },
  'a library with integrity': { markup: `<script src="${library}" integrity="sha384-${id}" crossorigin></script>` },
  'a library by an address without scheme': { markup: `<script src="${library.slice(6)}"></script>` },
  'a script of another host over http': { markup: '<script src="http://widgets.example/w.js"></script>' },
  'a service of another host': {
    markup: '<script src="https://js.stripe.com/v3/"></script>',
    differs: { 'subresource-integrity': 'The service changes the file on purpose: a hash would break it.' },
  },

  // X-Content-Type-Options
  'no nosniff': { headers: { 'X-Content-Type-Options': undefined } },
  'nosniff in capitals': { headers: { 'X-Content-Type-Options': 'NOSNIFF' } },
  'another word than nosniff': { headers: { 'X-Content-Type-Options': 'sniff' } },
  'nosniff twice': {
    headers: { 'X-Content-Type-Options': 'nosniff, nosniff' },
    differs: { 'x-content-type-options': 'Browsers take the first of a list (Fetch Standard), so the header works.' },
  },

  // Frames
  'framing decided by neither': { headers: { ...csp("default-src 'none'"), 'X-Frame-Options': undefined } },
  'frame-ancestors alone': { headers: { 'X-Frame-Options': undefined } },
  'frame-ancestors in a meta element': {
    headers: { ...csp("default-src 'none'"), 'X-Frame-Options': undefined },
    head: `<meta http-equiv="Content-Security-Policy" content="${framed}">`,
    differs: { 'x-frame-options': 'Browsers ignore frame-ancestors in a meta element (CSP Level 3 §6.4.2).' },
  },
  'ALLOW-FROM': {
    headers: { ...csp("default-src 'none'"), 'X-Frame-Options': 'ALLOW-FROM https://app.northwind.shop' },
    differs: { 'x-frame-options': oldWords },
  },
  'another word than DENY': { headers: { ...csp("default-src 'none'"), 'X-Frame-Options': 'NONE' } },
  'DENY and SAMEORIGIN': {
    headers: { ...csp("default-src 'none'"), 'X-Frame-Options': 'DENY, SAMEORIGIN' },
    differs: { 'x-frame-options': 'Browsers deny when the values of a list disagree (HTML Standard §7.7).' },
  },

  // Cross-Origin-Resource-Policy
  'no policy for resources': {
    headers: { 'Cross-Origin-Resource-Policy': undefined },
    differs: {
      'cross-origin-resource-policy': 'It does not ask for the header; we report that it is absent, as information.',
    },
  },
  'resources for the same site': { headers: { 'Cross-Origin-Resource-Policy': 'same-site' } },
  'a policy for resources that is none': { headers: { 'Cross-Origin-Resource-Policy': 'none' } },
};

function cors(origin: string): Answer {
  return { headers: { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' } };
}

/** As middleware for a whole application does. */
function preflight({ method, headers }: Request): Answer | undefined {
  return method === 'OPTIONS' && headers.origin ? cors(headers.origin) : undefined;
}
