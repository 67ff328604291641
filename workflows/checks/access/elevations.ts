/** Claims with more rights than the site gave, and what was changed, in words. */
type Elevation = { claims: Record<string, unknown>; change: string };

const roleNames =
  /^(?:.*[:/])?(?:(?:(?:user|account|member)[-_]?)?(?:roles?|groups?|type)|scopes?|permissions?|perms|authorities|(?:(?:access|user|privilege|permission|clearance)[-_]?)?level|privileges?|access)$/i;
const flagNames = /^(?:.*[:/])?(?:is_?)?(?:admin(?:istrator)?|staff|super_?user|root|privileged)$/i;
const words = ['admin', 'administrator', 'superuser', 'root'];

/**
 * Ways to raise the rights in a token, the likeliest first: what its claims already say is said higher; where nothing is said,
 * the usual claims are added. Who the user is never changes.
 */
export function elevations(claims: Record<string, unknown>): Elevation[] {
  const flags = Object.keys(claims).filter((name) => flagNames.test(name) && isLow(claims[name]));
  const roles = Object.keys(claims).filter((name) => roleNames.test(name));
  const raised = [
    ...(flags.length > 0
      ? [change(claims, Object.fromEntries(flags.map((name) => [name, raisedFlag(claims[name])])))]
      : []),
    ...words.flatMap((word) => roles.flatMap((name) => raisedRole(claims, name, word))),
  ];
  if (raised.length > 0) return raised;
  return [
    change(claims, { role: 'admin', roles: ['admin'], admin: true, isAdmin: true, is_admin: true, scope: 'admin' }),
  ];
}

const isLow = (value: unknown): boolean => value === false || value === 0 || value === '0' || value === 'false';
const raisedFlag = (value: unknown): unknown =>
  typeof value === 'boolean' ? true : typeof value === 'number' ? 1 : value === '0' ? '1' : 'true';

/** In the form that the claim has: a word, a list, or words separated by spaces or commas; in its spelling. */
function raisedRole(claims: Record<string, unknown>, name: string, word: string): Elevation[] {
  const value = claims[name];
  if (Array.isArray(value)) return [change(claims, { [name]: [...value, spelled(word, String(value[0] ?? ''))] })];
  if (typeof value === 'string') {
    const separator = /[ ,]/.exec(value)?.[0];
    const spelling = spelled(word, value.split(/[ ,]/)[0] ?? '');
    return [change(claims, { [name]: separator ? `${value}${separator}${spelling}` : spelling })];
  }
  if (typeof value === 'number' && word === 'admin')
    return (/level$/i.test(name) ? [99, 0] : [0, 99]).map((raised) => change(claims, { [name]: raised }));
  return [];
}

/** "ROLE_USER" → "ROLE_ADMIN", "User" → "Admin". */
function spelled(word: string, like: string): string {
  const prefix = /^ROLE_/i.exec(like)?.[0] ?? '';
  const rest = like.slice(prefix.length);
  if (rest !== '' && rest === rest.toUpperCase() && /[A-Z]/.test(rest)) return prefix + word.toUpperCase();
  if (/^[A-Z]/.test(rest)) return prefix + word.charAt(0).toUpperCase() + word.slice(1);
  return prefix + word;
}

const change = (claims: Record<string, unknown>, changes: Record<string, unknown>): Elevation => ({
  claims: { ...claims, ...changes },
  change: Object.entries(changes)
    .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
    .join(', '),
});
