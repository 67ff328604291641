import { claim, type Experiment, type HttpAction, type Step } from '../../model/experiment.ts';
import { defineCheck, notApplicable } from '../contract.ts';
import { openInput } from '../inputs/open-input.ts';
import { attempt, attemptSteps, type LoginAttempt } from '../logins/attempt.ts';
import { type Login, loginAction } from '../logins/login.ts';
import { type LoginIdentity, type MarkedPage, markedPage } from '../sessions/own-sessions.ts';
import { lacksLogin } from '../sessions/site-login.ts';
import { aliasOf, batchedBody } from './batched-guesses.ts';
import { lastOwn, letsIn, loginOf, stillLetsIn } from './own-login.ts';

type Batched = { login: Login; identity: LoginIdentity; page: MarkedPage; batch: LoginAttempt; single: LoginAttempt };

/** As many as a login without a limit is sent one by one. */
const guesses = 20;
const password = '‹nonce2›';

/** Many guesses of a password fit into one request, which limits count as one. Source: CWE-799, OWASP API4:2023. */
export const graphQlBatch = defineCheck<Batched>({
  id: 'guessing.graphql-batch',
  title: 'GraphQL batching: 20 password guesses in one request',
  cwe: 799,
  owasp: 'A07:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:L/A:N',
  depth: 'deep',
  risk: 'caution',
  mayLockOut: true,
  cost: 71,

  async detect(context) {
    const identity = lastOwn(context);
    if (!identity) return lacksLogin(context, 'a test identity of your own that logs in with a password');
    const found = loginOf(context, identity);
    const login = found && { ...found, input: await openInput(context, found.input) };
    const one = login && loginAction(login, identity.userName ?? '', password);
    const body = one?.body === undefined ? undefined : batchedBody({ body: one.body, password }, guesses);
    if (!login || !one || body === undefined)
      return notApplicable(`The login of "${identity.name}" is no mutation of GraphQL.`);
    const page = await markedPage(context, identity);
    if (!page) return [];
    const single = await attempt(context, login, one, 'guess');
    const batch = await attempt(context, login, withBody(one, body), 'batch');
    if (answeredIn(single) > 0 || answeredIn(batch) < guesses || !(await letsIn(context, identity))) return [];
    const { url, method, in: place, route } = login.input;
    return [
      {
        location: { url, method, parameter: login.passwordField, parameterIn: place },
        route,
        detail: `One request with ${guesses} wrong passwords for "${identity.name}" was answered for each of them, and the right one was accepted afterwards.`,
        data: { login, identity, page, batch, single },
      },
    ];
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The login is a mutation of GraphQL, and one request may hold it many times under different names, each with another password: every one is tried and answered.',
    impact:
      'What limits guesses by counting requests, in a proxy, a firewall or the application, counts one where twenty or a thousand passwords were tried. An attacker goes through a list of frequent passwords in a few requests.',
    sends: `Sends the login one wrong password, then ${guesses} wrong ones for a test identity in one request, then logs it in; all that three times at the end of the deep checks. Where failures close an account, that identity may be closed for a while.`,
    proves: `One request is answered for each of ${guesses} wrong passwords, and the right one lets the test identity in afterwards, twice; a request with one guess has none of these answers. An attacker guesses many passwords in each request.`,
    remedy:
      'Count failures by account in the resolver of the login, not by request. Let one operation hold the mutation once: limit aliases and root fields (`graphql-armor` maxAliases, graphql-java `MaxQueryComplexityInstrumentation`, Hot Chocolate cost analysis), and switch off lists of operations (`allowBatchedHttpRequests: false`).',
    references: [
      'CWE-799: https://cwe.mitre.org/data/definitions/799.html',
      'OWASP GraphQL Cheat Sheet, Batching Attacks: https://cheatsheetseries.owasp.org/cheatsheets/GraphQL_Cheat_Sheet.html',
      'OWASP API4:2023 Unrestricted Resource Consumption: https://owasp.org/API-Security/editions/2023/en/0xa4-unrestricted-resource-consumption/',
    ],
  },
});

const withBody = (action: HttpAction, body: string): HttpAction => ({ ...action, body });

/** Aliases that an answer names, as data or as the path of an error. */
const answeredIn = ({ exchange: { status, text } }: LoginAttempt): number =>
  status >= 500
    ? 0
    : Array.from({ length: guesses }, (_, index) => index).filter((index) => text.includes(`"${aliasOf(index)}"`))
        .length;

function experimentFor({ login, identity, page, batch, single }: Batched): Experiment {
  const answered = [0, guesses - 1].map((index) =>
    claim('body', 'contains', `"${aliasOf(index)}"`, `What guess ${index + 1} was answered.`),
  );
  const sent = (tried: LoginAttempt, note: string): Step[] => attemptSteps(login, tried, { note, expect: answered });
  return {
    steps: [
      ...sent(batch, `One request holds the login ${guesses} times, with a wrong password each; all are answered.`),
      ...stillLetsIn(identity, page),
    ],
    control: sent(single, 'One wrong password alone has no such answers.'),
  };
}
