import { refusedByControl } from '../probe/gate/links.ts';
import { threadMs } from '../probe/thread-time.ts';
import { maxUrlLength } from './asking.ts';
import { commandsBeside } from './commands-beside.ts';
import type { Lead } from './lead.ts';
import type { Notes } from './notes.ts';
import { type ParsedPage, parsePage } from './page.ts';

/** Processor time. Ordinary pages take a few milliseconds; thousands of long addresses must not hold up the scan. */
const linksTimeMs = 500;

/** Notes what a page links to, asks for and takes. */
export function readHtml(notes: Notes, lead: Lead, text: string): ParsedPage {
  const { scope, frontier, gate, inputs, forms, cut, mayTry } = notes;
  const parsed = parsePage(text, lead.url);
  if (!parsed.complete) cut.push(lead.url);
  const endMs = threadMs() + linksTimeMs;
  const beside = gate.letsEntriesStay
    ? undefined
    : commandsBeside(
        parsed.links.filter(({ url, isHere }) => !isHere && url.length <= maxUrlLength && scope.coversUrl(url)),
      );
  for (const link of parsed.links) {
    const { url } = link;
    if (threadMs() > endMs) {
      cut.push(lead.url);
      break;
    }
    // What may do something is no place to try values at either.
    const isTooLong = url.length > maxUrlLength;
    const refused =
      !isTooLong && scope.coversUrl(url)
        ? (refusedByControl(link, gate.letsEntriesStay) ?? beside?.get(url))
        : undefined;
    if (refused && (link.acts === 'sends' || link.isHere)) {
      // What a GET of the same address shows is another matter: "#" opens a dialog, or a tab that is called "Delete".
      gate.count(url, refused);
      continue;
    }
    if (refused) gate.learn({ refused: [url] });
    else if (!isTooLong) gate.noteLink(url);
    if (!isTooLong && !refused && mayTry(url)) inputs.addUrl(frontier.indexPages.byFolder(url));
    frontier.add({ url, source: lead.url }, refused);
    if (link.route !== undefined && !refused && mayTry(url)) notes.explore(link.route);
  }
  if (!forms.addOf(lead.url, parsed.forms)) cut.push(lead.url);
  for (const { url } of parsed.scripts) if (url !== undefined) frontier.add({ url, source: lead.url });
  for (const script of parsed.inlineScripts) notes.followScript(script, [lead.url], lead.url);
  for (const url of parsed.parts) if (scope.coversUrl(url)) frontier.add({ url, source: lead.url });
  for (const url of parsed.guesses) frontier.add({ url, source: lead.url, isGuess: true });
  return parsed;
}
