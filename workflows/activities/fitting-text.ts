import { attributeOf, isElement, nodesOf } from '../probe/html/tree.ts';

/** What a class of signs is filled in with. */
const samples = ['1', 'a', 'A', ' ', '-', '.', '/', '_', '@', '+', ':'];
const maxPattern = 60;
const maxRepeats = 24;
/** Parts that may be repeated: with more of them, to see whether a text matches may take minutes. */
const maxOpen = 3;
/** One sign, a class of them or an escaped one, and how often it stands there. */
const part = /(\[(?:\\.|[^\]\\])+\]|\\[dw.\-/+_@:() ]|[^\\[\](){}|*+?^$])(\{\d{1,2}(?:,\d{0,2})?\}|[*+?])?/y;

/** A text that a pattern without groups takes; undefined for others. */
function textLike(pattern: string): string | undefined {
  const source = pattern.replace(/^\^|\$$/g, '');
  if (source.length > maxPattern || (source.match(/[*+?]|,\d*\}/g) ?? []).length > maxOpen) return undefined;
  let text = '';
  part.lastIndex = 0;
  while (part.lastIndex < source.length) {
    const [, signs, times = ''] = part.exec(source) ?? [];
    if (signs === undefined) return undefined;
    const sign = [...samples, ...signs].find((each) => isOf(signs, each));
    if (sign === undefined) return undefined;
    text += sign.repeat(Math.min(fewest(times), maxRepeats));
  }
  return text === '' ? undefined : text;
}

function isOf(signs: string, sign: string): boolean {
  try {
    return new RegExp(`^${signs === '.' ? '.' : signs}$`).test(sign);
  } catch {
    return false;
  }
}

/** Nothing is sent shorter than it must be, and what may be left out is there once. */
const fewest = (times: string): number => Number(/^\{(\d+)/.exec(times)?.[1] ?? 1);

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
