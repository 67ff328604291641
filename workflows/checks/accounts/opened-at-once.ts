import type { InputSurface } from '../../model/surface.ts';
import { fill, newTrialValues } from '../../proof/template.ts';
import type { CheckContext } from '../contract.ts';
import { openInput, requestOfInput } from '../inputs/open-input.ts';
import { newVisitor, storeAsVisitor } from '../sessions/visits.ts';
import { contextAs } from '../visitors/as-visitor.ts';
import { accountBy, type ExtraField, registrationRequest } from './registrations.ts';

/**
 * Opens an account before there is anything to prove; it stays.
 * @param description for the ledger
 * @returns its name, and the context of whoever has registered, whom most sites log in at once
 * @throws ProbeError, ProofError
 */
export async function openAtOnce(
  context: CheckContext,
  registration: InputSurface,
  description: string,
  extras: readonly ExtraField[] = [],
): Promise<{ name: string; own: CheckContext }> {
  const visitor = newVisitor(context);
  const own = contextAs(context, visitor, context.surface);
  const input = await openInput(own, registration);
  const account = accountBy('nonce');
  const values = newTrialValues(context.nonce);
  const action = {
    ...registrationRequest(input, account, extras),
    secrets: [account.password],
    lasting: { description, place: input.page?.url ?? input.url, registers: true as const },
  };
  await storeAsVisitor(context, visitor.jar, await requestOfInput(own, input, action, values));
  return { name: fill(account.name, values), own };
}
