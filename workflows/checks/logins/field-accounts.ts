import type { HtmlElement } from '../../probe/html/parse.ts';
import { attributeOf, elementsBelow, treeOf } from '../../probe/html/tree.ts';
import type { AccountPair } from './default-accounts.ts';

/** What stands in an empty field for what is to be typed there. */
const label =
  /^(?:your|enter|the|e\.?g\.?)\b|user|name|mail|log-?_?in|account|pass|pwd|secret|pin|code|kennwort|benutzer|utilisateur|mot de|usuario|contrase|senha|utente|[•*.]{2,}|\s/i;
const maxLength = 64;

/** The name and the password that a form has in its two fields: filled in, or in place of their labels ("demo", "demo-1"). */
export function pairsInFields(html: string): AccountPair[] {
  const inputs = elementsBelow(treeOf(html).document).filter((each) => each.tagName === 'input' && isTyped(each));
  return inputs.flatMap((password, index): AccountPair[] => {
    const name = inputs[index - 1];
    if (!name || typeOf(password) !== 'password' || typeOf(name) === 'password') return [];
    if (typeOf(inputs[index + 1]) === 'password') return [];
    const pair = (attribute: string): AccountPair => [textIn(name, attribute), textIn(password, attribute)];
    const typed = pair('value');
    if (typed.every((value) => value !== '')) return [typed];
    const hinted = pair('placeholder');
    return hinted.every((value) => value !== '' && !label.test(value)) ? [hinted] : [];
  });
}

const typeOf = (input: HtmlElement | undefined): string =>
  (input && attributeOf(input, 'type')?.toLowerCase()) || 'text';
const isTyped = (input: HtmlElement): boolean => /^(?:text|email|tel|password)$/.test(typeOf(input));

function textIn(input: HtmlElement, attribute: string): string {
  const value = attributeOf(input, attribute) ?? '';
  return value.length <= maxLength ? value : '';
}
