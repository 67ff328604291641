/** Ways to compare a field: one piece of code makes a condition of each. */
const operators =
  /^_?(?:eq(?:uals)?|neq?|not|n?in|not_?in|gte?|lte?|n?i?(?:contains|like|starts_?with|ends_?with)|regex)$/i;
/** Those that many programs put into a pattern. */
const patterns = /contains|like|with$/i;

/** Members of a type of arguments, of operators without which it is accepted the first alone, and the first of a pattern. */
export function withoutLikeOperators<T extends { name: string }>(
  members: readonly T[],
  isNeeded: (member: T) => boolean,
): T[] {
  const found = members.filter((member) => operators.test(member.name) && !isNeeded(member));
  const kept = [found[0], found.find(({ name }) => patterns.test(name))];
  return members.filter((member) => !found.includes(member) || kept.includes(member));
}
