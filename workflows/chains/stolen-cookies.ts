import type { CheckContext } from '../checks/contract.ts';
import { type LoginIdentity, type MarkedPage, markedPage, withCookies } from '../checks/sessions/own-sessions.ts';
import type { CaptureRule, Step } from '../model/experiment.ts';
import type { Fact } from '../model/fact.ts';
import { escapePattern } from '../proof/pattern.ts';

/** A session whose cookies script can read, and a page that shows whose it is. */
export type ReadableCookies = { identity: LoginIdentity; page: MarkedPage; names: string[] };

/** The session of a fact that its cookies can be read. */
export async function readableCookies(context: CheckContext, session?: Fact): Promise<ReadableCookies | undefined> {
  const identity = context.identities[session?.attributes.identity ?? ''];
  const names = (session?.attributes.cookies ?? '').split(' ').filter(Boolean);
  if (!identity || identity.loginUrl === undefined || names.length === 0) return undefined;
  const page = await markedPage(context, identity);
  return page && { identity: { ...identity, loginUrl: identity.loginUrl }, page, names };
}

/** Takes them out of a dialog that shows `document.cookie`. */
export const cookiesInDialog = (names: readonly string[]): CaptureRule[] =>
  names.map((name, index) => ({
    name: `stolen${index + 1}`,
    subject: 'browser:dialogs',
    pattern: `(?m)(?:^|; )${escapePattern(name)}=([^;\\n]+)`,
    secret: true,
  }));

/** Another client with what was taken; the control has a value of nobody. */
export function withStolen({ page, names }: Pick<ReadableCookies, 'page' | 'names'>): { taken: Step; other: Step } {
  const header = (value: (index: number) => string) => names.map((name, index) => `${name}=${value(index)}`).join('; ');
  return {
    taken: withCookies(
      page,
      header((index) => `‹stolen${index + 1}›`),
      'Another client with what was read is the user.',
    ),
    other: withCookies(
      page,
      header(() => '‹nonce›'),
      'A cookie with another value is not: the account is opened by this one.',
    ),
  };
}
