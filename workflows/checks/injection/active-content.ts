import { isElement, nodesOf } from '../../probe/html/tree.ts';
import { scriptStateAt } from '../dom/script-state.ts';

/**
 * Whether a page holds a call that opens a dialog with this nonce where a browser would run it: in a script's code, in an event handler,
 * or in a javascript: address. A cheap look before a browser is asked, which alone decides.
 */
export function hasActiveCall(html: string, nonce: string): boolean {
  for (const node of nodesOf(html)) {
    if (node.nodeName === '#text' && 'value' in node && node.parentNode?.nodeName === 'script')
      if (isCalledIn(node.value, nonce)) return true;
    if (!isElement(node)) continue;
    for (const { name, value } of node.attrs) {
      if (!value.toLowerCase().includes(nonce)) continue;
      if (/^on[a-z]/.test(name) && isCalledIn(value, nonce)) return true;
      if (isScriptAddress(value)) return true;
      if (name === 'srcdoc' && hasActiveCall(value, nonce)) return true;
    }
  }
  return false;
}

/** The nonce may have been written in upper case on its way; a call that was is none. */
function isCalledIn(code: string, nonce: string): boolean {
  for (const call of [nonce, nonce.toUpperCase()].flatMap(callsWith))
    for (let at = code.indexOf(call); at !== -1; at = code.indexOf(call, at + 1))
      if (scriptStateAt(code, at) === 'code') return true;
  return false;
}

const callsWith = (nonce: string): string[] => [
  `alert(/${nonce}/`,
  `alert\`${nonce}\``,
  `confirm\`${nonce}\``,
  `self[/al/.source+/ert/.source](/${nonce}/`,
  `location=/javascript:alert%28%27${nonce}%27`,
];

/** The URL parser takes leading controls and spaces away, and tabs and line ends anywhere. */
const isScriptAddress = (value: string): boolean => /^javascript:/i.test(value.replace(/[\p{Cc} ]/gu, ''));
