import { create } from '@bufbuild/protobuf';
import { LoginSchema } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import type { CheckContext } from '../checks/contract.ts';
import { atMost } from '../checks/inputs/at-most.ts';
import { accountsShownBy } from '../checks/logins/accounts-shown.ts';
import { type AccountPair, usualAccounts } from '../checks/logins/default-accounts.ts';
import { nameFirstForms } from '../checks/logins/name-first.ts';
import { isPrivileged } from '../checks/sessions/roles.ts';
import { loginWith } from '../login/log-in.ts';
import { proveLogin } from '../login/prove-login.ts';
import { LoginError } from '../model/login-error.ts';
import type { FormSurface } from '../model/surface.ts';
import { type GainedAccount, hows } from './gaining.ts';

const maxForms = 2;
const maxPairs = 12;
const maxAccounts = 2;

/**
 * Accounts for everybody to have, of logins that ask for the name on one page and for the password on the next. Each is proven as one
 * of the org's: a page of its own, which the same name with another password is not shown.
 * @param context may send what logs in
 * @throws ProbeError
 */
export async function nameFirstAccounts(context: CheckContext): Promise<GainedAccount[]> {
  const forms = atMost(context, nameFirstForms(context.surface), maxForms, 'logins that ask for the name first');
  const found: GainedAccount[] = [];
  for (const form of forms)
    for (const origin of ['shown', 'usual'] as const) {
      if (found.length > 0) return found;
      found.push(...(await accountsAt(context, form, origin)));
    }
  return found;
}

async function accountsAt(
  context: CheckContext,
  form: FormSurface,
  origin: 'shown' | 'usual',
): Promise<GainedAccount[]> {
  const { http, browser, nonce, signal, surface } = context;
  const tools = { http, browser, nonce, signal, baseUrl: surface.url };
  const usernameField = form.fields.find(({ type }) => /^(?:text|email|tel)$/.test(type))?.name ?? '';
  const found: GainedAccount[] = [];
  const pairs = atMost(context, await pairsFor(context, form, origin), maxPairs, 'accounts of a login');
  for (const [username, password] of pairs) {
    if (found.length >= (origin === 'shown' ? maxAccounts : 1)) break;
    const login = create(LoginSchema, {
      role: isPrivileged({ role: username }) ? 'admin' : 'user',
      kind: { case: 'form', value: { url: form.pageUrl, username, password, usernameField } },
    });
    try {
      // Most names are not known, which the first page says; a proof takes several logins.
      await loginWith(tools, login)();
    } catch (error) {
      if (!(error instanceof LoginError)) throw error;
      if (error.failure === 'locked' || error.failure === 'rate_limited') break;
      continue;
    }
    const proof = await proveLogin(tools, login);
    if (proof.proven) found.push({ origin, how: hows[origin], login });
  }
  return found;
}

async function pairsFor(
  context: CheckContext,
  { action, pageUrl, fields }: FormSurface,
  origin: 'shown' | 'usual',
): Promise<readonly AccountPair[]> {
  const place = {
    input: { url: action, page: { url: pageUrl, tokens: [] } },
    isMail: fields.some(({ type }) => type === 'email'),
  };
  return origin === 'shown'
    ? (await accountsShownBy(context, place)).map(({ pair }) => pair)
    : (await usualAccounts(context, place)).pairs;
}
