import { firstMatch } from '../../proof/pattern.ts';
import { pricePattern } from './lowered-price.ts';

const label = '(?i)(?:total|\\bsum\\b|amount due|to pay|summe|gesamt|à payer|importe|importo|totaal|suma|сумма|итого)';
/** Between the label of an amount and the amount: tags, and what has no digit. */
const between = '(?:[^\\d<]|<[^<>]*>){0,60}?';
/** A dash that belongs to no amount stands behind the label with ordinary quantities, too: the control shows that. */
export const negativeTotal = `${label}(?:[^\\d<−-]|<[^<>]*>){0,60}[−-]\\s?(?:[€$£¥]|[A-Z]{3})?\\s?\\d`;

/** How a basket shows what is to be paid: as a total with its label, or by the price of its one thing. */
export type ShownTotal = 'labelled' | 'alone';

/** Where a basket with one thing of this price shows it. */
export function shownTotal(text: string, price: string): ShownTotal | undefined {
  if (firstMatch(totalOf(price, 'labelled'), text)) return 'labelled';
  if (firstMatch(label, text)) return undefined;
  return firstMatch(totalOf(price, 'alone'), text) ? 'alone' : undefined;
}

/** A pattern (RE2) for a basket of this total. */
export const totalOf = (price: string, shown: ShownTotal): string =>
  shown === 'labelled' ? label + between + pricePattern(price) : `(?:^|[^\\d.,])${pricePattern(price)}`;

/** Whether an answer has a label of what is to be paid at all. */
export const hasTotal = (text: string): boolean => firstMatch(label, text) !== undefined;
