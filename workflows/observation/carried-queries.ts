import type { FormSurface } from '../model/surface.ts';
import { keysOfForm } from '../probe/gate/form-key.ts';

/**
 * Forms that carry the query of their page along in hidden fields, as those that export or sort what a list shows: one form, whose
 * hidden names are others on each page.
 */
export type CarriedQueries = {
  /** Notes a form, and says whether enough that differ from it in what they carry alone were noted before. */
  isOneMore(form: FormSurface): boolean;
};

/** Of forms that differ in what they carry alone, so many are tried: a page may be of another kind for one of them. */
const tried = 3;

export function createCarriedQueries(): CarriedQueries {
  const counts = new Map<string, number>();
  return {
    isOneMore(form) {
      const fields = form.fields.filter(({ type }) => type !== 'hidden');
      if (form.method !== 'GET' || fields.length === form.fields.length) return false;
      // Commands among hidden fields tell forms apart.
      const { exact, key } = keysOfForm(form);
      const kind = `${keysOfForm({ ...form, fields }).key}${exact.slice(key.length)}`;
      const count = counts.get(kind) ?? 0;
      counts.set(kind, count + 1);
      return count >= tried;
    },
  };
}
