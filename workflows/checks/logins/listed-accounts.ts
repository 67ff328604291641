import { readTokens } from '../../probe/html/tokens.ts';
import type { AccountPair } from './default-accounts.ts';

/** What is said of accounts that are for everybody. */
const forEverybody =
  /\b(?:demo|test(?:ing)?|sample|default|guest|example|training|trial|available|following)\b[^.!?]{0,40}\b(?:accounts?|credentials?|users?|log-?ins?)\b|\b(?:accounts?|credentials?|users?|log-?ins?)\b[^.!?]{0,20}\bfor (?:testing|the demo|trying|training)\b/i;
/** A line of a list: a name, a sign between, and a password. */
const pairLine = /^\s{0,20}([a-z][\w.@+-]{1,63})\s{0,3}[:|/]\s{0,3}(?!\/)([^\s"'<>,;|(){}[\]/]{2,64})\s{0,20}$/i;
const breaking =
  /^(?:address|article|blockquote|br|dd|div|dl|dt|fieldset|footer|form|h[1-6]|header|hr|li|main|ol|p|pre|section|table|td|th|tr|ul)$/;
const nameTitle = /user|log-?in|e-?mail|name|account|benutzer/i;
const passwordTitle = /pass(?:word|wd|code)?|pwd|passwort|kennwort/i;
export const passwordField = /<input\b[^>]{0,300}type\s*=\s*["']?password/i;
const maxLines = 2_000;
const maxRows = 60;
/** Signs between two pairs of one sentence. */
const nextPair = String.raw`[\s,;]{0,4}(?:(?:and|or|und|oder|&)\s{1,3})?(?:as\s{1,3})?`;

/**
 * Pairs in lists and tables of a page that says that they are for everybody: "<li>kim : kim-2031", or columns under "User" and "Password".
 */
export function listedPairs(html: string): AccountPair[] {
  const { lines, rows } = partsOf(html);
  // A login names its columns so for nobody but those who are to use it.
  if (!forEverybody.test(lines.join('\n'))) return passwordField.test(html) ? pairsOfRows(rows) : [];
  const inLines = lines.flatMap((line): AccountPair[] => {
    const [, name, password] = pairLine.exec(line) ?? [];
    return name !== undefined && password !== undefined ? [[name, password]] : [];
  });
  return [...inLines, ...pairsOfRows(rows)];
}

/** Pairs that follow a known one in its sentence, in the same writing: "kim / kim-2031 and lea / lea-2032". */
export function furtherPairs(text: string, [name, password]: AccountPair): AccountPair[] {
  const sign = new RegExp(`${escaped(name)}(\\s{0,3}[:/|]\\s{0,3})${escaped(password)}`).exec(text);
  if (!sign) return [];
  const next = new RegExp(
    `${nextPair}([a-z][\\w.@+-]{1,63})${escaped(sign[1] ?? '')}([^\\s"'\`<>,;|(){}[\\]/]{2,64})`,
    'iy',
  );
  next.lastIndex = sign.index + sign[0].length;
  const found: AccountPair[] = [];
  for (let match = next.exec(text); match && found.length < maxRows; match = next.exec(text))
    found.push([match[1] ?? '', (match[2] ?? '').replace(/[.]$/, '')]);
  return found;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function partsOf(html: string): { lines: string[]; rows: string[][] } {
  const lines: string[] = [''];
  const rows: string[][] = [];
  let cell: string | undefined;
  const endCell = () => {
    if (cell !== undefined) rows.at(-1)?.push(cell.trim());
    cell = undefined;
  };
  readTokens(html, (token) => {
    if (token.kind === 'text') {
      lines.push((lines.pop() ?? '') + token.text);
      if (cell !== undefined) cell += token.text;
      return;
    }
    if (/^t[dhr]$/.test(token.name)) endCell();
    if (token.kind === 'start' && token.name === 'tr' && rows.length < maxRows) rows.push([]);
    if (token.kind === 'start' && /^t[dh]$/.test(token.name)) cell = '';
    if (breaking.test(token.name) && lines.length < maxLines) lines.push('');
  });
  endCell();
  return { lines, rows };
}

function pairsOfRows(rows: readonly string[][]): AccountPair[] {
  const head = rows.findIndex((row) => row.some((cell) => passwordTitle.test(cell)));
  const titles = rows[head] ?? [];
  const password = titles.findIndex((title) => passwordTitle.test(title));
  const name = titles.findIndex((title, index) => index !== password && nameTitle.test(title));
  if (password === -1 || name === -1) return [];
  return rows.slice(head + 1).flatMap((row): AccountPair[] => {
    const [who = '', word = ''] = [row[name], row[password]];
    return /^[\w.@+-]{2,64}$/.test(who) && /^\S{2,64}$/.test(word) ? [[who, word]] : [];
  });
}
