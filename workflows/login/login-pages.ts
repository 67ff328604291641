import type { Run } from '../run/run.ts';
import { loginUrlOf } from './log-in.ts';
import { openLogin } from './settings.ts';

/** Pages on which the identities of a scope type their passwords: a site may show visitors no link to them. */
export async function loginPages(run: Run, baseUrl: string, logins: readonly { name: string; kind: string }[]) {
  const typed = logins.filter(({ kind }) => kind === 'form' || kind === 'browser');
  const opened = await Promise.all(typed.map(({ name }) => openLogin(run, name)));
  return opened.flatMap((login) => loginUrlOf(login, baseUrl) ?? []);
}
