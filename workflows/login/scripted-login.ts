import { create } from '@bufbuild/protobuf';
import { FormLoginSchema, type Login, LoginSchema } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import type { WebStorage } from '../model/browser.ts';
import { LoginError } from '../model/login-error.ts';
import { ProbeError } from '../model/probe-error.ts';
import type { Surface } from '../model/surface.ts';
import { type LoginTools, loginUrlOf, loginWith } from './log-in.ts';
import { type ScriptedToken, scriptedTokens } from './scripted-tokens.ts';
import type { LoginSession } from './session.ts';

/**
 * What scripts keep of a login, the addresses that they read once it has worked, what the application has sent of itself then, and the
 * headers and cookies that say who asks; or why that is not known. Undefined where no page was seen to make the login.
 */
type ScriptedLogin =
  | {
      storage: WebStorage;
      calls: readonly string[];
      writes: NonNullable<LoginSession['writes']>;
      sends: readonly ScriptedToken[];
    }
  | { unseen: string }
  | undefined;

/**
 * Types a login that is given as its JSON request into the page whose script makes it: without what that keeps the page, in a
 * browser, is that of a visitor.
 * @throws ProbeError when it is canceled
 */
export async function scriptedLogin(
  tools: LoginTools,
  login: Login,
  { calls }: Pick<Surface, 'calls'>,
): Promise<ScriptedLogin> {
  const { kind } = login;
  if (kind.case !== 'json') return undefined;
  const url = loginUrlOf(login, tools.baseUrl);
  const call = calls.find((each) => each.method === 'POST' && each.url === url);
  if (!call) return undefined;
  const { username, password } = kind.value;
  const value = create(FormLoginSchema, { url: call.pageUrl, username, password });
  const typed = create(LoginSchema, { ...login, kind: { case: 'browser', value } });
  try {
    const session = await loginWith(tools, typed, 1)();
    const { storage = {}, calls: read = [], writes = [] } = session;
    return { storage, calls: read, writes, sends: scriptedTokens(session) };
  } catch (error) {
    if (error instanceof LoginError || (error instanceof ProbeError && error.code !== 'canceled'))
      return { unseen: `pages were not used in the browser as this user: ${error.message}` };
    throw error;
  }
}
