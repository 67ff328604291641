/** A label of a page or a member of JSON. */
const label = /[>"']\s{0,9}([A-Za-z][\w '-]{1,40}):?/g;
/** What stands between it and its value. */
const separator = /\s{0,3}(?:["']\s{0,3}:\s{0,9}"?|(?:<[^<>]{0,200}>\s{0,40}){1,4}:?\s{0,9})?/y;
const maxLabels = 40;

/** Where the values of some labels begin in an answer ("<dt>Balance</dt><dd>", "Balance: ", "balance":), in its order. */
export function valuesBehind(text: string, isWanted: (name: string) => boolean): number[] {
  const labels = [...text.matchAll(label)].filter(({ 1: name = '' }) => isWanted(name.trim()));
  return labels.slice(0, maxLabels).map(({ 0: whole, index }) => {
    separator.lastIndex = index + whole.length;
    return index + whole.length + (separator.exec(text)?.[0].length ?? 0);
  });
}
