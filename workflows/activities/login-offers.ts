import { create } from '@bufbuild/protobuf';
import { type Login, LoginSchema } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import type { AccountPair } from '../checks/logins/default-accounts.ts';
import type { LoginChange } from '../checks/logins/entrance.ts';
import type { EnteredLogin } from '../checks/logins/find-entrance.ts';
import type { Login as LoginPlace } from '../checks/logins/login.ts';
import { nosqlChanges, sqlChanges } from '../checks/logins/query-changes.ts';
import { tokensIn } from '../checks/logins/signs.ts';
import { isPrivileged } from '../checks/sessions/roles.ts';
import type { AccountOrigin } from '../model/gained-name.ts';
import { parseJson } from '../model/json.ts';
import { jsonAt } from '../model/json-pointer.ts';
import { fill } from '../proof/template.ts';

/** A change of a login that may let somebody in, and how a test identity of the org's would say it. */
export type LoginOffer = {
  origin: AccountOrigin;
  change: LoginChange;
  loginOf(entered: EnteredLogin): Login | undefined;
};

/** The checks try them all; here those that most logins fall for. */
const likelyBypasses = { sql: 8, nosql: 4 };

export function bypasses(place: LoginPlace): LoginOffer[] {
  const changes = [
    ...sqlChanges(place).slice(0, likelyBypasses.sql),
    ...nosqlChanges(place).slice(0, likelyBypasses.nosql),
  ];
  return changes.map((change) => ({ origin: 'bypass', change, loginOf: bypassLogin }));
}

/** What is typed in where it is text, the session that it made elsewhere. Most often it is the first account's: an administrator's. */
function bypassLogin({ login, entrance }: EnteredLogin): Login | undefined {
  const { values, exchange, cookies, captures } = entrance.tries.changed;
  const { name, password } = entrance.change.sent ?? {};
  const role = 'admin';
  const checkUrl = entrance.pageUrl ?? '';
  if (login.nameField !== undefined && typeof name === 'string' && typeof password === 'string')
    return { ...loginAt(login, [fill(name, values), fill(password, values)]), role, checkUrl };
  if (captures.length > 0)
    return create(LoginSchema, { role, checkUrl, kind: { case: 'cookie', value: fill(cookies, values) } });
  const [pointer] = tokensIn(exchange);
  const token = pointer === undefined ? undefined : jsonAt(exchange.text, pointer);
  return token !== undefined
    ? create(LoginSchema, { role, checkUrl, kind: { case: 'bearer', value: token.replace(/^Bearer /, '') } })
    : undefined;
}

const roleOf = (name: string) => (isPrivileged({ role: name }) ? 'admin' : 'user');

/** How a test identity of the org's would say it. */
export function loginAt(
  { input, nameField, passwordField, format }: LoginPlace,
  [username, password]: AccountPair,
): Login {
  const fields = { username, password, usernameField: nameField ?? '', passwordField };
  const role = roleOf(username);
  // What script sends with a token of its page is typed in there.
  if (format === 'json' && input.page?.tokens.some((token) => 'header' in token))
    return create(LoginSchema, { role, kind: { case: 'browser', value: { url: input.page.url, username, password } } });
  // An interface has no page with a form, whatever it is sent.
  return format === 'json' || (format === 'fields' && !input.page)
    ? create(LoginSchema, {
        role,
        kind: { case: 'json', value: { url: input.url, ...fields, ...placedIn(input, fields) } },
      })
    : create(LoginSchema, { role, kind: { case: 'form', value: { url: input.page?.url ?? input.url, ...fields } } });
}

type Members = { usernameField: string; passwordField: string };

/** Where the two members stand in a document that has more than them. */
function placedIn({ json }: LoginPlace['input'], { usernameField, passwordField }: Members) {
  const [holder, ...names] = json?.pointer.split('/').slice(1) ?? [];
  const below = names.length > 0 ? `${holder}.` : '';
  const others = Object.keys(Object(parseJson(json?.body ?? '{}'))).filter(
    (name) => name !== usernameField && name !== passwordField,
  );
  if (!json || others.length === 0) return {};
  return { usernameField: below + usernameField, passwordField: below + passwordField, body: json.body };
}

/** The same for a page that HTTP Basic guards. */
export const basicLoginAt = (checkUrl: string, [username, password]: AccountPair): Login =>
  create(LoginSchema, {
    role: roleOf(username),
    checkUrl,
    kind: { case: 'basic', value: { username, password } },
  });
