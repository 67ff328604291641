import { type CheckContext, defineChainStep } from '../checks/contract.ts';
import { withExpression } from '../checks/pages/script-address.ts';
import {
  canLogIn,
  headerOfVisit,
  type LoginIdentity,
  logInStep,
  type MarkedPage,
  markedPage,
  visitStep,
  withCookies,
} from '../checks/sessions/own-sessions.ts';
import { claim, type Experiment } from '../model/experiment.ts';
import type { Fact } from '../model/fact.ts';
import { escapePattern } from '../proof/pattern.ts';

type FixedByScript = { identity: LoginIdentity; page: MarkedPage; address: string; givenBy: string; names: string[] };

/** A link puts a session of the attacker into the browser of a user, who logs in with it. Source: CWE-384 with CWE-79. */
export const fixSession = defineChainStep<FixedByScript>({
  id: 'chains.fix-session',
  title: 'Account takeover: session fixation by XSS',
  cwe: 384,
  owasp: 'A07:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:N',
  risk: 'safe',
  needs: [{ kind: 'script-execution' }, { kind: 'fixable-session' }],
  goal: 'account takeover',
  cost: 14,

  async detect(context, [script, session]) {
    const data = await bind(context, script, session);
    if (!data) return [];
    return [
      {
        location: {
          url: withExpression(
            data.address,
            cookieSetter(data.names, () => 'fixed'),
          ),
        },
        detail: `A script in the address set the session cookie of a visitor in a browser; after "${data.identity.name}" had logged in with it, it opened the account elsewhere.`,
        data,
      },
    ];
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'Two weaknesses combine: a page runs script that stands in its address, and the session of a visitor stays the same at login. The script put a session that another visitor had been given into a browser. A user logged in with it, and the other visitor was the user.',
    impact:
      'Whoever gets a user to follow a link has their account as soon as the user logs in, even where scripts cannot read the session cookie.',
    sends:
      'Requests a page as a visitor, opens the address with a script that sets that visitor’s cookie in a browser, logs a test identity in with the cookie, and requests the user’s page with that cookie alone. Nothing is sent to other hosts.',
    proves:
      'The browser keeps the cookie that the script set, and that cookie opens the account after the login; the cookie of another visitor does not. An attacker’s link takes over the account of whoever logs in afterwards.',
    remedy:
      'Give a new session identifier at each login and make the old one worthless, and encode the value where the page puts it out. Either breaks the chain. The prefix `__Host-` and HttpOnly do not keep a script from setting a cookie that is not there yet.',
    references: [
      'CWE-384: https://cwe.mitre.org/data/definitions/384.html',
      'CWE-79: https://cwe.mitre.org/data/definitions/79.html',
      'OWASP Session Management Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html#renew-the-session-id-after-any-privilege-level-change',
    ],
  },
});

/** The script has to run on the origin that gives the cookies. */
async function bind(context: CheckContext, script?: Fact, session?: Fact): Promise<FixedByScript | undefined> {
  const address = script?.attributes.address ?? '';
  const givenBy = session?.attributes.givenBy ?? '';
  const identity = context.identities[session?.attributes.identity ?? ''];
  const names = (session?.attributes.cookies ?? '').split(' ').filter(Boolean);
  if (!identity || !canLogIn(identity) || names.length === 0) return undefined;
  if (URL.parse(address)?.origin !== URL.parse(givenBy)?.origin) return undefined;
  const page = await markedPage(context, identity);
  return page && { identity, page, address, givenBy, names };
}

/**
 * An expression that sets cookies for the whole site and is what `document.cookie` has then. Without quotes, spaces and
 * plus signs, which filters refuse and queries read in another way.
 */
function cookieSetter(names: readonly string[], value: (index: number) => string): string {
  const sets = names.map(
    (name, index) => `document.cookie=/${name}=${value(index)};path=/.source.concat(location.pathname[0])`,
  );
  return `[${sets.join(',')},document.cookie].pop()`;
}

function experimentFor({ identity, page, address, givenBy, names }: FixedByScript): Experiment {
  const given = headerOfVisit(names, 'given');
  return {
    steps: [
      visitStep(givenBy, names, 'given', 'The attacker visits the site and is given a session.'),
      {
        browser: {
          url: withExpression(
            address,
            cookieSetter(names, (index) => `‹given${index + 1}›`),
          ),
        },
        note: 'A browser opens the address; the script in it sets the cookie of the attacker’s session.',
        expect: names.map((name, index) =>
          claim('browser:dialogs', 'matches', `(?m)(?:^|; )${escapePattern(name)}=‹given${index + 1}›(?:;|$)`),
        ),
      },
      logInStep(identity, [['Cookie', given]]),
      withCookies(page, given, 'The attacker’s session is that of the user.'),
    ],
    control: [
      visitStep(givenBy, names, 'other', 'Another visitor is given a session, with which nobody logs in.'),
      withCookies(page, headerOfVisit(names, 'other'), 'It does not open the account.'),
    ],
  };
}
