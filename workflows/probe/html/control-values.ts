import type { HtmlElement } from './parse.ts';
import { collapsed, textOf } from './text.ts';
import { attributeOf, elementsBelow, isNamed } from './tree.ts';

const inputTypes = new Set(
  'hidden text search tel url email password date month week time datetime-local number range color checkbox radio file submit image reset button'.split(
    ' ',
  ),
);
const number = /^-?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?$/i;
/** Values of these types are written in one way; another one is as good as none. Source: HTML Standard §2.3.5. */
const dates: Readonly<Record<string, RegExp>> = {
  date: /^\d{4,}-\d{2}-\d{2}$/,
  month: /^\d{4,}-\d{2}$/,
  week: /^\d{4,}-W\d{2}$/,
  time: /^\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?$/,
  'datetime-local': /^\d{4,}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?$/,
};

/**
 * The kind of a control: the type of an input, "submit", "reset" or "button" of a button, "select" or "textarea". An unknown
 * type is "text", and of a button "submit". Source: HTML Standard §4.10.5 and §4.10.6.
 */
export function typeOf(element: HtmlElement): string {
  const given = attributeOf(element, 'type')?.toLowerCase() ?? '';
  if (element.tagName === 'input') return inputTypes.has(given) ? given : 'text';
  if (element.tagName === 'button') return given === 'reset' || given === 'button' ? given : 'submit';
  return element.tagName;
}

/** What an input holds when nobody has touched it. Source: the value sanitization algorithms of HTML Standard §4.10.5.1. */
export function inputValue(element: HtmlElement, type: string): string {
  const given = attributeOf(element, 'value');
  if (type === 'checkbox' || type === 'radio') return given ?? 'on';
  const value = given ?? '';
  if (/^(?:text|search|tel|password)$/.test(type)) return value.replace(/[\r\n]/g, '');
  if (type === 'email' || type === 'url') return value.replace(/[\r\n]/g, '').trim();
  if (type === 'number') return number.test(value) ? value : '';
  if (type === 'range') return number.test(value) ? value : middleOf(element);
  if (type === 'color') return /^#[\da-f]{6}$/i.test(value) ? value.toLowerCase() : '#000000';
  return (dates[type]?.test(value) ?? true) ? value : '';
}

function middleOf(element: HtmlElement): string {
  const limit = (name: string, otherwise: number) => {
    const text = attributeOf(element, name) ?? '';
    return number.test(text) ? Number(text) : otherwise;
  };
  const [least, most] = [limit('min', 0), limit('max', 100)];
  return String(most < least ? least : (least + most) / 2);
}

export type SelectOption = { value: string; isSelected: boolean; isDisabled: boolean };

/** One without a value has its text for it. Source: HTML Standard §4.10.10. */
export const optionsOf = (select: HtmlElement): SelectOption[] =>
  elementsBelow(select)
    .filter((element) => isNamed(element, 'option'))
    .map((option) => ({
      value: attributeOf(option, 'value') ?? collapsed(textOf(option)),
      isSelected: attributeOf(option, 'selected') !== undefined,
      isDisabled: isOff(option),
    }));

function isOff(option: HtmlElement): boolean {
  const group = option.parentNode;
  const isGroupOff =
    group && 'tagName' in group && isNamed(group, 'optgroup') && attributeOf(group, 'disabled') !== undefined;
  return isGroupOff === true || attributeOf(option, 'disabled') !== undefined;
}

/**
 * The options that are chosen when nobody has touched the list. Of one that takes a single option the last that is marked
 * counts; when it shows a single line, too, else the first that is not disabled. Source: HTML Standard §4.10.7.
 */
export function chosenOf(select: HtmlElement, options: readonly SelectOption[]): SelectOption[] {
  const selected = options.filter(({ isSelected }) => isSelected);
  if (attributeOf(select, 'multiple') !== undefined) return selected;
  const marked = selected.at(-1);
  const size = Number.parseInt(attributeOf(select, 'size') ?? '', 10);
  const first = size > 1 ? undefined : options.find(({ isDisabled }) => !isDisabled);
  return [marked ?? first ?? []].flat();
}
