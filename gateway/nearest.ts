/**
 * The known name that was probably meant: the same but for case, "_" and "-", or one edit away
 * (a character added, left out, replaced, or two neighbours swapped).
 */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  // A name may be as long as a body, and no known one is: it need not be compared.
  if (name.length > maxNameLength) return undefined;
  const names = [...known];
  return names.find((other) => plain(other) === plain(name)) ?? names.find((other) => isOneEditAway(name, other));
}

const maxNameLength = 64;

function plain(name: string): string {
  return name.replace(/[_-]/g, '').toLowerCase();
}

function isOneEditAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  if (restA.slice(1) === restB.slice(1) || restA.slice(1) === restB || restA === restB.slice(1)) return true;
  return restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2);
}
