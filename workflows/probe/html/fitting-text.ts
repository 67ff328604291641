import type { FormSurface } from '../../model/surface.ts';

/** What a class of signs is filled in with. */
const samples = ['1', 'a', 'A', ' ', '-', '.', '/', '_', '@', '+', ':'];
const maxPattern = 60;
export const maxRepeats = 24;
/** Parts that may be repeated: with more of them, to see whether a text matches may take minutes. */
const maxOpen = 3;
/** One sign, a class of them or an escaped one, and how often it stands there. */
const part = /(\[(?:\\.|[^\]\\])+\]|\\[dw.\-/+_@:() ]|[^\\[\](){}|*+?^$])(\{\d{1,2}(?:,\d{0,2})?\}|[*+?])?/y;

/** A text that a pattern without groups takes; undefined for others. */
export function textLike(pattern: string): string | undefined {
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

/** What a page demands of what goes into a field. */
export type FieldDemands = Pick<FormSurface['fields'][number], 'type' | 'pattern' | 'min' | 'max' | 'minLength'>;

/** A text that goes into a field: the preferred one where the page takes it. Source: HTML Standard §4.10.5.3. */
export function fittingText({ type, pattern = '', min, max, minLength = 0 }: FieldDemands, preferred: string): string {
  if (type === 'number' || type === 'range') return within(preferred, min, max);
  const text = pattern === '' ? undefined : textLike(pattern);
  if (text !== undefined) return new RegExp(`^(?:${pattern})$`).test(preferred) ? preferred : text;
  return preferred === '' ? '' : preferred.padEnd(Math.min(minLength, maxRepeats), preferred.slice(-1));
}

function within(preferred: string, min = '', max = ''): string {
  const number = Number(preferred);
  if (min !== '' && number < Number(min)) return min;
  return max !== '' && number > Number(max) ? max : preferred;
}
