import type { FormSurface } from '../../model/surface.ts';

/** What of a form decides on its kind. */
export type Form = Pick<FormSurface, 'action' | 'method' | 'label' | 'fields' | 'isSearch'> &
  Partial<Pick<FormSurface, 'pageUrl'>>;
export type Field = Form['fields'][number];

/** Fields whose value says what is to be done. */
export const commandNames =
  /^(?:_?method|_?action|act|cmd|command|do|op|oper|operation|task|event|mode|todo|submit|button|btn)$/i;
