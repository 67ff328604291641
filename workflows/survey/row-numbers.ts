import type { Surface } from '../model/surface.ts';
import { readAddress } from '../probe/gate/urls.ts';

/** Numbers of rows by the names of their fields: what is longer is a time or random. */
export type RowNumbers = Map<string, number>;

const namesRow = /(?:^|[_-])(?:id|no|nr|num|number|post|draft|item|entry)$|I[dD]$/i;
const maxDigits = 9;

export function hiddenNumbers(forms: Surface['forms']): RowNumbers {
  const fields = forms.flatMap((form) => form.fields.filter(({ type }) => type === 'hidden'));
  return new Map(
    fields.filter(({ name, value }) => isRowNumber(name, value)).map(({ name, value }) => [name, Number(value)]),
  );
}

export const isRowNumber = (name: string, value: string): boolean =>
  namesRow.test(name) && value.length <= maxDigits && /^[1-9]\d*$/.test(value);

/**
 * Whether a page whose address says that it makes something new has the number of a row in a form of it, which its address does not
 * have: it may have made that row as it was opened.
 */
export function mayHaveMade(url: string, forms: Surface['forms']): boolean {
  if (readAddress(url).making === undefined) return false;
  const own = hiddenNumbers(forms.filter(({ pageUrl }) => pageUrl === url));
  return [...own.values()].some((number) => !url.split(/\D+/).includes(String(number)));
}
