import type { InputSurface } from '../../model/surface.ts';

/** So many numbers in one place of a field's name make it that of rows. */
const fewestRows = 3;

const rowNumber = /\[\d+\](?=\[|$)/;

/**
 * Names fields that a form has once for each of its rows ("files[1][title]", "files[2][title]"): a program goes through all rows with
 * the same code. Other inputs have no name.
 */
export function formRows(inputs: readonly InputSurface[]): Map<InputSurface, string> {
  const numbered = inputs.filter(({ in: place, parameter }) => place !== 'path' && rowNumber.test(parameter));
  const names = new Map<InputSurface, string>();
  for (const [name, fields] of Map.groupBy(numbered, nameOf))
    if (new Set(fields.map(({ parameter }) => parameter)).size >= fewestRows)
      for (const input of fields) names.set(input, name);
  return names;
}

const nameOf = ({ method, url, in: place, parameter }: InputSurface): string =>
  [method, place === 'query' ? url.replace(/[?#].*$/s, '') : url, place, parameter.replace(rowNumber, '[]')].join(' ');
