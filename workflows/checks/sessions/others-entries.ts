import type { FormSurface, Surface } from '../../model/surface.ts';
import { wasOrWere } from '../../model/words.ts';
import { entryOfForm, namesInRequest, placeOfEntry, type SiteEntry } from '../../probe/gate/entries.ts';
import type { OmissionReporter } from '../inputs/at-most.ts';
import { inputAction } from '../inputs/input-request.ts';

/** It gives back the texts of an entry that the gate holds, since the audit has not made it. */
export function isOthersEntry(form: FormSurface, { heldInputs = [] }: Surface): boolean {
  const entry = entryOfForm(form);
  if (!entry?.isShown) return false;
  const held = heldInputs.filter(({ namesEntry, url }) => namesEntry && placeOfEntry('POST', url) === entry.place);
  const others = new Set(
    held.flatMap((input) => namesInRequest({ headers: [], method: 'POST', ...inputAction(input, input.sample) }).names),
  );
  return entry.names.some((name) => others.has(name));
}

/**
 * Forms of a user that a check changes and puts back: those of the account come first, and of entries of one kind one alone, that of
 * the audit's own where there is one.
 */
export function oneOfEachKind(
  context: OmissionReporter,
  forms: readonly FormSurface[],
  surface: Surface,
): FormSurface[] {
  const ofAccount = forms.filter((form) => !entryOfForm(form)?.isShown);
  const entries = forms.flatMap((form) => {
    const entry = entryOfForm(form);
    return entry?.isShown ? [{ form, kind: kindOf(entry), isOthers: isOthersEntry(form, surface) }] : [];
  });
  const chosen = [...Map.groupBy(entries, ({ kind }) => kind).values()].flatMap(
    (alike) => alike.find(({ isOthers }) => !isOthers) ?? alike[0] ?? [],
  );
  const count = entries.length - chosen.length;
  const text = `${count} forms of further entries ${wasOrWere(count)} left as they are: one entry of a kind is changed and put back`;
  if (count > 0) context.leave({ code: 'alike', count, text });
  const ownFirst = chosen.toSorted((one, other) => Number(one.isOthers) - Number(other.isOthers));
  return [...ofAccount, ...ownFirst.map(({ form }) => form)];
}

/** Entries of one kind have the same form at the same place. */
const kindOf = ({ place, fields }: SiteEntry): string => `${place} ${fields}`;
