import { type KeptToken, keepStep, recallKeptToken, sessionOf, startOf } from '../checks/client/kept-tokens.ts';
import { expressionFor } from '../checks/client/stored-tokens.ts';
import { openStep, rememberStep } from '../checks/client/token-openings.ts';
import { type CheckContext, defineChainStep } from '../checks/contract.ts';
import { withExpression } from '../checks/pages/script-address.ts';
import { claim, type Experiment } from '../model/experiment.ts';
import type { Fact } from '../model/fact.ts';

type StolenToken = { kept: KeptToken; url: string };

/** A link makes the browser of a user give away the token that its scripts keep. Source: CWE-79 with CWE-922. */
export const stealToken = defineChainStep<StolenToken>({
  id: 'chains.steal-token',
  title: 'Account takeover: stored token stolen by XSS',
  cwe: 79,
  owasp: 'A05:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:N',
  risk: 'safe',
  needs: [{ kind: 'script-execution' }, { kind: 'stored-token' }],
  goal: 'account takeover',
  cost: 15,

  async detect(context, [script, token]) {
    const data = await bind(context, script, token);
    if (!data) return [];
    return [
      {
        location: { url: data.url },
        detail: `A script in the address read the token of "${data.kept.identity.name}" out of the browser’s storage, and it opened the account elsewhere.`,
        data,
      },
    ];
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'Two weaknesses combine: a page runs script that stands in its address, and the site’s own scripts keep the token of the account in the browser’s storage. A browser of a logged-in user opened such an address, the script in it read the token, and another client with nothing but that token was the user.',
    impact:
      'Whoever gets a user to follow a link, by mail or from another page, has their account: not only while the page is open, but from their own computer for as long as the token is valid. A cookie that script cannot read does not help, since nobody needs it.',
    sends:
      'Logs a test identity in, opens the address with the script in a browser with its storage, and sends the token that the script read in a request of its own. Nothing is sent to other hosts.',
    proves:
      'What the injected script read of web storage is answered as the user in another client; a random value is not. An attacker’s link takes over the account of whoever opens it.',
    remedy:
      'Put values of the address into the page as text, and keep the session in a cookie with HttpOnly instead of a token in localStorage or sessionStorage. Either breaks the chain; do both, since script on a page can act as the user without reading the token, too.',
    references: [
      'CWE-79: https://cwe.mitre.org/data/definitions/79.html',
      'CWE-922: https://cwe.mitre.org/data/definitions/922.html',
      'OWASP DOM based XSS Prevention Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/DOM_based_XSS_Prevention_Cheat_Sheet.html',
      'OAuth 2.0 for Browser-Based Applications: https://datatracker.ietf.org/doc/html/draft-ietf-oauth-browser-based-apps',
    ],
  },
});

/** The script has to run on the origin whose storage it is. */
async function bind(context: CheckContext, script?: Fact, token?: Fact): Promise<StolenToken | undefined> {
  const address = script?.attributes.address ?? '';
  if (!token || URL.parse(address)?.origin !== token.subject) return undefined;
  const kept = await recallKeptToken(context, token);
  return kept && { kept, url: withExpression(address, expressionFor(kept.place)) };
}

function experimentFor({ kept, url }: StolenToken): Experiment {
  const { identity, page, opening } = kept;
  const who = sessionOf(identity);
  return {
    steps: [
      ...startOf(identity),
      ...rememberStep(page, opening, who),
      keepStep(kept),
      {
        browser: { url },
        ...who,
        note: 'The user opens the address in the same browser; the script in it shows what it read. An attacker’s would send it.',
        expect: [claim('browser:dialogs', 'present')],
        capture: [
          {
            name: 'stolen',
            subject: 'browser:dialogs',
            pattern: '(?m)^\\s*"?(?:(?:Bearer|JWT|Token) +)?([^\\s"]{16,})"?\\s*$',
            secret: true,
          },
        ],
      },
      openStep(page, opening, '‹stolen›', 'Another client with what was read is the user.'),
    ],
    control: [openStep(page, opening, '‹nonce›', 'With another value it is not: the account is opened by this token.')],
  };
}
