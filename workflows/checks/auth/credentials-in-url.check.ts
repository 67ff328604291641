import type { Candidate } from '../../model/candidate.ts';
import { claim, type Experiment, type HttpAction } from '../../model/experiment.ts';
import type { PageSurface } from '../../model/surface.ts';
import { escapePattern } from '../../proof/pattern.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { pagesAtMost, widened } from '../inputs/at-most.ts';
import { byAddress } from '../pages/html-pages.ts';
import { lookAtPages } from '../pages/look-at-pages.ts';
import { type AddressPlace, type AddressSecret, addressesIn, tokensIn, userinfoIn } from './address-secrets.ts';
import { type PasswordForm, passwordForms } from './password-forms.ts';

type InAddress =
  | { kind: 'form'; url: string; field: PasswordForm; hasScript: boolean }
  | ({ url: string; place: AddressPlace } & AddressSecret);

const maxPages = 80;
/** Names that sessions share with searches and steps of a form. */
const ambiguousNames = /^sid$/i;
/** What can be read and repeated as it stands, whoever asks. */
const everybody = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N';

/** Passwords, tokens or sessions stand in addresses, which are kept and passed on. Source: RFC 9700 §4.3.2, CWE-598. */
export const credentialsInUrl = defineCheck<InAddress>({
  id: 'auth.credentials-in-url',
  title: 'Credentials or session identifiers in URLs',
  cwe: 598,
  owasp: 'A06:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    const answered = context.surface.pages.filter(({ status }) => status < 400).toSorted(byAddress);
    const pages = pagesAtMost(context, answered, widened(context, maxPages));
    if (pages.length === 0) return notApplicable('No address gave an answer to look at.');
    const looked = await lookAtPages(context, pages, (page) => look(context, page));
    const all = onceForEach(looked.flat());
    const needsBrowser = all.some((each) => each.kind === 'form' && each.hasScript);
    const unavailable = needsBrowser ? await context.browser.unavailable() : undefined;
    const usable = unavailable === undefined ? all : all.filter((each) => each.kind !== 'form' || !each.hasScript);
    return usable.map(candidateFor);
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The site puts what lets somebody in into addresses: a form that is sent by GET with the password in its query, a redirect or link with a session or token of the visitor, or an address with a name and password before the host.',
    impact:
      'Addresses are written down in many places: the history of the browser, the logs of servers and proxies, bookmarks, and the Referer header for whatever the page loads or links to. People send them to each other. Whoever finds one has the account, or the session as long as it lasts.',
    sends:
      'Requests seen pages again, 80 or as many as the budget allows, as new visitors; where a page has script, a browser submits its password form empty.',
    proves:
      'A page or redirect holds a URL with name and password, or a parameter that is new for each visitor, or a password form sends by GET; a random name is not found. Logs and histories keep such URLs. Nothing found was used.',
    remedy:
      'Send passwords by `<form method="post">`. Keep sessions in cookies: Java `<tracking-mode>COOKIE</tracking-mode>` or `server.servlet.session.tracking-modes=cookie`, PHP `session.use_only_cookies = 1` and `session.use_trans_sid = 0`, ASP.NET `<sessionState cookieless="UseCookies"/>`. OAuth: `response_type=code` with PKCE instead of tokens in redirects. Change a password that stood in an address, and give machines a secret in a header instead.',
    references: [
      'CWE-598: https://cwe.mitre.org/data/definitions/598.html',
      'RFC 9700 §4.3.2, OAuth 2.0 Security Best Current Practice: https://www.rfc-editor.org/rfc/rfc9700#section-4.3.2',
      'RFC 3986 §3.2.1, user information: https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1',
      'WSTG-SESS-04: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/06-Session_Management_Testing/04-Testing_for_Exposed_Session_Variables',
    ],
  },
});

async function look({ http }: CheckContext, { url, scripts, contentType }: PageSurface): Promise<InAddress[]> {
  const first = await http.get(url);
  const secrets = (['location', 'body'] as const).flatMap((place) =>
    addressesIn(first, place).flatMap((address): InAddress[] => {
      const userinfo = userinfoIn(address, url);
      const tokens = tokensIn(address, url).map(({ value: _value, ...token }) => token);
      return [...(userinfo ? [userinfo] : []), ...tokens].map((secret) => ({ ...secret, url, place }));
    }),
  );
  // Of addresses that answer alike the survey reads the first ones.
  const hasScript = scripts.length > 0 || /<script\b/i.test(first.text);
  // What a script or a document has in it nobody fills in there.
  const isPage = /^(?:text\/html|application\/xhtml\+xml|)$/i.test(contentType);
  const forms = (isPage ? passwordForms(first.text, url) : []).filter((field) => sendsByGet(field, hasScript));
  return [...secrets, ...forms.map((field): InAddress => ({ kind: 'form', url, field, hasScript }))];
}

/** Script often handles a form, and then its method says nothing: only one that says GET itself is examined. */
const sendsByGet = ({ fieldName, form }: PasswordForm, hasScript: boolean): boolean =>
  form !== undefined &&
  fieldName !== '' &&
  form.method === 'GET' &&
  !form.hasHandler &&
  (!hasScript || (form.saysMethod && form.isComplete));

/** One of each kind: a session in the address is in all links of all pages. */
function onceForEach(found: readonly InAddress[]): InAddress[] {
  const known = new Set<string>();
  return found.filter((each) => {
    const key = each.kind === 'userinfo' ? each.host : each.kind === 'token' ? each.parameter : 'form';
    return !known.has(key) && known.add(key);
  });
}

function candidateFor(data: InAddress): Candidate<InAddress> {
  const { pathname } = new URL(data.url);
  const where = 'place' in data && data.place === 'location' ? 'a redirect' : 'the page';
  if (data.kind === 'form') {
    const parameter = data.field.fieldName;
    const detail = `The form sends the field "${parameter}" by GET, in the address.`;
    return { location: { url: data.url, parameter, parameterIn: 'query' }, route: '/{password}', detail, data };
  }
  if (data.kind === 'userinfo') {
    const detail = `In ${where} stands an address of ${data.host} with a name and password.`;
    return { location: { url: data.url }, route: `/{userinfo} ${data.host}`, cvss: everybody, detail, data };
  }
  const detail = `In ${where} at ${pathname} stands the parameter "${data.parameter}", with a value that each visitor is given anew.`;
  return { location: { url: data.url, parameter: data.parameter }, route: '/{token}', detail, data };
}

function experimentFor(data: InAddress): Experiment {
  if (data.kind === 'form') return formExperiment(data);
  const { url } = data;
  const subject = data.place === 'location' ? 'header:location' : 'body:masked';
  if (data.kind === 'userinfo') {
    const holds = (host: string) => [
      claim(subject, 'matches', `://[^\\s/?#@"'<>:]{1,100}:[^\\s/?#@"'<>]{3,200}@${host}`),
    ];
    return {
      steps: [
        {
          http: { url },
          note: 'Anybody is given an address with a name and password.',
          expect: holds(escapePattern(data.host)),
        },
      ],
      control: [
        {
          http: { url },
          note: 'No such address of a host that does not exist is there.',
          expect: holds('‹nonce›\\.invalid'),
        },
      ],
    };
  }
  const pattern = (name: string) => `(?:[?&;]|&amp;)${name}=([\\w.~%+/:-]{16,1000})`;
  const http: HttpAction = { url };
  const value = pattern(escapePattern(data.parameter));
  const sentBack = {
    http: { url: withParameter(url, data.parameter, '‹first›') },
    note: 'Who sends the first value back is given it again: it stands for a session, and not for a search or a step.',
    expect: [claim(subject, 'contains', '‹first›')],
  };
  return {
    steps: [
      {
        http,
        note: 'A first visitor is given an address with this parameter.',
        expect: [claim(subject, 'matches', value)],
        capture: [{ name: 'first', subject, pattern: value, secret: true }],
      },
      {
        http,
        note: 'The next one is given another value: it stands for the visitor.',
        expect: [claim(subject, 'matches', value), claim(subject, 'not-contains', '‹first›')],
      },
      ...(ambiguousNames.test(data.parameter) ? [sentBack] : []),
    ],
    control: [
      {
        http,
        note: 'A parameter that does not exist is not seen.',
        expect: [claim(subject, 'matches', pattern('‹nonce›'))],
      },
    ],
  };
}

/** @param value a placeholder, which no encoding may touch */
function withParameter(url: string, parameter: string, value: string): string {
  const address = new URL(url);
  address.searchParams.delete(parameter);
  return `${address.origin}${address.pathname}${address.search}${address.search ? '&' : '?'}${parameter}=${value}`;
}

/** Where the page has script, a real browser has to send the form, empty as it is. */
function formExperiment({ url, field, hasScript }: Extract<InAddress, { kind: 'form' }>): Experiment {
  const name = escapePattern(field.fieldName);
  const asks = (type: string) => [
    claim('body', 'matches', `(?i)<input\\b[^>]*\\btype\\s*=\\s*["']?\\s*${type}\\b`, 'It has a field for a password.'),
    claim('body', 'contains', field.form?.tag ?? '', 'Its form is not sent by POST.'),
  ];
  const selector = `form:has([name="${field.fieldName.replaceAll('"', '\\"')}"]) :is(button:not([type=button],[type=reset]),[type=submit])`;
  const click = (clicks: string[]) => ({
    browser: { url, ...(clicks.length > 0 ? { clicks } : {}) },
    expect: [claim('browser:url', 'matches', `[?&]${name}=`)],
  });
  if (hasScript)
    return {
      steps: [
        { ...click([selector]), note: 'A browser that sends the form, empty as it is, has the field in its address.' },
      ],
      control: [{ ...click([]), note: 'Before the form is sent, the address does not have it.' }],
    };
  return {
    steps: [
      { http: { url }, note: 'The page has a form that puts a password into the address.', expect: asks('password') },
    ],
    control: [{ http: { url }, note: 'A kind of field that does not exist is not seen.', expect: asks('‹nonce›') }],
  };
}
