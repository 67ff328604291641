import { maxRepeats, textLike } from '../probe/html/fitting-text.ts';
import { attributeOf, isElement, nodesOf } from '../probe/html/tree.ts';

/** What a field takes, and a text like that. */
type FieldShape = { takes: RegExp; text: string };

/** Fields of a page that say what they take: by a pattern, or as digits. Source: HTML Standard §4.10.5.3.6. */
export function shapedFields(html: string): Map<string, FieldShape> {
  const shapes = new Map<string, FieldShape>();
  for (const node of nodesOf(html)) {
    if (!isElement(node) || node.tagName !== 'input') continue;
    const of = (attribute: string) => attributeOf(node, attribute) ?? '';
    const pattern = of('pattern') || digitsIn(of);
    const text = textLike(pattern);
    if (of('name') !== '' && text !== undefined)
      shapes.set(of('name'), { takes: new RegExp(`^(?:${pattern})$`), text });
  }
  return shapes;
}

const fewestDigits = 6;

/** "5 digits", or as many as there may be where only digits are typed in. */
function digitsIn(of: (attribute: string) => string): string {
  const [, said] = /\b(\d{1,2})[ -]digits?\b/i.exec(`${of('placeholder')} ${of('title')}`) ?? [];
  if (said !== undefined) return `\\d{${said}}`;
  const most = Number(of('maxlength')) || fewestDigits;
  return of('inputmode') === 'numeric' ? `\\d{${Math.min(most, maxRepeats)}}` : '';
}
