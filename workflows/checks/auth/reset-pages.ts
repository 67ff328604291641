import type { HttpAction } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import { ProbeError } from '../../model/probe-error.ts';
import type { CheckContext } from '../contract.ts';
import { type AnswerKinds, isOtherThan, kindsOf } from '../decisions/answer-kinds.ts';
import { asksForPassword } from '../logins/signs.ts';

/** The address of a page for a new password, around its token. */
export type ResetPage = { before: string; after: string };
type StoreAndLook = NonNullable<CheckContext['store']>;

/** Tokens in addresses are refused to all others: this one was asked for here. */
export const pageWith = ({ before, after }: ResetPage, token: string): HttpAction => ({
  url: before + token + after,
  lasting: {
    description: 'The page for a new password of a test identity was opened; none was set.',
    place: before,
    registers: true,
  },
});

/** What a link shows; undefined when it may not be opened, or gives no answer. */
async function lookAt(store: StoreAndLook, page: ResetPage, token: string): Promise<Exchange | undefined> {
  try {
    return await store('', pageWith(page, token), async (answer) => answer);
  } catch (error) {
    if (error instanceof ProbeError && ['refused', 'out_of_scope', 'protocol_error', 'timeout'].includes(error.code))
      return undefined;
    throw error;
  }
}

/** Whether the page shows its form for this token, and not for others of its form. */
export async function opens(
  context: CheckContext,
  store: StoreAndLook,
  page: ResetPage,
  token: string,
): Promise<AnswerKinds | undefined> {
  const shown = await lookAt(store, page, token);
  if (shown?.status !== 200 || !asksForPassword(shown)) return undefined;
  const others = [await lookAt(store, page, context.nonce(24)), await lookAt(store, page, context.nonce(24))];
  const [one, other] = others;
  if (!one || !other || !isOtherThan([one, other])?.(shown)) return undefined;
  return kindsOf([shown], [one, other]);
}

/** Where there is no such page, there is nothing to open. What takes its token in the path is not there without. */
export async function isThere(context: CheckContext, store: StoreAndLook, page: ResetPage): Promise<boolean> {
  const { before } = page;
  const { origin } = new URL(before);
  const looked = before.endsWith('=') ? await plainly(context, before.replace(/\?.*$/s, '')) : undefined;
  const there = looked ?? (await lookAt(store, page, context.nonce(24)));
  const sibling = `${origin}/${context.nonce()}${looked ? '' : `/${context.nonce(24)}`}`;
  const nothing = await plainly(context, sibling);
  return there !== undefined && nothing !== undefined && isOtherThan([nothing, nothing])?.(there) === true;
}

async function plainly({ http }: CheckContext, url: string): Promise<Exchange | undefined> {
  try {
    return await http.get(url);
  } catch (error) {
    if (error instanceof ProbeError && ['refused', 'out_of_scope', 'protocol_error', 'timeout'].includes(error.code))
      return undefined;
    throw error;
  }
}
