import { type CheckContext, defineChainStep } from '../checks/contract.ts';
import { openedInput, storingAction } from '../checks/injection/plant.ts';
import {
  needsStoredScript,
  type StoredScript,
  storedExpression,
  storedScriptIn,
} from '../checks/injection/stored-script-fact.ts';
import type { OpenedInput } from '../checks/inputs/input-request.ts';
import { inputSteps } from '../checks/inputs/open-input.ts';
import { inOwnSession, logInStep } from '../checks/sessions/own-sessions.ts';
import { claim, type Experiment } from '../model/experiment.ts';
import { cookiesInDialog, type ReadableCookies, readableCookies, withStolen } from './stolen-cookies.ts';

type PlantedTheft = ReadableCookies & { stored: StoredScript };

/** What one visitor stores makes the browsers of users give away their sessions. Source: CWE-79 with CWE-1004. */
export const stealSessionStored = defineChainStep<PlantedTheft>({
  id: 'chains.steal-session-stored',
  title: 'Account takeover: session cookie stolen by stored XSS',
  cwe: 79,
  owasp: 'A05:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:N',
  risk: 'caution',
  needs: [needsStoredScript, { kind: 'readable-session' }],
  goal: 'account takeover',
  cost: 20,

  async detect(context, [script, session]) {
    const stored = await storedScriptIn(context, script);
    if (!stored || URL.parse(stored.url)?.origin !== session?.subject) return [];
    const readable = await readableCookies(context, session);
    if (!readable) return [];
    const { name } = readable.identity;
    // Whoever stores it is not the one it is stolen from.
    if (stored.form.identity === name || (stored.viewer !== '' && stored.viewer !== name)) return [];
    return [
      {
        location: { url: stored.url },
        detail: `A script that ${stored.form.identity === '' ? 'anybody' : `"${stored.form.identity}"`} stored read the session of "${name}", and it opened the account elsewhere.`,
        data: { ...readable, stored },
      },
    ];
  },

  async confirm(context, { data }) {
    const input = data && (await inputOf(context, data.stored));
    return data && input && experimentFor(data, input);
  },

  explain: {
    description:
      'Two weaknesses combine: a page runs script that another visitor has stored, and the session cookie can be read by script. A browser of a logged-in user opened the page, the script read the cookie, and another client with nothing but that cookie was the user.',
    impact:
      'Whoever may store such a text has the accounts of all who open the page, without a link that anybody has to follow: from their own computer, and for as long as the sessions last. Where administrators read it, the site is taken over.',
    sends:
      'Stores a text with script as the form takes it, logs a test identity in, opens the page in a browser with its session, and requests the user’s page with the cookies that the script read. What stays is recorded with its place before it is sent. Nothing is sent to other hosts.',
    proves:
      'What the stored script read of `document.cookie` opens the account in another client; a random value does not. An attacker’s text takes over the account of whoever opens the page.',
    remedy:
      'Encode the value where the page puts it out, and set HttpOnly on the session cookie. Either breaks the chain; do both, since script on a page can act as the user without reading the cookie, too.',
    references: [
      'CWE-79: https://cwe.mitre.org/data/definitions/79.html',
      'CWE-1004: https://cwe.mitre.org/data/definitions/1004.html',
      'OWASP XSS Prevention Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/Cross_Site_Scripting_Prevention_Cheat_Sheet.html',
    ],
  },
});

const inputOf = (context: CheckContext, { form, parameter }: StoredScript): Promise<OpenedInput | undefined> =>
  openedInput(context, form, parameter);

function experimentFor({ identity, page, names, stored }: PlantedTheft, input: OpenedInput): Experiment {
  const { form, url, clicks } = stored;
  const sender = form.identity === '' ? {} : { identity: form.identity };
  const { taken, other } = withStolen({ page, names });
  const action = storingAction(form, input, storedExpression(stored, 'document.cookie'));
  const stores = inputSteps(input, action, {
    note: 'The text is stored. An attacker’s script would send what it reads.',
    expect: [claim('status', 'less-than', '500')],
    hasEffect: true,
  });
  return {
    steps: [
      ...stores.map((step) => ({ ...step, ...sender })),
      logInStep(identity),
      {
        browser: { url, ...(clicks.length > 0 && { clicks }) },
        ...inOwnSession,
        note: 'The user opens the page; the script in the text shows what it read.',
        expect: [claim('browser:dialogs', 'present')],
        capture: cookiesInDialog(names),
      },
      taken,
    ],
    control: [other],
  };
}
