import type { Exchange } from '../../model/http.ts';
import { parseJson } from '../../model/json.ts';
import { clearest, piecesOf } from '../../probe/html/page-pieces.ts';
import { visibleText } from '../../probe/html/text.ts';
import { isElement, nodesOf } from '../../probe/html/tree.ts';
import { isHtml } from '../../probe/http/document-type.ts';
import { namedPath } from '../../probe/program-parts.ts';
import { escapePattern } from '../../proof/pattern.ts';
import { onlyIn } from '../decisions/difference.ts';
import { saysRefused } from '../decisions/refused-page.ts';
import { asksForPassword } from '../logins/signs.ts';
import type { Privilege } from './privileged-rows.ts';

/** A folder that nothing but an administration is called; "/staff" may present people, "/management" the board. */
const folder = /\/(?:admin(?:istrat(?:ion|or))?(?:[-_]?(?:area|panel|console))?|back-?office|super-?user)(?:[/.]|$)/i;
/** What such a page calls itself, in its title or a heading. */
const heading =
  /\b(?:admin(?:istrat(?:ion|or|ive))?s?|back-?office|(?:user|account|member|site|system) management|(?:manage|all) (?:users|accounts|members)|control panel)\b/i;
/** Of whoever may do nothing there, though the page is shown. */
const leading =
  /\b(?:sorry|request access|(?:contact|ask) (?:an|your|the|us)|please (?:log|sign)[- ]?in|coming soon)\b/i;
const headings = new Set(['title', 'h1', 'h2', 'h3']);
/** What describes an error or an empty result. */
const emptyMembers = /^(?:error|errors|message|msg|detail|details|status|code|success|ok|title|type|timestamp|path)$/i;
/** A word may be a label or a button. */
const minPieceLength = 8;
const maxHeadings = 40;

/**
 * A page of the administration that calls itself so and has something to show, or data of an interface below such an address, although
 * its structure is that of nothing known.
 * @param others what the user is shown elsewhere, and what everybody is
 */
export function administrationPage(answer: Exchange, others: readonly Exchange[]): Privilege | undefined {
  if (answer.status !== 200 || !folder.test(namedPath(answer.request.url)) || saysRefused(answer)) return undefined;
  return isHtml(answer) ? pageItself(answer, others) : dataOf(answer);
}

function pageItself(answer: Exchange, others: readonly Exchange[]): Privilege | undefined {
  if (asksForPassword(answer)) return undefined;
  const text = visibleText(answer.text);
  const name = headingsIn(answer.text).find((each) => heading.test(each));
  if (name === undefined || piecesOf(answer.text).some((piece) => leading.test(piece))) return undefined;
  const shown = onlyIn([answer], others).filter(
    (piece) => piece.length >= minPieceLength && piece !== name && text.includes(piece) && !heading.test(piece),
  );
  const [own] = clearest(shown, 1);
  if (own === undefined) return undefined;
  return {
    kind: 'page',
    detail: `It calls itself "${name}", and shows what no other page does.`,
    patterns: [escapePattern(name), escapePattern(own)],
  };
}

function headingsIn(html: string): string[] {
  const found: string[] = [];
  for (const node of nodesOf(html)) {
    if (!isElement(node) || !headings.has(node.tagName)) continue;
    const [text] = node.childNodes.flatMap((child) => ('value' in child ? child.value.trim() : []));
    if (text !== undefined && text !== '' && text.length <= 80) found.push(text);
    if (found.length === maxHeadings) break;
  }
  return found;
}

/** Two members at least that have content, or a list of records. */
function dataOf({ text, header }: Exchange): Privilege | undefined {
  if (!/json/i.test(header('content-type') ?? '')) return undefined;
  const json = parseJson(text);
  const record: unknown = Array.isArray(json) ? json[0] : json;
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return undefined;
  const members = Object.entries(record).flatMap(([name, value]) =>
    emptyMembers.test(name) || value === null || value === '' ? [] : name,
  );
  if (members.length < 2) return undefined;
  const [first = '', second = ''] = members;
  return {
    kind: 'page',
    detail: `It gives data of the administration ("${first}", "${second}").`,
    patterns: [first, second].map((name) => `"${escapePattern(name)}"\\s*:`),
  };
}
