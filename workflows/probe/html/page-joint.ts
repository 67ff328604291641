/** Longer stretches are rarely repeated as they are. */
const maxLength = 120;
/** So much of what both texts have stands on each side. */
const around = 30;

/**
 * Where a text differs from another one that begins and ends with the same words: the stretch that it has instead, with a little of
 * what both have around it, on one line. A page that only lacks what the other says ("in stock", "not in stock") has no other part of its own.
 * @returns undefined where the texts are the same, or differ in too much
 */
export function jointOf(text: string, other: string): string | undefined {
  const shortest = Math.min(text.length, other.length);
  let start = 0;
  while (start < shortest && text[start] === other[start]) start += 1;
  let shared = 0;
  while (shared < shortest - start && text.at(-1 - shared) === other.at(-1 - shared)) shared += 1;
  const end = text.length - shared;
  if (end - start > maxLength) return undefined;
  const before = text.slice(Math.max(0, start - around), start).replace(/^.*[\p{Cc}‹›]/su, '');
  const behind = text.slice(end, end + around).replace(/[\p{Cc}‹›].*$/su, '');
  const joint = (before + text.slice(start, end) + behind).trim();
  return joint === '' || /[\p{Cc}‹›]/u.test(joint) || other.includes(joint) ? undefined : joint;
}
