import { isBorrowed, isRegistered } from '../../model/gained-name.ts';
import type { Identity } from '../../model/identity.ts';
import type { LoginRecipe } from '../../model/login-recipe.ts';
import type { InputSurface } from '../../model/surface.ts';
import { type CheckContext, type NotApplicable, type NotRun, notApplicable, notRun } from '../contract.ts';
import { byRole } from '../sessions/roles.ts';
import { lacksIdentities } from '../sessions/site-login.ts';
import { labelledInputs } from './registering-labels.ts';
import { registrationsIn } from './registrations.ts';

/** An account that is there, how it logs in, and where further ones like it are opened. */
type FurtherAccounts = { user: Identity; recipe: LoginRecipe; registration: InputSurface };

/**
 * What a check needs that opens accounts of its own.
 * @param act what it does with them, for the coverage: "it redeems vouchers"
 * @param readsOnly with the account that is there it only looks at pages, so that a test identity of the org will do
 * @returns why it cannot be run, where it cannot
 */
export function furtherAccounts(
  context: CheckContext,
  act: string,
  readsOnly?: 'reads-only',
): FurtherAccounts | NotRun | NotApplicable {
  const [registration] = registrationsIn(labelledInputs(context.surface));
  if (!registration) return notApplicable('Nothing was seen by which somebody opens an account.');
  if (context.writes !== 'create')
    return notRun('would_write', `${act}: the scope of the domain has to say "writes": "create"`);
  const users = byRole(context).users.filter(({ recipe }) => recipe);
  const given = readsOnly && users.find(({ name }) => !isBorrowed(name));
  const user = users.find(({ name }) => isRegistered(name)) ?? given;
  if (!user?.recipe) return lacksIdentities(context, 'an account that the audit has opened');
  return { user, recipe: user.recipe, registration };
}
