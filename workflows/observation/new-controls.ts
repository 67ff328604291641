import type { Exchange } from '../model/http.ts';
import { documentTypeOf, isHtml } from '../probe/http/document-type.ts';

/** Buttons, and links that lead nowhere: a script hears them. */
const control =
  /<(?:button\b|a\b(?=[^<>]{0,400}\s(?:href\s*=\s*["']?(?:#["'\s>]|javascript:)|onclick|role\s*=\s*["']?button))|input\b(?=[^<>]{0,400}\stype\s*=\s*["']?button))([^<>]{0,500})>([^<>]{0,80})/gi;
const className = /\sclass\s*=\s*["']([^"']{1,100})["']/i;

/** What stands on the controls of a page that only its script hears, but for numbers, or how they are styled where nothing does. */
function controlsOf({ text }: Exchange): Set<string> {
  const names = [...text.matchAll(control)].map(
    ([, attributes = '', label = '']) => label.replace(/\d+/g, '').trim() || (className.exec(attributes)?.[1] ?? ''),
  );
  return new Set(names.filter((name) => name !== ''));
}

const isEmptyList = ({ text }: Exchange): boolean => /\[\s*\]/.test(text);

/**
 * Whether a script may do more with a page or its data than before something was sent: a page has a control that it did not have, as
 * the rows of a list do, or a list in JSON that was empty is not.
 */
export function offersMore(before: Exchange, now: Exchange): boolean {
  if (before.status !== 200 || now.status !== 200) return false;
  if (isHtml(now)) {
    const known = controlsOf(before);
    return [...controlsOf(now)].some((name) => !known.has(name));
  }
  return /json/.test(documentTypeOf(now)) && isEmptyList(before) && !isEmptyList(now);
}
