import { MIMEType } from 'node:util';
import type { Exchange } from '../../model/http.ts';

/** Types that say as little as none does. Source: MIME Sniffing Standard §5.1 and §7. */
const unknownTypes = ['unknown/unknown', 'application/unknown', '*/*'];

/** Openings by which browsers take an answer without a type for a page. Source: MIME Sniffing Standard §7.1. */
const pageOpening =
  /^[\t\n\f\r ]*<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|!--)[ >]/i;

/**
 * What a browser takes an answer for, in lower case and without parameters, for instance "text/html": the last type that it is
 * given, and without one what the content looks like. "" when it would not show it as a page.
 * Source: Fetch Standard §2.2.2 (extract a MIME type), MIME Sniffing Standard §7.
 */
export function documentTypeOf(exchange: Pick<Exchange, 'headerValues' | 'text'>): string {
  const declared = exchange
    .headerValues('content-type')
    .flatMap((value) => value.split(','))
    .flatMap(essenceOf)
    .at(-1);
  if (declared !== undefined) return declared;
  const [options = ''] = exchange.headerValues('x-content-type-options').join(',').split(',');
  return options.trim().toLowerCase() !== 'nosniff' && pageOpening.test(exchange.text) ? 'text/html' : '';
}

function essenceOf(value: string): string[] {
  try {
    const { essence } = new MIMEType(value);
    return unknownTypes.includes(essence) ? [] : [essence];
  } catch {
    return [];
  }
}

const pageTypes = ['text/html', 'application/xhtml+xml'];

/** A browser would show this answer as a page. */
export const isHtml = (exchange: Exchange): boolean => pageTypes.includes(documentTypeOf(exchange));
