import { type CheckContext, defineChainStep } from '../checks/contract.ts';
import { withExpression } from '../checks/pages/script-address.ts';
import { inOwnSession, logInStep } from '../checks/sessions/own-sessions.ts';
import { claim, type Experiment } from '../model/experiment.ts';
import type { Fact } from '../model/fact.ts';
import { cookiesInDialog, type ReadableCookies, readableCookies, withStolen } from './stolen-cookies.ts';

type StolenSession = ReadableCookies & { address: string };

/** A link makes the browser of a user give away the session. Source: CWE-79 with CWE-1004. */
export const stealSession = defineChainStep<StolenSession>({
  id: 'chains.steal-session',
  title: 'Account takeover: session cookie stolen by XSS',
  cwe: 79,
  owasp: 'A05:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:N',
  risk: 'safe',
  needs: [{ kind: 'script-execution' }, { kind: 'readable-session' }],
  goal: 'account takeover',
  cost: 12,

  async detect(context, [script, session]) {
    const data = await bind(context, script, session);
    if (!data) return [];
    const url = withExpression(data.address, 'document.cookie');
    return [
      {
        location: { url },
        detail: `A script in the address read the session of "${data.identity.name}", and it opened the account elsewhere.`,
        data,
      },
    ];
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'Two weaknesses combine: a page runs script that stands in its address, and the session cookie can be read by script. A browser of a logged-in user opened such an address, the script read the cookie, and another client with nothing but that cookie was the user.',
    impact:
      'Whoever gets a user to follow a link, by mail or from another page, has their account: not only while the page is open, but from their own computer for as long as the session lasts.',
    sends:
      'Logs a test identity in, opens the address with the script in a browser with its session, and requests the user’s page with the cookies that the script read. Nothing is sent to other hosts.',
    proves:
      'What the injected script read of `document.cookie` opens the account in another client; a random value does not. An attacker’s link takes over the account of whoever opens it.',
    remedy:
      'Encode the value where the page puts it out, and set HttpOnly on the session cookie. Either breaks the chain; do both, since script on a page can act as the user without reading the cookie, too.',
    references: [
      'CWE-79: https://cwe.mitre.org/data/definitions/79.html',
      'CWE-1004: https://cwe.mitre.org/data/definitions/1004.html',
      'OWASP XSS Prevention Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/Cross_Site_Scripting_Prevention_Cheat_Sheet.html',
    ],
  },
});

/** The script has to run on the origin that the cookies are for. */
async function bind(context: CheckContext, script?: Fact, session?: Fact): Promise<StolenSession | undefined> {
  const address = script?.attributes.address ?? '';
  if (URL.parse(address)?.origin !== session?.subject) return undefined;
  const readable = await readableCookies(context, session);
  return readable && { ...readable, address };
}

function experimentFor({ identity, page, address, names }: StolenSession): Experiment {
  const { taken, other } = withStolen({ page, names });
  return {
    steps: [
      logInStep(identity),
      {
        browser: { url: withExpression(address, 'document.cookie') },
        ...inOwnSession,
        note: 'The user opens the address; the script in it shows what it read. An attacker’s would send it.',
        expect: [claim('browser:dialogs', 'present')],
        capture: cookiesInDialog(names),
      },
      taken,
    ],
    control: [other],
  };
}
