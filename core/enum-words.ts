import type { DescEnum } from '@bufbuild/protobuf';
import type { GenEnum } from '@bufbuild/protobuf/codegenv2';

/** The lower-case word of an enum's value, as REST shows it and rows store it, for instance "high". */
export function enumWord(schema: DescEnum, value: number): string {
  return schema.value[value]?.localName.toLowerCase() ?? '';
}

/** The value of a lower-case word. @throws Error when the enum does not have it */
export function enumValue<T extends number>(schema: GenEnum<T>, word: string): T {
  const known = schema.values.find(({ localName }) => localName.toLowerCase() === word);
  if (!known) throw new Error(`${schema.typeName} has no "${word}"`);
  return known.number as T;
}
