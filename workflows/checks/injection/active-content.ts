import { isElement, nodesOf } from '../../probe/html/tree.ts';
import { callsWith } from '../dom/script-calls.ts';
import { scriptStateAt } from '../dom/script-state.ts';

/**
 * Whether a page holds a call that opens a dialog with this nonce where a browser would run it: in a script's code, in an event handler,
 * or in a javascript: address. A cheap look before a browser is asked, which alone decides.
 */
export const hasActiveCall = (html: string, nonce: string): boolean => hasCode(html, nonce, callsWith);

/** The same of the nonce alone: whether it stands where code would be run. */
export const hasActiveWord = (html: string, nonce: string): boolean => hasCode(html, nonce, (word) => [word]);

function hasCode(html: string, nonce: string, codeWith: (nonce: string) => string[]): boolean {
  // The nonce may have been written in upper case on its way; a call that was is none.
  const codes = [nonce, nonce.toUpperCase()].flatMap(codeWith);
  for (const node of nodesOf(html)) {
    if (node.nodeName === '#text' && 'value' in node && node.parentNode?.nodeName === 'script')
      if (isCodeIn(node.value, codes)) return true;
    if (!isElement(node)) continue;
    for (const { name, value } of node.attrs) {
      if (!value.toLowerCase().includes(nonce)) continue;
      if (/^on[a-z]/.test(name) && isCodeIn(value, codes)) return true;
      if (isScriptAddress(value)) return true;
      if (name === 'srcdoc' && hasCode(value, nonce, codeWith)) return true;
    }
  }
  return false;
}

function isCodeIn(text: string, codes: readonly string[]): boolean {
  for (const code of codes)
    for (let at = text.indexOf(code); at !== -1; at = text.indexOf(code, at + 1))
      if (scriptStateAt(text, at) === 'code') return true;
  return false;
}

/** The URL parser takes leading controls and spaces away, and tabs and line ends anywhere. */
const isScriptAddress = (value: string): boolean => /^javascript:/i.test(value.replace(/[\p{Cc} ]/gu, ''));
