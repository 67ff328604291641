import type { InputSurface, Surface } from '../model/surface.ts';
import { entryOfForm } from '../probe/gate/entries.ts';
import { keyOfChoice } from './choice-list.ts';

/** What a visitor was shown at first, and what a further survey added. */
export function unitedSurface(first: Surface, further: Surface): Surface {
  return {
    ...first,
    addresses: [...new Set([...first.addresses, ...further.addresses])],
    pages: byKey([...first.pages, ...further.pages], ({ url }) => url),
    forms: byKey([...first.forms, ...further.forms], (form) => [
      form.method,
      form.action,
      form.fields.map(nameOf),
      form.label,
      // What is led to is an entry of the audit's own perhaps, which may be worked on.
      entryOfForm(form)?.names,
    ]),
    inputs: byKey([...first.inputs, ...further.inputs], keyOfInput),
    givenCookies: byKey([...(first.givenCookies ?? []), ...(further.givenCookies ?? [])], ({ url }) => url),
    calls: byKey([...first.calls, ...further.calls], ({ method, url, body }) => [method, url, body]),
    choices: byKey([...(first.choices ?? []), ...(further.choices ?? [])], keyOfChoice),
    explored: [...first.explored, ...further.explored],
    skipped: byKey([...first.skipped, ...further.skipped], ({ url }) => url),
  };
}

/** What only the second has. */
export const addedTo = (first: Surface, united: Surface): Surface => ({
  ...united,
  forms: united.forms.filter((form) => !first.forms.includes(form)),
  inputs: united.inputs.filter((input) => !first.inputs.includes(input)),
  calls: united.calls.filter((call) => !first.calls.includes(call)),
});

const nameOf = ({ name }: { name: string }): string => name;

const keyOfInput = ({ method, route, parameter, in: place, contentType }: InputSurface): unknown[] => [
  method,
  route,
  parameter,
  place,
  contentType,
];

/** The first of each key. */
function byKey<T>(items: readonly T[], keyOf: (item: T) => unknown): T[] {
  const found = new Map<string, T>();
  for (const item of items) {
    const key = JSON.stringify(keyOf(item));
    if (!found.has(key)) found.set(key, item);
  }
  return [...found.values()];
}
