import type { DescEnum } from '@bufbuild/protobuf';

/** SCAN_STATUS_COMPLETED is "completed" in REST. Undefined for the unspecified value and for numbers not known here. */
export function wordOf(enumeration: DescEnum, number: number): string | undefined {
  return number === 0 ? undefined : tablesOf(enumeration).words.get(number);
}

/** The number of a word, exactly as written; undefined for any other text, proto names and "unspecified" included. */
export function numberOf(enumeration: DescEnum, word: string): number | undefined {
  return tablesOf(enumeration).numbers.get(word);
}

export function wordsOf(enumeration: DescEnum): string[] {
  return [...tablesOf(enumeration).numbers.keys()];
}

type Tables = { words: Map<number, string>; numbers: Map<string, number> };

const tables = new WeakMap<DescEnum, Tables>();

function tablesOf(enumeration: DescEnum): Tables {
  const known = tables.get(enumeration);
  if (known) return known;
  const prefixLength = enumeration.sharedPrefix?.length ?? 0;
  const pairs = enumeration.values
    .filter(({ number }) => number !== 0)
    .map(({ name, number }) => [number, name.slice(prefixLength).toLowerCase()] as const);
  const made = { words: new Map(pairs), numbers: new Map(pairs.map(([number, word]) => [word, number])) };
  tables.set(enumeration, made);
  return made;
}
