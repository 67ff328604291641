import type { Exchange } from '../../model/http.ts';
import { isElement, nodesOf } from '../../probe/html/tree.ts';
import { isHtml } from '../../probe/http/document-type.ts';
import { escapePattern, firstMatch } from '../../proof/pattern.ts';

/** Shorter identifiers may stand in any text: a price, an amount, the text of a user. */
const distinctive = 4;

/** Attributes that hold words for people, or a value of its own kind. */
const attributesOfText =
  /^(?:alt|aria-[\w-]+|class|content|maxlength|placeholder|rows|cols|size|style|tabindex|title|value|width|height)$/;

/** Whether a list leads to an object: whoever is given the list is meant to see what it names. */
export function namesObject(list: Exchange, identifier: string): boolean {
  if (list.status !== 200) return false;
  const id = escapePattern(identifier);
  const isNamedIn = (text: string): boolean => firstMatch(`(?:^|[^\\w-])${id}(?:$|[^\\w-])`, text) !== undefined;
  if (!isNamedIn(list.text)) return false;
  if (identifier.length >= distinctive) return true;
  if (!isHtml(list)) return firstMatch(namedInData(id), list.text) !== undefined;
  return [...nodesOf(list.text)].some(
    (node) =>
      isElement(node) &&
      node.attrs.some(({ name, value }) =>
        attributesOfText.test(name) ? name === 'value' && value === identifier : isNamedIn(value),
      ),
  );
}

/** Under the name of an identifier, in an address, or as a member of a plain list. */
const namedInData = (id: string): string =>
  [
    `(?i)"[\\w-]*(?:id|nr|no|number|key|ref|code|slug|pk)"\\s*:\\s*"?${id}"?\\s*[,}]`,
    `[/=]${id}(?:$|[^\\w-])`,
    `[\\[,]\\s*"?${id}"?\\s*[,\\]]`,
    `(?m)^"?${id}"?(?:$|[,;\\t])`,
  ].join('|');
