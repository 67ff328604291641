import type { Candidate } from '../../model/candidate.ts';
import type { Experiment, Step } from '../../model/experiment.ts';
import { type RedirectPayload, redirectPayloads } from '../addresses/redirect-payloads.ts';
import { answerStep } from '../addresses/redirect-steps.ts';
import { type CheckContext, defineCheck } from '../contract.ts';
import { canLogIn, inOwnSession, type LoginIdentity } from '../sessions/own-sessions.ts';
import { lacksLogin } from '../sessions/site-login.ts';
import { placesToGo, withPlace } from './places-to-go.ts';

type LedAway = { identity: LoginIdentity; parameter: string; payload: RedirectPayload };

/** Each is a login. */
const maxPayloads = 8;

/** Where a login leads is taken from the address of its page. Source: CWE-601, WSTG-CLNT-04. */
export const loginRedirect = defineCheck<LedAway>({
  id: 'auth.login-redirect',
  title: 'Open redirect after login',
  cwe: 601,
  owasp: 'A01:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:N/I:L/A:N',
  depth: 'deep',
  risk: 'safe',

  async detect(context) {
    const identities = Object.values(context.identities).filter(canLogIn);
    if (identities.length === 0) return lacksLogin(context, 'an identity that logs in with a form or with JSON');
    // Whoever logs in there is led alike.
    const logins = new Map(identities.toReversed().map((identity) => [identity.loginUrl, identity]));
    const candidates: Candidate<LedAway>[] = [];
    for (const identity of logins.values()) {
      const found = await firstLedAway(context, identity);
      if (found) candidates.push(candidateFor(found));
    }
    return candidates;
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'A parameter of the login page says where to go once the visitor has logged in, and addresses of other hosts are accepted.',
    impact:
      'A link to the real login page of the site ends, after the real login, on somebody else’s page: one that says that the password was wrong and asks for it again is believed.',
    sends:
      'Logs a test identity in at the login page with the address of a random host in up to 3 parameters, in up to 8 spellings where a path of the site’s own is followed.',
    proves:
      'The answer to the right password leads to the random host; with a path of the site’s own it does not. An attacker’s link begins with the site’s login page and ends on theirs.',
    remedy:
      'After the login, accept only paths of the site, decided by a URL parser and not by string comparison: `const url = new URL(next, "https://this.site"); if (url.origin !== "https://this.site") next = "/";`, and redirect to `url.pathname + url.search`. Django `url_has_allowed_host_and_scheme`, ASP.NET `Url.IsLocalUrl`, Rails `redirect_to … , allow_other_host: false`; or keep the place to go in the visitor’s session.',
    references: [
      'CWE-601: https://cwe.mitre.org/data/definitions/601.html',
      'WSTG-CLNT-04: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/11-Client-side_Testing/04-Testing_for_Client-side_URL_Redirect',
      'OWASP Unvalidated Redirects and Forwards Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/Unvalidated_Redirects_and_Forwards_Cheat_Sheet.html',
    ],
  },
});

async function firstLedAway(context: CheckContext, identity: LoginIdentity): Promise<LedAway | undefined> {
  for (const parameter of await placesToGo(context, identity)) {
    const payload = await payloadThatLeads(context, identity, parameter);
    if (payload) return { identity, parameter, payload };
  }
  return undefined;
}

const candidateFor = (data: LedAway): Candidate<LedAway> => {
  const { identity, parameter, payload } = data;
  const example = JSON.stringify(payload.value.replaceAll('‹nonce›', 'evil'));
  return {
    location: { url: identity.loginUrl, method: 'GET', parameter, parameterIn: 'query' },
    detail: `The value ${example} led "${identity.name}" to another host once logged in.`,
    data,
  };
};

/** Spellings are tried where a path of the site's own is followed at all. */
async function payloadThatLeads(
  context: CheckContext,
  identity: LoginIdentity,
  parameter: string,
): Promise<RedirectPayload | undefined> {
  const { host, origin } = new URL(identity.loginUrl);
  const answeredPlace = async (value: string): Promise<URL | null> => {
    const { answer } = await context.logIn(
      identity.name,
      context.http.newJar(),
      withPlace(identity.loginUrl, parameter, value),
    );
    return URL.parse(answer.header('location') ?? '', answer.request.url);
  };
  const own = `/${context.nonce()}`;
  const led = await answeredPlace(own);
  if (led?.host !== host || led.pathname !== own) return undefined;
  for (const payload of redirectPayloads(origin).slice(0, maxPayloads)) {
    const nonce = context.nonce();
    const place = await answeredPlace(payload.value.replaceAll('‹nonce›', nonce));
    if (place?.hostname === payload.host.replaceAll('‹nonce›', nonce).toLowerCase()) return payload;
  }
  return undefined;
}

function experimentFor({ identity, parameter, payload }: LedAway): Experiment {
  const step = (value: string, note: string): Step => ({
    ...answerStep(
      { method: 'POST', url: withPlace(identity.loginUrl, parameter, value), logIn: identity.name },
      payload.host,
      note,
    ),
    ...inOwnSession,
  });
  return {
    steps: [step(payload.value, 'The user logs in at the page of the link, and is led to the foreign host.')],
    control: [step('/‹nonce›', 'With a path of the site’s own in its place, nobody is led away.')],
  };
}
