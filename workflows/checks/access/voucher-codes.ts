import { type HtmlToken, readTokens } from '../../probe/html/tokens.ts';
import { voucherWords } from '../../probe/voucher-words.ts';

/** On a page of a site that takes vouchers, these say that a word is one, too. */
const nearWords = new RegExp(`${voucherWords.source}|\\b(?:codes?|credits?|points|off)\\b`, 'i');
/** "WELCOME10", near words about vouchers. */
const codeShape = /(?<![\w-])(?=[A-Z0-9-]*[A-Z])[A-Z0-9]{3,16}(?:-[A-Z0-9]{2,12}){0,3}(?![\w-])/g;
const nearby = 90;
/** "the code FRESH", "code, such as FRESH": then it needs no digit. */
const named =
  /\b(?:codes?|vouchers?|coupons?|gutschein(?:code)?|rabattcode)\s{0,2}[:,]?\s{0,2}(?:is|like|such as|for example|e\.g\.)?\s{0,2}:?\s{0,2}["'“„(]?\s{0,2}$/i;
/** Abbreviations are shorter: "code PIN", "voucher PDF". */
const minPlainLength = 5;
/** Elements inside a sentence. */
const emphasis = /^(?:a|b|strong|code|em|i|kbd|samp|tt|mark|span|var)$/;

/** Words in capitals, with a digit or a tag of their own, beside words about vouchers. */
export function codesIn(html: string): string[] {
  let text = '';
  readTokens(html, (token) => {
    text += token.kind === 'text' ? token.text : emphasis.test(token.name) ? ' ' : `\n${hintOf(token)}`;
  });
  return [...text.matchAll(codeShape)].flatMap(({ 0: code, index }) => {
    const end = index + code.length;
    const before = text.slice(Math.max(0, index - nearby), index).replace(/^.*(?:[.!?]\s|\n)/s, '');
    const after = text.slice(end, end + nearby).replace(/(?:[.!?]\s|\n).*$/s, '');
    const isCode = /\d/.test(code) ? /[A-Z]{2}/.test(code) : code.length >= minPlainLength && named.test(before);
    return isCode && nearWords.test(`${before} ${after}`) ? [code] : [];
  });
}

/** What stands in a field as long as it is empty, as a sentence of its own. */
const hintOf = (token: HtmlToken): string => {
  const hint = token.kind === 'start' ? token.attributes.get('placeholder') : undefined;
  return hint === undefined ? '' : `${hint}\n`;
};
