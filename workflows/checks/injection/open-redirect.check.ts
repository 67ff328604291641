import type { Exchange } from '../../model/http.ts';
import { refreshOf } from '../../model/refresh.ts';
import type { InputSurface, Surface } from '../../model/surface.ts';
import { metaContents } from '../../probe/html/metas.ts';
import { isHtml } from '../../probe/http/document-type.ts';
import { fill, newTrialValues } from '../../proof/template.ts';
import { leadsSomewhere, type RedirectPayload, redirectPayloads } from '../addresses/redirect-payloads.ts';
import { handedOverIn } from '../addresses/redirect-target.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { canaryAt } from '../inputs/canary.ts';
import { inputAction, type OpenedInput } from '../inputs/input-request.ts';
import { carriedByOthers, inputsToProbe } from '../inputs/probe-inputs.ts';
import { unlessDataOnly, unlessKnownDataOnly } from './data-only.ts';
import { cheapLook, lookAtEach } from './look-at-each.ts';
import { browserAction } from './posting-page.ts';
import { type Redirecting, redirectExperiment, redirectingBy } from './redirecting-inputs.ts';

const maxInputs = 300;
/** With fewer requests left than this, an input that does not look like an address is skipped. */
const scarce = 300;
/** Pages that might lead away by script are opened in a browser, up to this many. */
const maxVisits = 10;

/** The site sends visitors to whatever address a link names. Source: CWE-601, WSTG-CLNT-04. */
export const openRedirect = defineCheck<Redirecting>({
  id: 'injection.open-redirect',
  title: 'Open redirect',
  cwe: 601,
  owasp: 'A01:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:N/I:L/A:N',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',

  async detect(context) {
    const inputs = inputsOf(context.surface);
    if (inputs.length === 0)
      return notApplicable('No page takes a value from its address, or a place to go from a form that only reads.');
    const visits = { left: (await context.browser.unavailable()) === undefined ? maxVisits : 0 };
    const tryIt = (input: OpenedInput) => look(context, input, visits);
    // What leads nowhere by its name costs one request.
    const [named, others] = [unlessDataOnly(context, tryIt), unlessKnownDataOnly(context, tryIt)];
    return lookAtEach(
      context,
      inputs,
      maxInputs,
      (input) => (leadsSomewhere(input.parameter, input.sample) ? named(input) : others(input)),
      cheapLook,
    );
  },

  confirm: (_context, { data }) => data && redirectExperiment(data),

  explain: {
    description:
      'A parameter decides where the site sends the visitor, and addresses of other hosts are accepted, possibly in a spelling that a check of the value does not expect.',
    impact:
      'A link that begins with the address of this site ends on somebody else’s: phishing pages profit from its good name, filters that trust it let the link pass, and where the redirect is part of a login (OAuth, SAML), codes and tokens can leak with it.',
    sends:
      'Sends the address of a random host in each input, in many spellings where the input leads somewhere; a browser opens up to 10 pages.',
    proves:
      'The answer, or the page in a real browser, leads to the random host; a path of the site leads nobody away. An attacker’s link begins with the site’s address and ends on theirs.',
    remedy:
      'Do not take addresses from requests: take a key (`?next=orders`) and look the path up, or accept only paths, decided by a URL parser and not by string comparison: `const url = new URL(next, "https://this.site"); if (url.origin !== "https://this.site") next = "/";`. Redirect to `url.pathname + url.search`, never to the string that was given.',
    references: [
      'CWE-601: https://cwe.mitre.org/data/definitions/601.html',
      'WSTG-CLNT-04: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/11-Client-side_Testing/04-Testing_for_Client-side_URL_Redirect',
      'OWASP Unvalidated Redirects and Forwards Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/Unvalidated_Redirects_and_Forwards_Cheat_Sheet.html',
      'RFC 9700 §4.11: https://www.rfc-editor.org/rfc/rfc9700#section-4.11',
    ],
  },
});

/** Of forms those fields that say where to go: a page of somebody else's can post them. */
function inputsOf(surface: Surface): InputSurface[] {
  const isInAddress = ({ method, in: place }: InputSurface) =>
    method === 'GET' && (place === 'query' || place === 'path');
  const all = inputsToProbe(surface);
  const posted = all.filter((input) => input.in === 'body' && carriedByOthers(input));
  const encoded = all.filter((input) => input.encoded !== undefined && isInAddress(input));
  return [
    ...surface.inputs.filter(isInAddress),
    ...[...posted, ...encoded].filter(({ parameter, sample }) => leadsSomewhere(parameter, sample)),
  ];
}

type Visits = { left: number };

/**
 * Inputs that lead somewhere, by name, value or answer, get all spellings. The others get the plain address as long as there is
 * enough to try some more of them.
 */
async function look(context: CheckContext, input: InputSurface, visits: Visits): Promise<Redirecting | undefined> {
  const [plain, ...others] = redirectPayloads(new URL(input.url).origin, input.sample);
  if (!plain) return undefined;
  const isNamed = leadsSomewhere(input.parameter, input.sample);
  if (!isNamed && context.allowance() < scarce && !isPromising((await canaryAt(context, input)).exchange))
    return undefined;
  const first = await attempt(context, input, plain);
  if (first.found) return first.found;
  if (!isNamed && !isRedirect(first.exchange)) return undefined;
  const isLed = first.isLed || (await leadsWithin(context, input));
  for (const payload of isLed ? others : []) {
    const { found } = await attempt(context, input, payload);
    if (found) return found;
  }
  if (!isHtml(first.exchange) || !/<script/i.test(first.exchange.text) || visits.left === 0) return undefined;
  visits.left -= 1;
  return byPage(context, input);
}

/** What leads nowhere with a place of the site's own leads nowhere at all. */
async function leadsWithin(context: CheckContext, input: InputSurface): Promise<boolean> {
  const { origin } = new URL(input.url);
  for (const value of [input.sample, `${origin}/`])
    if (value !== '' && (await attempt(context, input, { value, host: '' })).isLed) return true;
  return false;
}

/** Leads somewhere already with a word that is no address. */
const isPromising = (exchange: Exchange): boolean =>
  isRedirect(exchange) || exchange.header('refresh') !== undefined || /http-equiv=["']?refresh/i.test(exchange.text);

const isRedirect = (exchange: Exchange): boolean => exchange.status >= 300 && exchange.status < 400;

const maxHops = 3;

async function attempt(context: CheckContext, input: InputSurface, payload: RedirectPayload) {
  const values = newTrialValues(context.nonce);
  const put = (template: string) => fill(template, values);
  const nonce = put('‹nonce›');
  const action = inputAction(input, payload.value);
  const { method = 'GET', body, headers = [] } = action;
  const posted = body === undefined ? {} : { method, headers, body: put(body) };
  const ask = (url: string) => context.http.send({ ...posted, url });
  const begun = await ask(put(action.url));
  const isLed = isPromising(begun);
  let exchange = begun;
  // A hop of the site's own that does not carry the value leads nobody away by it.
  for (let hops = 0; hops < maxHops && body === undefined; hops += 1) {
    const next = isRedirect(exchange) ? URL.parse(exchange.header('location') ?? '', exchange.request.url) : null;
    if (!next?.href.includes(nonce) || next.origin !== new URL(input.url).origin) break;
    exchange = await ask(next.href);
  }
  // What the site encodes does not show in the address.
  const isFirst = exchange === begun && input.encoded !== undefined;
  const request = isFirst ? action : { ...action, url: exchange.request.url.replaceAll(nonce, '‹nonce›') };
  const isCarried = body !== undefined || isFirst || request.url.includes('‹nonce›');
  const leads = (address: string | null) =>
    URL.parse(address ?? '', exchange.request.url)?.hostname === put(payload.host).toLowerCase();
  // The last hop decides; it has to carry the value itself, or its address would not prove anything again.
  const location = isRedirect(exchange) ? (exchange.header('location') ?? null) : null;
  if (location !== null && isCarried && leads(location)) {
    const handsOver = handedOverIn(location, exchange.request.url)?.name;
    return { exchange, isLed, found: redirectingBy(input, payload, request, 'answer', handsOver) };
  }
  const refreshes = [
    ...exchange.headerValues('refresh'),
    ...(isHtml(exchange) ? metaContents(exchange.text, 'refresh') : []),
  ];
  if (refreshes.some((refresh) => leads(refreshOf(refresh)?.address ?? null)))
    return { exchange, isLed, found: redirectingBy(input, payload, request, 'page') };
  return { exchange, isLed, found: undefined };
}

/** Script that reads the address of its page can only be seen at work. */
async function byPage(context: CheckContext, input: InputSurface): Promise<Redirecting | undefined> {
  const payload = { value: 'http://‹nonce›.example/', host: '‹nonce›.example' };
  const nonce = context.nonce();
  const { url, page } = browserAction(input, payload.value);
  const filled = (template: string) => template.replaceAll('‹nonce›', nonce).replaceAll('‹nonce8›', context.nonce());
  const { finalUrl } = await context.browser.visit({ url: filled(url), ...(page && { page: filled(page) }) });
  const isGone = URL.parse(finalUrl)?.hostname === `${nonce}.example`;
  const request = page === undefined ? { url } : inputAction(input, payload.value);
  return isGone ? redirectingBy(input, payload, request, 'page') : undefined;
}
