/** A time in seconds or finer, a random fraction, a checksum or a UUID: no program asks for a parameter of such a name. */
const madeAnew =
  /^(?:\d{9,20}|0?\.\d{6,20}|(?=[a-f]*\d)[0-9a-f]{8,64}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/i;

/**
 * What stands for the name of a parameter. A number that keeps caches from answering often stands alone in an address ("?1795443262"),
 * another one with each load: all of them are one place, and no program reads a parameter by it.
 */
export const placeOfName = (name: string, value: string): string =>
  value === '' && madeAnew.test(name) ? '{id}' : name;

/** The names of an address's parameters, each once and in order. */
export const parameterNames = (parameters: Iterable<readonly [string, string]>): string[] =>
  [...new Set([...parameters].map(([name, value]) => placeOfName(name, value)))].sort();
