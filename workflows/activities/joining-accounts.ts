import { accountBy } from '../checks/accounts/registrations.ts';
import type { CheckContext } from '../checks/contract.ts';
import { likeliest } from '../checks/inputs/at-most.ts';
import { openInput } from '../checks/inputs/open-input.ts';
import { anyEntrance, type Login, loginAction, loginsOf } from '../checks/logins/login.ts';
import { proveLogin } from '../login/prove-login.ts';
import type { Exchange } from '../model/http.ts';
import { parseJson } from '../model/json.ts';
import { ProbeError } from '../model/probe-error.ts';
import { visibleText } from '../probe/html/text.ts';
import { isHtml } from '../probe/http/document-type.ts';
import { locationOf } from '../probe/http/exchange.ts';
import { lockedWords, wrongWords } from '../probe/refusing-words.ts';
import { ProofError } from '../proof/proof-error.ts';
import { fill, newTrialValues } from '../proof/template.ts';
import type { Audit } from './audit-context.ts';
import { type GainedAccount, hows } from './gaining.ts';
import { loginAt } from './login-offers.ts';

const maxLogins = 2;

/**
 * Accounts of a login that opens one for a name which it does not know ("Join or sign in"). Each is proven as one of the org's: a page of
 * its own, which the same name with another password is not shown. What is opened stays, and is recorded before it is sent.
 * @param tried may send what logs in
 * @throws ProbeError
 */
export async function joiningAccounts(
  { storeFor }: Pick<Audit, 'storeFor'>,
  tried: CheckContext,
  count: number,
): Promise<GainedAccount[]> {
  const store = storeFor({ id: 'accounts', risk: 'caution' });
  const named = loginsOf(tried.surface, anyEntrance).filter(({ nameField }) => nameField !== undefined);
  const found: GainedAccount[] = [];
  for (const login of likeliest(tried, named, maxLogins, 'logins that may open an account')) {
    while (store && found.length < count) {
      const account = await joinedAt(tried, store, login);
      if (!account) break;
      found.push(account);
    }
    if (found.length > 0) break;
  }
  return found;
}

async function joinedAt(
  tried: CheckContext,
  store: NonNullable<CheckContext['store']>,
  login: Login,
): Promise<GainedAccount | undefined> {
  const { http, browser, nonce, signal, surface } = tried;
  const values = newTrialValues(nonce);
  const [name = '', mail = '', password = ''] = [accountBy('nonce')].flatMap((each) =>
    [each.name, each.mail, each.password].map((part) => fill(part, values)),
  );
  const user = login.isMail ? mail : name;
  const request = loginAction({ ...login, input: await openInput(tried, login.input) }, user, password);
  const description = 'A new name was sent to a login that may open an account for it, to look at the site as a user.';
  const place = login.input.page?.url ?? login.input.url;
  try {
    const sent = request && { ...request, lasting: { description, place, registers: true as const } };
    const isTaken = sent && (await store('', sent, async (answer) => mayHaveJoined(answer, place)));
    if (!isTaken) return undefined;
    const own = loginAt(login, [user, password]);
    const tools = { http, browser, nonce, signal, baseUrl: surface.url, lockoutPausesMs: [] };
    const proof = await proveLogin(tools, own);
    return proof.proven ? { origin: 'registered', how: hows.registered, login: own } : undefined;
  } catch (error) {
    if (error instanceof ProofError || (error instanceof ProbeError && error.code !== 'canceled')) return undefined;
    throw error;
  }
}

/** An answer that does not refuse the name and its password, nor ask for them again. */
function mayHaveJoined(answer: Exchange, loginPage: string): boolean {
  const { status, text, request } = answer;
  const target = locationOf(answer);
  const path = (url: string) => URL.parse(url, request.url)?.pathname;
  if (status >= 400 || (target !== undefined && path(target) === path(loginPage) && path(target) !== '/')) return false;
  const words = isHtml(answer) ? visibleText(text) : text;
  const isAskedAgain = isHtml(answer) && /\btype\s*=\s*["']?password/i.test(text);
  const said = /json/.test(answer.header('content-type') ?? '') ? Object(parseJson(text)) : {};
  const isRefused = said.success === false || said.ok === false || Object.hasOwn(said, 'error');
  return !isAskedAgain && !isRefused && !wrongWords.test(words) && !lockedWords.test(words);
}
