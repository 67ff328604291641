import type { Shop } from './shop.ts';
import type { DemoUser } from './users.ts';

export const maxFieldCharacters = 100;

const roles = ['customer', 'admin'];

/**
 * Changes where a customer gets deliveries.
 * @param given what was sent, by any form or client
 * @returns false when a field has no usable value, and nothing was changed
 */
export function changeProfile({ weaknesses, database }: Shop, user: DemoUser, given: Record<string, unknown>): boolean {
  const text = (name: string) => String(given[name] ?? '').trim();
  const [street, city] = [text('street'), text('city')];
  const areUsable = [street, city].every((value) => value !== '' && value.length <= maxFieldCharacters);
  if (!areUsable) return false;
  const role = weaknesses.roleFromProfile && roles.includes(text('role')) ? text('role') : null;
  database
    .prepare('UPDATE users SET street = ?, city = ?, role = coalesce(?, role) WHERE id = ?')
    .run(street, city, role, user.id);
  return true;
}
