import type { FormSurface, Surface } from '../../model/surface.ts';
import { loginWords } from '../../probe/gate/words/fields.ts';

const visibleTypes = /^(?:text|email|tel|search|textarea|number|url|checkbox|radio|select|file|date|color|range)$/;
const userNames =
  /user|e-?mail|log-?[io]n|account|ident|benutzer|konto|utilisateur|courriel|usuario|utente|gebruiker|nick/i;
const goingOn =
  /log.?[io]n|sign.?in|continue|next|anmelden|einloggen|weiter|connexion|suivant|entrar|siguiente|avanti|volgende/i;
const otherwise = /regist|sign.?up|join|subscri|newsletter|creat|forgot|reset|lost|recover|invit|search|verif/i;

/** Forms that ask for the name of a user alone, with the password on the page after it. */
export const nameFirstForms = ({ forms, pages }: Pick<Surface, 'forms' | 'pages'>): FormSurface[] =>
  forms.filter((form) => isNameFirst(form, pages.find(({ url }) => url === form.pageUrl)?.title ?? ''));

function isNameFirst({ method, action, pageUrl, fields, label }: FormSurface, title: string): boolean {
  const visible = fields.filter(({ type }) => visibleTypes.test(type) || type === 'password');
  const [field] = visible;
  if (method !== 'POST' || visible.length !== 1 || !field || !/^(?:text|email|tel)$/.test(field.type)) return false;
  const words = `${label} ${new URL(action).pathname} ${new URL(pageUrl).pathname}`;
  return (
    (userNames.test(field.name) || loginWords.test(title)) &&
    goingOn.test(words) &&
    !otherwise.test(`${words} ${title}`)
  );
}
