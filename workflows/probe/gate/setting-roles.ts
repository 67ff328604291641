import type { Form } from './form-parts.ts';

const roleNames =
  /^(?:(?:user|member|account|access|admin)[-_]?)?(?:levels?|roles?(?:[-_]?id)?|rights?|privileges?|permissions?)$|^is[-_]?(?:admin|staff|superuser)$/i;
const accountNames = /^(?:(?:user|account|member|customer)[-_]?(?:id|name)?|uid|uname|login)$/i;

/** The name of the field in which a form takes the role of an account that it names itself: of somebody's among others. */
export function roleOfOthers({ method, fields }: Pick<Form, 'method' | 'fields'>): string | undefined {
  const names = fields.some(({ name, type, value }) => type === 'hidden' && value !== '' && accountNames.test(name));
  if (method !== 'POST' || !names) return undefined;
  return fields.find(({ name, type }) => type !== 'hidden' && type !== 'submit' && roleNames.test(name))?.name;
}
