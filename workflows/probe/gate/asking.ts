import type { FormSurface } from '../../model/surface.ts';
import { isPlainButton } from './buttons.ts';
import { filterNames, keeping } from './words/fields.ts';
import { weightyChoices } from './words/sending.ts';
import { decoded, folded, tokensOf } from './words/spelling.ts';

type AskingForm = Pick<FormSurface, 'action' | 'method' | 'label' | 'fields'>;
type AskedField = AskingForm['fields'][number];

/**
 * A GET by which a visitor types what the answer is about. Safe methods only ask (RFC 9110 §9.2.1), and whoever follows links
 * may send them; but sites that keep things by GET exist, so what is chosen, filled in beforehand or about a thing that the page
 * names (a hidden field) does not count, nor does a form whose words or fields are those of something that is kept.
 */
export function asksForText(
  { action, method, label = '', fields }: AskingForm,
  visible: readonly AskedField[],
): boolean {
  if (method !== 'GET' || visible.length > maxAskedFields || !visible.some(isTextToFill)) return false;
  if (!visible.every((field) => isTextToFill(field) || field.type === 'select')) return false;
  const isPlain = (text: string): boolean => text === '' || isPlainButton(text);
  const commands = fields.filter(({ type }) => type === 'submit');
  if (![label, ...commands.map(({ value }) => value)].every(isPlain)) return false;
  const others = fields.filter(({ type }) => type === 'hidden');
  if (!others.every(({ name }) => filterNames.test(folded(name)))) return false;
  const { pathname, searchParams } = new URL(action);
  const words = [pathname, ...searchParams.keys(), ...searchParams.values(), ...fields.map(({ name }) => name)];
  return !words.flatMap((text) => tokensOf(decoded(text))).some((token) => keeping.test(token) || weighty.test(token));
}

const maxAskedFields = 4;
const isTextToFill = ({ type, value }: AskedField): boolean => type === 'text' && value === '';
const weighty = new RegExp(`^(?:${weightyChoices})$`, 'u');
