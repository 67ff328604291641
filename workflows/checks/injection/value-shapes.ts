import type { InputSurface } from '../../model/surface.ts';
import { decodedValue } from '../../proof/encoded-value.ts';
import { inBase64 } from '../../proof/template.ts';
import { canaryPlaces } from '../inputs/canary.ts';

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
  return [
    ...plain,
    ...address,
    ...(decodedValue(input.sample)?.encoding === 'base64' ? [{ before: '', isBase64: true as const }] : []),
  ];
}

/** Validators of addresses take it. */
const anAddress = 'https://example.com/?';

/** By its name, which people are asked by as well. */
const takesAddress = ({ parameter }: InputSurface): boolean =>
  /ur[il]|link|href|web|site|home_?page|blog|redirect|return|next|src|image|avatar/i.test(parameter);
