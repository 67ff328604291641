/** Calls without quotes, since those are what is most often escaped: with parentheses, and without. */
export const call = 'alert(/‹nonce›/.source)';
export const bareCall = 'alert`‹nonce›`';
/** Filters that list words know the commonest calls. */
export const otherCall = 'confirm`‹nonce›`';
export const spelledCall = 'self[/al/.source+/ert/.source](/‹nonce›/.source)';
/** Neither parentheses nor backticks. */
export const addressCall = 'location=/javascript:alert%28%27‹nonce›%27%29/.source';

/** Code that opens a dialog with the nonce, each way without something that filters look for. */
export const calls: readonly string[] = [
  call,
  bareCall,
  otherCall,
  'prompt`‹nonce›`',
  '[/‹nonce›/.source].find(alert)',
  '[/‹nonce›/.source].find(confirm)',
  spelledCall,
  'self[`al`+`ert`]`‹nonce›`',
  // "alert" in base 30
  'top[8680439..toString(30)](/‹nonce›/.source)',
  '\\u0061lert`‹nonce›`',
  '\\u0061lert(/‹nonce›/.source)',
  addressCall,
  'location=/javascript:\\u0061lert%28%27‹nonce›%27%29/.source',
  'location=`javas`+`cript:al`+`ert%28%27‹nonce›%27%29`',
];

/**
 * Code without letters of its own: decimal references are characters again in a handler, and have no upper case. None ends in a
 * semicolon, which a parser does not need: fields have a length. Source: HTML Standard §13.2.5.80.
 */
const inReferences = (code: string): string =>
  code
    .split('‹nonce›')
    .map((part) => part.replace(/./gsu, (sign) => `&#${sign.codePointAt(0)}`))
    .join('‹nonce›');
const quotedCall = "alert('‹nonce›')";
/** It holds in a page that is written in upper case, too, and shows the nonce as that has it. */
export const upperCall = inReferences(quotedCall);

/** Whether a dialog shows the nonce, written as the page writes texts. */
export const hasShown = (dialogs: readonly string[], nonce: string): boolean =>
  dialogs.some((dialog) => dialog.toLowerCase() === nonce);
/** The same for a claim. RE2. */
export const dialogPattern = (nonce: string): string => `(?mi)^${nonce}$`;

/** Of a handler or an address, whose references are characters again. */
export const attributeCalls: readonly string[] = [...calls, upperCall];

/** Each call with this nonce in it, as it stands in code; what follows the commonest one may differ. */
export const callsWith = (nonce: string): string[] => [
  `alert(/${nonce}/`,
  ...[...calls, quotedCall].map((code) => code.replace('‹nonce›', nonce)),
];
