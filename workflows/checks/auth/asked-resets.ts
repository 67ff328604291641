import type { Candidate } from '../../model/candidate.ts';
import { isBorrowed, isRegistered, isShown } from '../../model/gained-name.ts';
import { mailOf } from '../accounts/registrations.ts';
import { type CheckContext, notApplicable, notRun } from '../contract.ts';
import { atMost } from '../inputs/at-most.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { openInput } from '../inputs/open-input.ts';
import { resetsIn } from '../logins/reset-forms.ts';
import { lacksIdentities } from '../sessions/site-login.ts';

export type StoreOf = NonNullable<CheckContext['store']>;

/** What a check looks at: a form for a new password, and the name of a test identity of the org's own. */
export type AskedReset = { input: OpenedInput; name: string };

const maxForms = 2;

/** An account that the audit has registered was given this address. */
const addressOf = (identity: string, userName: string): string[] =>
  isRegistered(identity) && !userName.includes('@') ? [mailOf(userName)] : [];

/** Looks at each form for a new password with a name of the org's own, or says why it cannot. @throws ProbeError, ProofError */
export async function lookAtResets<T extends AskedReset>(
  context: CheckContext,
  look: (store: StoreOf, reset: AskedReset) => Promise<T | undefined>,
  detailOf: (found: T) => string,
) {
  const { surface, identities, store } = context;
  const forms = resetsIn([...surface.inputs, ...(surface.heldInputs ?? [])]);
  if (forms.length === 0) return notApplicable('No form asks for a new password by the name of an account.');
  const namesOf = (isWanted: (identity: string) => boolean): string[] =>
    Object.values(identities).flatMap(({ name, userName }) =>
      userName === undefined || !isWanted(name) ? [] : [userName, ...addressOf(name, userName)],
    );
  const own = namesOf((name) => !isBorrowed(name));
  // What a page gives everybody to try the site is nobody's.
  const names = own.length > 0 ? own : namesOf(isShown);
  if (names.length === 0) return lacksIdentities(context, 'an identity with a user name');
  if (context.writes !== 'create' || !store)
    return notRun(
      'would_write',
      'it asks for new passwords of a test identity: the scope of the domain has to say "writes": "create"',
    );
  const candidates: Candidate<T>[] = [];
  for (const form of atMost(context, forms, maxForms, 'forms for a new password')) {
    const name = names.find((each) => each.includes('@') || !/mail/i.test(form.parameter));
    if (name === undefined) continue;
    const found = await look(store, { input: await openInput(context, form), name });
    if (!found) continue;
    const { url, parameter, route } = found.input;
    const location = { url, method: 'POST', parameter, parameterIn: 'body' as const };
    candidates.push({ location, route, detail: detailOf(found), data: found });
  }
  return candidates;
}
