import { createHash } from 'node:crypto';
import type { BrowserResult } from '../model/browser.ts';
import type { Refused } from '../model/gate.ts';
import type { Exchange } from '../model/http.ts';
import { ProbeError } from '../model/probe-error.ts';
import type { FormSurface, PageShape, PageSurface } from '../model/surface.ts';
import type { Gate } from '../probe/gate/gate.ts';
import { refusedByControl } from '../probe/gate/links.ts';
import { kindOfForm } from '../probe/gate/structure.ts';
import { resolve } from '../probe/html/links.ts';
import { documentTypeOf } from '../probe/http/document-type.ts';
import { locationOf, valuesOf } from '../probe/http/exchange.ts';
import type { Scope } from '../probe/scope.ts';
import { threadMs } from '../probe/thread-time.ts';
import { type Frontier, maxUrlLength } from './frontier.ts';
import { createInputList, type InputList } from './inputs.ts';
import type { Lead } from './lead.ts';
import { type ParsedPage, parsePage } from './page.ts';
import { sentBodies } from './sent-bodies.ts';
import type { PageLook } from './template.ts';
import { type Links, linksInJson, linksInRobots, linksInScript, linksInSitemap } from './text.ts';

/** Reads answers: notes what is there, and gives the frontier what leads on. */
export type Scribe = {
  /** @returns how the page looks, for comparison with others */
  read(lead: Lead, exchange: Exchange): PageLook;
  /** Reads the links and forms of a page as script made it; it is not a page of its own. */
  readRendered(lead: Lead, html: string): void;
  /** Notes what a page's script sends, by what the browser saw. */
  readTraffic(visit: BrowserResult): void;
  pages: PageSurface[];
  forms(): FormSurface[];
  inputs: InputList;
  /** Pages whose own script sends something. */
  sending: string[];
  /** Pages that were too much to read to their end. */
  cut: string[];
};

/** A script of a page that sends something with a body. */
const sends = /\bfetch\s*\(|XMLHttpRequest|\baxios\b|\$\.(?:ajax|post)\b/;
const withBody = /\bPOST\b|\.post\s*\(/i;

/** Processor time. Ordinary pages take a few milliseconds; thousands of long addresses must not hold up the scan. */
const linksTimeMs = 500;

/** The same page under further addresses leads to nothing new; on a catch-all site every address shows it. */
const maxSameBody = 3;

/** @param refusalOf what the gate says of asking for a URL as this visitor */
export function createScribe(
  scope: Scope,
  frontier: Frontier,
  gate: Pick<Gate, 'learn' | 'noteLink' | 'count'>,
  refusalOf: (url: string) => Refused | undefined,
): Scribe {
  const pages: PageSurface[] = [];
  const forms = new Map<string, FormSurface>();
  const bodies = new Map<string, { times: number; shape?: PageShape | undefined }>();
  const inputs = createInputList();
  const cut: string[] = [];
  const sending: string[] = [];

  const mayTry = (url: string): boolean => scope.coversUrl(url) && refusalOf(url) === undefined;

  const follow = ({ urls, left }: Links, source: string) => {
    for (const url of urls) frontier.add({ url, source });
    if (left > 0) frontier.leave(urls.at(-1) ?? '', left);
  };

  const readHtml = (lead: Lead, text: string): ParsedPage => {
    const parsed = parsePage(text, lead.url);
    if (!parsed.complete) cut.push(lead.url);
    const endMs = threadMs() + linksTimeMs;
    for (const link of parsed.links) {
      const { url } = link;
      if (threadMs() > endMs) {
        cut.push(lead.url);
        break;
      }
      // What may do something is no place to try values at either.
      const isTooLong = url.length > maxUrlLength;
      const refused = !isTooLong && scope.coversUrl(url) ? refusedByControl(link) : undefined;
      if (refused && link.acts === 'sends') {
        // What a GET of the same address shows is another matter.
        gate.count(url, refused);
        continue;
      }
      if (refused) gate.learn({ refused: [url] });
      else if (!isTooLong) gate.noteLink(url);
      if (!isTooLong && !refused && mayTry(url)) inputs.addUrl(url);
      frontier.add({ url, source: lead.url }, refused);
    }
    for (const form of parsed.forms) {
      if (form.action.length > maxUrlLength) {
        cut.push(lead.url);
        continue;
      }
      if (!scope.coversUrl(form.action)) continue;
      forms.set(formKey(form), forms.get(formKey(form)) ?? form);
      gate.learn({ forms: [form] });
      const { kind } = kindOfForm(form);
      if (kind === 'ends-session' || kind === 'would-act') continue;
      inputs.addForm(form);
      if (form.method === 'GET') frontier.add({ url: withFields(form), source: lead.url });
    }
    for (const { url } of parsed.scripts) if (url !== undefined) frontier.add({ url, source: lead.url });
    if (parsed.inlineScripts.some((script) => sends.test(script) && withBody.test(script))) sending.push(lead.url);
    for (const script of parsed.inlineScripts) follow(linksInScript(script, lead.url), lead.url);
    return parsed;
  };

  const readJson = (lead: Lead, text: string) => {
    try {
      follow(linksInJson(text, lead.url), lead.url);
    } catch (error) {
      if (!(error instanceof ProbeError)) throw error;
      cut.push(lead.url);
    }
  };

  const readOther = (lead: Lead, contentType: string, text: string) => {
    if (/javascript|ecmascript/.test(contentType)) follow(linksInScript(text, lead.url), 'script');
    else if (/json/.test(contentType)) readJson(lead, text);
    else if (/xml/.test(contentType)) follow(linksInSitemap(text, lead.url), 'sitemap');
    else if (new URL(lead.url).pathname === '/robots.txt') follow(linksInRobots(text, lead.url), 'robots.txt');
  };

  return {
    pages,
    inputs,
    sending,
    cut,
    forms: () => [...forms.values()],
    readRendered: readHtml,
    readTraffic(visit) {
      for (const sent of sentBodies(visit)) if (mayTry(sent.url)) inputs.addBody(sent);
      if (visit.unread.requests > 0) cut.push(visit.finalUrl);
      inputs.leaveValues(visit.unread.bodies);
    },
    read(lead, exchange) {
      const contentType = documentTypeOf(exchange);
      const page = pageOf(lead, exchange, contentType);
      pages.push(page);
      if (exchange.truncated || page.headers.length < exchange.headers.length) cut.push(lead.url);
      if (exchange.status !== 404) inputs.addUrl(lead.url);
      const location = resolve(locationOf(exchange), lead.url);
      if (location !== undefined) frontier.add({ url: location, source: lead.url });
      const digest = createHash('sha256').update(exchange.body).digest('base64');
      const body = bodies.get(digest) ?? { times: 0 };
      bodies.set(digest, body);
      body.times += 1;
      if (body.times <= maxSameBody && /html/.test(contentType)) {
        const { title, scripts, shape } = readHtml(lead, exchange.text);
        Object.assign(page, { title, scripts, shape });
        body.shape = shape;
      } else if (body.times <= maxSameBody) readOther(lead, contentType, exchange.text);
      return { status: page.status, contentType, shape: body.shape };
    },
  };
}

/** Pages of a site have a few KiB each; all of them are kept until the survey ends. */
const maxHeaderLength = 32 * 1024;

function keptHeaders({ headers }: Exchange): [string, string][] {
  let left = maxHeaderLength;
  const end = headers.findIndex(([name, value]) => {
    left -= name.length + value.length;
    return left < 0;
  });
  return headers.slice(0, end === -1 ? headers.length : end).map(([name, value]) => [name, value]);
}

function pageOf(lead: Lead, exchange: Exchange, contentType: string): PageSurface {
  const headers = keptHeaders(exchange);
  return {
    url: lead.url,
    status: exchange.status,
    contentType,
    headers,
    setCookies: valuesOf(headers, 'set-cookie'),
    title: '',
    scripts: [],
    source: lead.source,
  };
}

const formKey = (form: FormSurface) => [form.method, form.action, ...form.fields.map(({ name }) => name)].join(' ');

/** The URL that a browser goes to when a GET form is sent as it is. */
function withFields(form: FormSurface): string {
  const url = new URL(form.action);
  url.search = new URLSearchParams(form.fields.map(({ name, value }) => [name, value])).toString();
  return url.href;
}
