import type { Candidate } from '../../model/candidate.ts';
import { type Assertion, claim, type Experiment, type HttpAction, type Step } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { distinctivePieces, onlyIn } from '../decisions/difference.ts';
import { openInput } from '../inputs/open-input.ts';
import { attempt, attemptSteps, type LoginAttempt } from '../logins/attempt.ts';
import { isLocked } from '../logins/entrance.ts';
import { type Login, loginAction } from '../logins/login.ts';
import { lastOwn, loginOf } from './own-login.ts';
import { pinLogins } from './pin-logins.ts';

type NamedAddress = {
  login: Login;
  action: HttpAction;
  header: string;
  tried: LoginAttempt;
  locked: Assertion[];
  looked: Assertion[];
};

/** Headers by which proxies say where a request comes from. */
const headers = ['X-Forwarded-For', 'X-Real-IP', 'X-Client-IP', 'True-Client-IP', 'CF-Connecting-IP'] as const;
/** Of networks for tests of devices: nobody has them, and each guess comes from another one. Source: RFC 2544. */
const address = (place: number): string => `198.18.‹octet${2 * place}›.‹octet${2 * place + 1}›`;
/** Limits of applications close after three to ten wrong guesses. */
const highestLimit = 10;
const guesses = 12;

/** A limit on guesses counts by an address that whoever guesses names. Source: CWE-348, CWE-307, WSTG-ATHN-03. */
export const spoofedAddress = defineCheck<NamedAddress>({
  id: 'guessing.spoofed-address',
  title: 'Lockout bypass: the limit on guesses trusts an address that the client names',
  cwe: 348,
  owasp: 'A07:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  depth: 'deep',
  risk: 'caution',
  mayLockOut: true,

  async detect(context) {
    const targets = [...pinLogins(context.surface).map((login) => ({ login, name: '' })), ...ownLogin(context)];
    if (targets.length === 0)
      return notApplicable('No form opens something with a PIN alone, and no test identity logs in with a password.');
    const found: Candidate<NamedAddress>[] = [];
    for (const { login, name } of targets) {
      const data = await namedAddress(context, { ...login, input: await openInput(context, login.input) }, name);
      if (!data) continue;
      const { url, method, in: place, route } = login.input;
      found.push({
        location: { url, method, parameter: login.passwordField, parameterIn: place },
        route,
        detail: `Wrong guesses are refused unread by then; with another address in the header ${data.header} each time, ${guesses} more in a row were looked at.`,
        data,
      });
    }
    return found;
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'A login, or a form that takes a PIN, refuses further guesses after some wrong ones, but it counts them by an address that it takes from a header of the request: whoever writes another address there begins anew.',
    impact:
      'An attacker sends each guess with an address of its own and is never limited: lists of passwords, or all codes of four digits, are tried in minutes.',
    sends: `Up to ${highestLimit + 1} wrong passwords for a test identity, or wrong PINs, until one is refused for being too many, then ${guesses} more, each with another address of RFC 2544 in headers by which proxies name visitors, three times.`,
    proves: `Without the header a wrong guess is refused for being one too many; with another address each time ${guesses} in a row get the ordinary refusal, twice. An attacker goes on guessing. That the right one would open something is not shown.`,
    remedy:
      'Take the address of a visitor from the connection, or from the header that your own proxy overwrites, and from no other (`app.set("trust proxy", 1)`, `ProxyFix(app, x_for=1)`, `set_real_ip_from`); count wrong guesses by account or by what a code opens, too.',
    references: [
      'CWE-348: https://cwe.mitre.org/data/definitions/348.html',
      'CWE-307: https://cwe.mitre.org/data/definitions/307.html',
      'WSTG-ATHN-03: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/04-Authentication_Testing/03-Testing_for_Weak_Lock_Out_Mechanism',
    ],
  },
});

function ownLogin(context: CheckContext): { login: Login; name: string }[] {
  const identity = lastOwn(context);
  const login = identity && loginOf(context, identity);
  return login ? [{ login, name: identity.userName ?? '' }] : [];
}

const from = (action: HttpAction, names: readonly string[], place: number): HttpAction => ({
  ...action,
  headers: [...(action.headers ?? []), ...names.map((name) => [name, address(place)] as const)],
});

async function namedAddress(context: CheckContext, login: Login, name: string): Promise<NamedAddress | undefined> {
  const action = loginAction(login, name, name === '' ? '‹int›' : '‹nonce2›');
  if (!action) return undefined;
  const send = (each: HttpAction) => attempt(context, login, each, 'guess');
  const tried = await lockedAnswer(() => send(action));
  if (!tried) return undefined;
  const refused = [tried.exchange, (await send(action)).exchange];
  for (const names of [headers, ...headers.map((header) => [header])]) {
    const shown = [(await send(from(action, names, 1))).exchange, (await send(from(action, names, 2))).exchange];
    const looked = shown.some((each) => isLocked(each) || each.status >= 500) ? undefined : toldBy(shown, refused);
    const [header, ...further] = names;
    // What none of them does, each alone does not.
    if (!looked && names === headers) return undefined;
    const locked = toldBy(refused, shown);
    if (looked && locked && header && further.length === 0) return { login, action, header, tried, locked, looked };
  }
  return undefined;
}

/** Where there is a limit, mostly the first one: other tests of guesses have reached it before. */
async function lockedAnswer(guess: () => Promise<LoginAttempt>): Promise<LoginAttempt | undefined> {
  for (let count = 0; count <= highestLimit; count += 1) {
    const tried = await guess();
    if (isLocked(tried.exchange)) return tried;
  }
  return undefined;
}

/** What answers of one kind have in common and those of the other have not; undefined where that is nothing. */
function toldBy(shown: readonly Exchange[], others: readonly Exchange[]): Assertion[] | undefined {
  const [status = 0] = shown.map((each) => each.status);
  if (shown.some((each) => each.status !== status)) return undefined;
  const pieces = distinctivePieces(onlyIn(shown, others), /$^/);
  if (pieces.length === 0 && others.some((each) => each.status === status)) return undefined;
  return [claim('status', 'equals', String(status)), ...pieces.map((piece) => claim('body:masked', 'contains', piece))];
}

function experimentFor({ login, action, header, tried, locked, looked }: NamedAddress): Experiment {
  const guess = (each: HttpAction, note: string, expect: Assertion[]): Step[] =>
    attemptSteps(login, { ...tried, action: each }, { note, expect });
  return {
    steps: [
      ...guess(action, 'A wrong guess is refused for being one too many.', locked),
      ...Array.from({ length: guesses }, (_, place) =>
        guess(
          from(action, [header], place + 1),
          `Wrong guess ${place + 1} of ${guesses}, from another address: it is looked at.`,
          looked,
        ),
      ).flat(),
    ],
    control: guess(action, 'Without the header it is not looked at.', looked),
  };
}
