import type { Candidate } from '../../model/candidate.ts';
import type { Experiment, HttpAction } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import { sentForms } from '../../probe/html/submission.ts';
import { isHtml } from '../../probe/http/document-type.ts';
import { fill, newTrialValues, type TrialValues } from '../../proof/template.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { inputAction } from '../inputs/input-request.ts';
import { orLeft } from '../pages/or-left.ts';
import { type AuthorizationRequest, authorizationRequests } from './authorization-requests.ts';
import { type DeliveredCode, deliveredTo, deliveryStep } from './delivered-code.ts';
import { type UnregisteredAddress, unregisteredAddresses } from './unregistered-addresses.ts';

type LeakedCode = { address: UnregisteredAddress; leaking: HttpAction; code: DeliveredCode; twin: Twin };
/** A request that differs in the cause alone. */
type Twin = { request: HttpAction; host: string; note: string };

/** Only who takes over a name below the domain of the client is given the code. */
const ofOwner = 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N';

/** An authorization server sends codes to addresses that no client has registered. Source: RFC 9700 §4.1, RFC 6749 §10.6. */
export const oauthRedirect = defineCheck<LeakedCode>({
  id: 'auth.oauth-redirect',
  weakness: 'injection.open-redirect',
  title: 'OAuth: redirect_uri is not validated (authorization codes leak)',
  cwe: 601,
  owasp: 'A07:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:N',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',

  async detect(context) {
    const requests = await authorizationRequests(context);
    if (requests.length === 0)
      return notApplicable('No request for authorization with a client and a redirect address goes to this site.');
    const found: (Candidate<LeakedCode> | undefined)[] = [];
    for (const request of requests)
      found.push(...(await orLeft(context, request.input.url, () => leakAt(context, request))));
    return found.filter((candidate) => candidate !== undefined);
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The site logs users in for other applications (OAuth 2.0, OpenID Connect). It sends the code or token of a login to whatever address the request names, instead of comparing that with the addresses which the client has registered.',
    impact:
      'Whoever follows a link of an attacker while logged in hands the attacker the code or token of the login, without seeing anything but a page that does not load. With it the attacker logs in to the client as that user, or calls its interfaces.',
    sends:
      'GET requests for authorization as the site makes them, to up to 10 clients, with the redirect address changed to hosts that nobody has, in up to 9 spellings; as nobody and as each test user. Nothing is consented to, and no redirect is followed.',
    proves:
      'The answer hands a new code or token to the host that nobody has, by a redirect, a form or an address in the page; a plain foreign address, an unknown client, or the site’s own address does not. An attacker’s link gets them the code of who follows it. For hosts below the client’s domain it is low.',
    remedy:
      'Register whole addresses for each client, and compare `redirect_uri` with them as text: `if (!client.redirectUris.includes(redirectUri)) return res.status(400).send("unknown redirect_uri")`, without prefixes, patterns or wildcards. Show the error on a page of your own: nobody is redirected to an address that is not registered. Demand PKCE, and bind the code to the address that it was sent to.',
    references: [
      'RFC 9700 §4.1, OAuth 2.0 Security Best Current Practice: https://www.rfc-editor.org/rfc/rfc9700#section-4.1',
      'RFC 6749 §3.1.2.3: https://www.rfc-editor.org/rfc/rfc6749#section-3.1.2.3',
      'WSTG-ATHZ-05: https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/05-Authorization_Testing/05-Testing_for_OAuth_Weaknesses',
      'CWE-601: https://cwe.mitre.org/data/definitions/601.html',
    ],
  },
});

/** A server that hands out no code for the site's own request hands out none for another. */
async function leakAt(
  context: CheckContext,
  request: AuthorizationRequest,
): Promise<Candidate<LeakedCode> | undefined> {
  const { input, registered } = request;
  const own = await answerTo(context, inputAction(input, registered.href), newTrialValues(context.nonce));
  const given = deliveredTo(registered.hostname, own);
  if (!given && context.visitor !== undefined && asksForConsent(own)) reportConsent(context, input.url);
  if (!given) return undefined;
  const addresses = unregisteredAddresses(registered);
  for (const address of addresses) {
    const leaking = inputAction(input, address.value);
    const code = await codeFor(context, leaking, address.host);
    if (!code || isConstant(code, given)) continue;
    const twin = await twinOf(context, request, address, addresses[0]);
    return {
      location: { url: input.url, method: input.method, parameter: input.parameter, parameterIn: input.in },
      route: input.route,
      detail: `The parameter "${code.name}" was sent to ${address.value.replaceAll('‹nonce›', 'evil')}, in the place of ${registered.href}.`,
      ...(address.isOfOwner ? { cvss: ofOwner } : {}),
      data: { address, leaking, code, twin },
    };
  }
  return undefined;
}

/** What everybody is given lets nobody in. Tokens that state the second of their making are equal within it. */
const isConstant = (one: DeliveredCode, other: DeliveredCode): boolean =>
  one.value === other.value && !one.value.startsWith('eyJ');

/** Where all addresses are accepted, what the address of the client gets is no code for an unknown one, or goes to its own. */
async function twinOf(
  context: CheckContext,
  { input, clientName, registered }: AuthorizationRequest,
  { value, host }: UnregisteredAddress,
  plain: UnregisteredAddress,
): Promise<Twin> {
  const isPlain = value === plain.value;
  if (!isPlain)
    return {
      ...{ request: inputAction(input, plain.value), host: plain.host },
      note: 'To a foreign address in its plain form no code is sent: addresses are compared, but not as a whole.',
    };
  const others = input.others.map((other) => (other.name === clientName ? { ...other, value: '‹nonce2›' } : other));
  const ofNobody = inputAction({ ...input, others }, value);
  if ((await codeFor(context, ofNobody, host)) === undefined)
    return { request: ofNobody, host, note: 'For a client that nobody has registered no code is sent.' };
  const note = 'With the address that the site itself sends, the code goes there.';
  return { request: inputAction(input, registered.href), host, note };
}

const experimentFor = ({ address, leaking, code, twin }: LeakedCode): Experiment => ({
  steps: [deliveryStep(leaking, address.host, code, 'A code goes to a host that the client has not registered.')],
  control: [deliveryStep(twin.request, twin.host, code, twin.note)],
});

async function codeFor(context: CheckContext, action: HttpAction, host: string): Promise<DeliveredCode | undefined> {
  const values = newTrialValues(context.nonce);
  return deliveredTo(fill(host, values).toLowerCase(), await answerTo(context, action, values));
}

const answerTo = ({ http }: CheckContext, { url }: HttpAction, values: TrialValues): Promise<Exchange> =>
  http.get(fill(url, values), { fresh: true });

/** A page on which the user allows a client what it asks for: what is granted there lasts. */
const asksForConsent = (answer: Exchange): boolean =>
  answer.status === 200 &&
  isHtml(answer) &&
  sentForms(answer.text, answer.request.url).some(
    ({ method, entries }) => method === 'POST' && entries.every(({ type }) => type !== 'password'),
  );

const reportConsent = ({ leave }: CheckContext, url: string): void =>
  leave({
    code: 'would_act',
    count: 1,
    text: `${new URL(url).pathname} asks the user to allow the client what it asks for, which lasts: it was not sent`,
  });
