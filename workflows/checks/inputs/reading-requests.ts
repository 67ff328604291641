import type { FormSurface, InputSurface } from '../../model/surface.ts';
import { kindOfForm } from '../../probe/gate/structure.ts';

/** The form that sends the input. */
export const formOf = ({ url, parameter }: InputSurface, forms: readonly FormSurface[]): FormSurface | undefined =>
  forms.find(
    ({ action, method, fields }) =>
      method === 'POST' && action === url && fields.some(({ name }) => name === parameter),
  );

/** A form that lets somebody in: a name and one password. Names of ours that nobody has are refused, and lock nobody out. */
export const isLoginForm = (form: FormSurface): boolean => !form.takesAnybody && kindOfForm(form).kind === 'login';
