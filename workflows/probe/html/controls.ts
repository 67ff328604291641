import type { FieldTraits } from '../login-fields.ts';
import { chosenOf, inputValue, optionsOf, type SelectOption, typeOf } from './control-values.ts';
import type { HtmlElement } from './parse.ts';
import { collapsed, textOf } from './text.ts';
import { attributeOf } from './tree.ts';

/** A field or button of a form. */
export type FormControl = FieldTraits & {
  element: HtmlElement;
  tag: string;
  /** What it holds when nobody has touched it; of a box what it sends when it is ticked. */
  value: string;
  /** What a form sends under its name when nobody has touched it. Buttons are sent when they are pressed, files when they are chosen. */
  sent: readonly string[];
  /** Of a select. */
  options: readonly SelectOption[];
  /** By itself, by a fieldset around it, or as a part of a list of suggestions: it is not sent. */
  isDisabled: boolean;
  /** A checkbox or radio button that is ticked. */
  isTicked: boolean;
  isButton: boolean;
  /** A button that sends its form. */
  isSubmit: boolean;
  /** What stands on a button. */
  text: string;
  attribute(name: string): string | undefined;
};

/** What the elements around a control say of it. */
type Surroundings = { isDisabled: boolean; label: string };

const buttonTypes = /^(?:submit|image|reset|button)$/;
const boxTypes = /^(?:checkbox|radio)$/;

/** A control as its tag and what stands around it make it. */
export function controlOf(element: HtmlElement, { isDisabled, label }: Surroundings): FormControl {
  const attribute = (name: string) => attributeOf(element, name);
  const type = typeOf(element);
  const name = attribute('name') ?? '';
  const isButton = buttonTypes.test(type);
  const options = element.tagName === 'select' ? optionsOf(element) : [];
  const held = heldBy(element, type, options);
  const isTicked = boxTypes.test(type) && attribute('checked') !== undefined;
  const isOff = isDisabled || attribute('disabled') !== undefined;
  const isLeftOut = name === '' || isOff || isButton || type === 'file' || (boxTypes.test(type) && !isTicked);
  const sent = name === '_charset_' && type === 'hidden' ? ['UTF-8'] : held;
  const text = isButton ? textOn(element, type) : '';
  const names = isButton ? [text, attribute('value'), attribute('title')] : [attribute('placeholder'), label];
  return {
    ...{ element, tag: element.tagName, type, name, options, isTicked, isButton, text, attribute },
    id: attribute('id') ?? '',
    autocomplete: attribute('autocomplete') ?? '',
    label: [...new Set([...names, attribute('aria-label')].filter(Boolean))].join(' '),
    value: held[0] ?? '',
    sent: isLeftOut ? [] : sent,
    isDisabled: isOff,
    isSubmit: type === 'submit' || type === 'image',
  };
}

/** Values that a control has: of a list that takes several there may be any number. */
function heldBy(element: HtmlElement, type: string, options: readonly SelectOption[]): string[] {
  if (element.tagName === 'select')
    return chosenOf(element, options)
      .filter(({ isDisabled }) => !isDisabled)
      .map(({ value }) => value);
  if (element.tagName === 'textarea') return [textOf(element)];
  return [element.tagName === 'button' ? (attributeOf(element, 'value') ?? '') : inputValue(element, type)];
}

const textOn = (element: HtmlElement, type: string): string =>
  element.tagName === 'button'
    ? collapsed(textOf(element))
    : attributeOf(element, 'value') || (type === 'image' ? (attributeOf(element, 'alt') ?? '') : '');
