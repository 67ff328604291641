import { visibleText } from '../../probe/html/text.ts';

const greeting =
  /\b(?:welcome(?: back)?|hello|hi|hey|(?:signed|logged) in as|(?:account|profile) of|willkommen|hallo|bienvenue|bonjour|hola|bienvenid[oa])[,:]?\s{1,3}(\p{Lu}[\p{L}'’-]{1,30}\.?(?: \p{Lu}[\p{L}'’-]{0,30}\.?){0,2})/gu;
const firstLetter =
  /(^|\s)(?:welcome|hello|hi|hey|signed|logged|account|profile|willkommen|hallo|bienvenue|bonjour|hola|bienvenid[oa])\b/gi;
const nobody = /^(?:back|guest|visitor|user|there|to|again|everyone|everybody|all|friend)$/i;
const maxNames = 3;

/** Names by which a page greets its user: "Welcome back, Tessa Lund", "Signed in as Tessa". */
export function greetedNames(html: string): string[] {
  const text = visibleText(html).replace(firstLetter, (words) => words.toLowerCase());
  const names = [...text.matchAll(greeting)].map(([, name = '']) => name.replace(/\.$/, ''));
  return [...new Set(names)].filter((name) => !nobody.test(name)).slice(0, maxNames);
}
