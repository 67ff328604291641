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
      if (!value.includes(nonce)) continue;
      if (/^on[a-z]/.test(name) && isCalledIn(value, nonce)) return true;
      if (isScriptAddress(value)) return true;
      if (name === 'srcdoc' && hasActiveCall(value, nonce)) return true;
    }
  }
  return false;
}

function isCalledIn(code: string, nonce: string): boolean {
  for (const call of [`alert(/${nonce}/`, `alert\`${nonce}\``, `confirm\`${nonce}\``])
    for (let at = code.indexOf(call); at !== -1; at = code.indexOf(call, at + 1))
      if (scriptStateAt(code, at) === 'code') return true;
  return false;
}

/** The URL parser takes leading controls and spaces away, and tabs and line ends anywhere. */
const isScriptAddress = (value: string): boolean => /^javascript:/i.test(value.replace(/[\p{Cc} ]/gu, ''));
