import { create } from '@bufbuild/protobuf';
import { FormLoginSchema, type Login, LoginSchema } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import type { WebStorage } from '../model/browser.ts';
import { LoginError } from '../model/login-error.ts';
import { ProbeError } from '../model/probe-error.ts';
import type { Surface } from '../model/surface.ts';
import { type LoginTools, loginUrlOf, loginWith } from './log-in.ts';

export type ScriptedStorage = { storage: WebStorage } | { unseen: string } | undefined;

/**
 * What the scripts of a page keep when somebody logs in there whose login is given as its JSON request: without it the page, in a
 * browser, is that of a visitor.
 * @returns why there is none, where a page has the login; undefined where none was seen to
 * @throws ProbeError when it is canceled
 */
export async function scriptedStorage(
  tools: LoginTools,
  login: Login,
  { calls }: Pick<Surface, 'calls'>,
): Promise<ScriptedStorage> {
  const { kind } = login;
  if (kind.case !== 'json') return undefined;
  const url = loginUrlOf(login, tools.baseUrl);
  const call = calls.find((each) => each.method === 'POST' && each.url === url);
  if (!call) return undefined;
  const { username, password } = kind.value;
  const value = create(FormLoginSchema, { url: call.pageUrl, username, password });
  const typed = create(LoginSchema, { ...login, kind: { case: 'browser', value } });
  try {
    const { storage } = await loginWith(tools, typed, 1)();
    return storage && { storage };
  } catch (error) {
    if (error instanceof LoginError || (error instanceof ProbeError && error.code !== 'canceled'))
      return { unseen: `pages were not used in the browser as this user: ${error.message}` };
    throw error;
  }
}
