import type { InputSurface, Surface } from '../../model/surface.ts';
import { isTyped } from '../../model/typed-text.ts';

/** A statement that reads, from its beginning. */
const statement = /^\s*(?:select\b[\s\S]{1,2000}\bfrom\b|with\b[\s\S]{1,2000}\bselect\b)/i;

/**
 * Names of fields in which visitors write whole statements themselves: the site shows one in a field that anybody may edit, and sends
 * others by the same name. Nothing is put into a statement there, and what the console may read is the site's decision.
 */
export function statementFields({ inputs, forms }: Pick<Surface, 'inputs' | 'forms'>): ReadonlySet<string> {
  const visible = new Map(
    forms.flatMap(({ fields }) =>
      fields.flatMap(({ name, type, value }) =>
        /^(?:textarea|text|search)$/.test(type) ? [[name, value] as const] : [],
      ),
    ),
  );
  const samples = inputs.filter(({ sample }) => statement.test(sample)).map(({ parameter }) => parameter);
  const shown = [...visible].filter(([, value]) => statement.test(value)).map(([name]) => name);
  return new Set([...samples.filter((name) => visible.has(name)), ...shown]);
}

/** A value of another kind says that the same name means something else there. */
export const isOfConsole = ({ parameter, in: place, sample }: InputSurface, fields: ReadonlySet<string>): boolean =>
  (place === 'query' || place === 'body') &&
  fields.has(parameter) &&
  (sample === '' || isTyped(sample) || statement.test(sample));
