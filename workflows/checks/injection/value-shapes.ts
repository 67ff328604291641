import type { InputSurface } from '../../model/surface.ts';
import { inBase64 } from '../../proof/template.ts';
import { canaryPlaces } from './canary.ts';

/** How a value is written so that an application takes it: behind or before something of the site's own, or encoded. */
export type ValueShape = {
  before: string;
  /** The application decodes it. */
  isBase64?: true;
};

/** A template in its shape. */
export const shaped = ({ before, isBase64 }: ValueShape, template: string): string =>
  isBase64 ? inBase64(before + template) : before + template;

/** The value alone, and behind the site's own; what is checked to be an address, as one. */
export function shapesOf(input: InputSurface): ValueShape[] {
  const plain = canaryPlaces(input).map((before): ValueShape => ({ before }));
  const address: ValueShape[] = input.sample === '' && takesAddress(input) ? [{ before: anAddress }] : [];
  return [...plain, ...address, ...(isBase64Text(input.sample) ? [{ before: '', isBase64: true as const }] : [])];
}

/** Validators of addresses take it. */
export const anAddress = 'https://example.com/?';

/** By its name, which people are asked by as well. */
const takesAddress = ({ parameter }: InputSurface): boolean =>
  /ur[il]|link|href|web|site|home_?page|blog|redirect|return|next|src|image|avatar/i.test(parameter);

/** Base64 of a text that people can read. */
function isBase64Text(value: string): boolean {
  if (!/^[\w+/-]{8,2000}={0,2}$/.test(value)) return false;
  const bytes = Buffer.from(value, 'base64');
  const text = bytes.toString();
  return (
    bytes.toString('base64').replace(/=+$/, '') === value.replace(/=+$/, '') && /^[\x20-\x7e\r\n\t]{4,}$/.test(text)
  );
}
