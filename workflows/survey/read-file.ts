import type { Exchange } from '../model/http.ts';
import { ProbeError } from '../model/probe-error.ts';
import { embeddedDescription } from './embedded-description.ts';
import { type Lead, leadSource } from './lead.ts';
import type { Notes } from './notes.ts';
import { packedSitemap } from './packed-sitemap.ts';
import { readHtml } from './read-html.ts';
import { linksInCss, linksInJson, linksInProse, linksInRobots, linksInXml, markupInJson } from './text.ts';

/** Parts of pages in one answer. */
const maxParts = 50;

/** Notes what an answer that is no HTML leads to. */
export function readFile(notes: Notes, lead: Lead, contentType: string, exchange: Exchange): void {
  const sitemap = packedSitemap(exchange);
  if (sitemap !== undefined) readSitemap(notes, lead, sitemap);
  else readText(notes, lead, contentType, exchange.text);
}

function readJson(notes: Notes, lead: Lead, text: string): void {
  const { follow, cut } = notes;
  try {
    follow(linksInJson(text, lead.url), lead.url);
    const parts = markupInJson(text);
    for (const html of parts.slice(0, maxParts)) readHtml(notes, lead, html);
    if (parts.length > maxParts) cut.push(lead.url);
  } catch (error) {
    if (!(error instanceof ProbeError)) throw error;
    cut.push(lead.url);
  }
}

function readText(notes: Notes, lead: Lead, contentType: string, text: string): void {
  const { documents, follow, frontier } = notes;
  if (/^$|json|yaml|xml|^text\/plain|octet-stream/.test(contentType)) documents.add(lead.url, text);
  if (/javascript|ecmascript/.test(contentType)) readScript(notes, lead, text);
  else if (/css/.test(contentType)) follow(linksInCss(text, lead.url), lead.url);
  else if (/json/.test(contentType)) readJson(notes, lead, text);
  else if (/xml/.test(contentType)) follow(linksInXml(text, lead.url), 'sitemap');
  else if (new URL(lead.url).pathname === '/robots.txt') follow(linksInRobots(text, lead.url), 'robots.txt');
  else if (/^text\/(?:plain|markdown)/.test(contentType))
    for (const url of linksInProse(text, lead.url).urls) frontier.add({ url, source: lead.url, isGuess: true });
}

function readScript({ documents, followScript }: Notes, lead: Lead, text: string): void {
  const description = embeddedDescription(text);
  if (description !== undefined) documents.add(lead.url, description);
  followScript(text, basesOf(lead), leadSource.script);
}

/** One address a line, or XML. */
const readSitemap = ({ follow }: Notes, { url }: Lead, text: string): void =>
  follow(text.startsWith('<') ? linksInXml(text, url) : linksInProse(text, url), 'sitemap');

/** A script's own address, and the page's where it was seen. */
const basesOf = ({ url, source }: Lead): [string, ...string[]] => (URL.canParse(source) ? [source, url] : [url]);
