import type { Exchange } from '../../model/http.ts';
import { visibleText } from '../../probe/html/text.ts';
import { isHtml } from '../../probe/http/document-type.ts';
import { parsePage } from '../../survey/page.ts';

/** What pages say that ask for the second factor of a login, as a pattern (RE2) for claims. */
export const codeWords =
  '(?i)(?:two|2)[ -]?(?:factor|step)|\\b(?:2fa|mfa|otp|totp)\\b|one[ -]time (?:code|pass)|(?:verification|security|authenticat(?:or|ion)|login|access) code|(?:[4-8]|four|six|eight)[ -]digit|code .{0,40}(?:phone|sms|e-?mail|app)\\b|(?:sent|texted|enter) .{0,40}\\bcode\\b';
const asking = new RegExp(codeWords.replace('(?i)', ''), 'i');
/** It offers one, and does not ask for it. */
const offering = /set(?:ting)?[ -]?up|enable|enrol|scan|\bqr\b|skip|not now|remind|later|optional|turn on/i;
const typed = /^(?:text|tel|number|password|)$/;
/** A longer page is about something else. */
const maxTextLength = 3_000;

/** Whether a page asks whoever has just sent a password for a code, and for nothing else. */
export function asksForCode(exchange: Exchange): boolean {
  if (exchange.status !== 200 || !isHtml(exchange)) return false;
  const text = visibleText(exchange.text).replace(/\s+/g, ' ');
  if (text.length > maxTextLength || !asking.test(text) || offering.test(text)) return false;
  return parsePage(exchange.text, exchange.request.url).forms.some(({ method, fields }) => {
    const visible = fields.filter(({ type }) => typed.test(type));
    return method === 'POST' && visible.length === 1 && !/search|mail|pass/i.test(visible[0]?.name ?? '');
  });
}
