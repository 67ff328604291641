import type { CheckContext } from '../contract.ts';
import { canaryAt } from '../inputs/canary.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { openInput } from '../inputs/open-input.ts';
import { rootPath } from '../inputs/path-inputs.ts';

/**
 * What is found at an input. Undefined for a path that is not there where the root shows the same: one page is made for all that is
 * not there, and it is found at the root.
 */
export async function onceForMissing<T>(
  context: CheckContext,
  input: OpenedInput,
  look: (context: CheckContext, input: OpenedInput) => Promise<T | undefined>,
  isSeenAt: (root: OpenedInput, found: T) => Promise<boolean>,
): Promise<T | undefined> {
  const found = await look(context, input);
  const root = rootPath(new URL(input.url).origin);
  if (found === undefined || input.in !== 'path' || input.route === root.route) return found;
  const { exchange } = await canaryAt(context, input);
  if (exchange.status !== 404) return found;
  return (await isSeenAt(await openInput(context, root), found)) ? undefined : found;
}
