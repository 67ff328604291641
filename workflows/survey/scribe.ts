import { createHash } from 'node:crypto';
import type { Explored } from '../model/browser.ts';
import type { Refused } from '../model/gate.ts';
import type { Exchange } from '../model/http.ts';
import { ProbeError } from '../model/probe-error.ts';
import type { FormSurface, PageShape, PageSurface } from '../model/surface.ts';
import type { Gate } from '../probe/gate/gate.ts';
import { refusedByControl } from '../probe/gate/links.ts';
import { refused as refusedAs } from '../probe/gate/refusal.ts';
import { resolve } from '../probe/html/links.ts';
import { documentTypeOf } from '../probe/http/document-type.ts';
import { locationOf } from '../probe/http/exchange.ts';
import { normaliseRoute } from '../probe/routes.ts';
import type { Scope } from '../probe/scope.ts';
import { threadMs } from '../probe/thread-time.ts';
import { addressesInHeaders } from './addresses/headers.ts';
import { maxUrlLength } from './asking.ts';
import { type CallList, createCallList } from './calls.ts';
import type { Explorer } from './explorer.ts';
import { followLinks, followScript } from './follow-script.ts';
import { formOf, isOwnAddress } from './form-address.ts';
import { createFormList } from './form-list.ts';
import type { FoundDocuments } from './found-documents.ts';
import { createFragmentRoutes } from './fragment-routes.ts';
import type { Frontier } from './frontier.ts';
import { createInputList, type InputList } from './inputs.ts';
import type { Lead } from './lead.ts';
import { packedSitemap } from './packed-sitemap.ts';
import { type ParsedPage, parsePage } from './page.ts';
import { codeOfPage } from './page-code.ts';
import type { ScriptHooks } from './page-hooks.ts';
import { pageOf } from './page-record.ts';
import { textHash } from './same-text.ts';
import { sentBodies } from './sent-bodies.ts';
import { sentForm } from './sent-forms.ts';
import { sentHeaders } from './sent-headers.ts';
import type { DrawnPage, Naming } from './shells.ts';
import type { PageLook } from './template.ts';
import { type Links, linksInCss, linksInJson, linksInProse, linksInRobots, linksInXml } from './text.ts';

/** Reads answers: notes what is there, and gives the frontier what leads on. */
export type Scribe = {
  /** @returns how the page looks, for comparison with others; undefined when a guess was none */
  read(lead: Lead, exchange: Exchange): PageLook | undefined;
  pages: PageSurface[];
  forms(): FormSurface[];
  /** Notes forms of pages that were read elsewhere. */
  readForms(forms: readonly FormSurface[]): void;
  inputs: InputList;
  /** Notes what a page that was used in the browser shows, asks for and leads to. */
  readExplored(explored: Explored, pageUrl: string): DrawnPage;
  calls: Pick<CallList, 'all' | 'left'>;
  /** Pages that were too much to read to their end. */
  cut: string[];
};

/** Processor time. Ordinary pages take a few milliseconds; thousands of long addresses must not hold up the scan. */
const linksTimeMs = 500;

/** HTML that answered. @property times under how many addresses @property code that it runs, as `codeOfPage` tells */
type KnownBody = { times: number; code?: string; shape?: PageShape; hooks?: ScriptHooks; takesInput?: boolean };

/** The same page under further addresses leads to nothing new; on a catch-all site every address shows it. */
const maxSameBody = 3;

/** @param refusalOf what the gate says of asking for a URL as this visitor */
export function createScribe(
  scope: Scope,
  frontier: Frontier,
  gate: Pick<Gate, 'learn' | 'noteLink' | 'count'>,
  refusalOf: (url: string) => Refused | undefined,
  explorer: Pick<Explorer, 'add'>,
  documents: Pick<FoundDocuments, 'add'>,
): Scribe {
  const pages: PageSurface[] = [];
  const bodies = new Map<string, KnownBody>();
  const inputs = createInputList();
  const forms = createFormList(scope, frontier, gate, inputs);
  const cut: string[] = [];
  const calls = createCallList();
  const readByPages = new Set<string>();
  /** What pages say besides what they have anew each time, and the route that showed it first. */
  const texts = new Map<string, string>();
  /** HTML of pages, by their addresses. */
  const bodyOf = new Map<string, string>();
  const routeCode = (route: string) => codeOfRoute(route, bodyOf.get(withoutFragment(route)));

  const mayTry = (url: string): boolean => scope.coversUrl(url) && refusalOf(url) === undefined;

  const follow = (links: Links, source: string) => followLinks(frontier, links, source);

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
      if (link.route !== undefined && !refused && mayTry(url)) {
        explorer.add({ url: link.route, code: routeCode(link.route) });
        routesBehind.seen(link.route);
      }
    }
    if (!forms.addOf(lead.url, parsed.forms)) cut.push(lead.url);
    for (const { url } of parsed.scripts) if (url !== undefined) frontier.add({ url, source: lead.url });
    for (const script of parsed.inlineScripts) readScript(script, [lead.url], lead.url);
    for (const url of parsed.parts) if (scope.coversUrl(url)) frontier.add({ url, source: lead.url });
    for (const url of parsed.guesses) frontier.add({ url, source: lead.url, isGuess: true });
    return parsed;
  };

  /** A router that keeps its routes behind "#" knows those of its table there. */
  const routesBehind = createFragmentRoutes((url, named) => {
    if (scope.coversUrl(url) && mayTry(withoutFragment(url))) explorer.add({ url, code: routeCode(url), named });
  });

  const readScript = (script: string, bases: [string, ...string[]], source: string) =>
    followScript(script, bases, source, { frontier, routesBehind });

  const followRoute = (route: string) => {
    if (!scope.coversUrl(route)) return;
    frontier.add({ url: route, source: 'browser' });
    if (!isRoute(route) || !mayTry(withoutFragment(route))) return;
    explorer.add({ url: route, code: routeCode(route) });
    routesBehind.seen(route);
  };

  /** What may do something, by the control that leads to it, is a form that nobody has sent. */
  const readRequest = (request: Explored['requests'][number], pageUrl: string) => {
    const { url, method, held, control, refused } = request;
    if (!scope.coversUrl(url)) return;
    calls.add(request, pageUrl);
    const sent = sentForm(request, pageUrl);
    if (sent) forms.addHeld(sent);
    if (method !== 'GET') return;
    // What a page reads by itself only reads, also when it is read again after something was pressed.
    if (control === undefined && !held && !refused) readByPages.add(url);
    if (held === 'acts' && readByPages.has(url)) return;
    if (held === 'acts' || refused) {
      gate.learn({ refused: [url] });
      return frontier.add({ url, source: 'browser' }, actsByControl);
    }
    if (!held) {
      if (mayTry(url)) inputs.addUrl(url);
      return frontier.add({ url, source: 'browser' });
    }
    const form = formOf(url, pageUrl, control);
    if (!form) return frontier.add({ url, source: 'browser', isGuess: true });
    forms.addHeld(form);
  };

  /** Requests of scripts, without those for the pages themselves. */
  const callsBesides = (): number => calls.all().filter(({ url, pageUrl }) => url !== withoutFragment(pageUrl)).length;

  const addToExplorer = (lead: Lead, { times, code = '', shape, hooks }: KnownBody, body: string) => {
    const { url, isGuess } = lead;
    // A shell is no file of code, whatever address it answers.
    if (times > 1 && isCodeFile.test(url)) return;
    explorer.add({
      ...{ url, body, named: namedBy(lead) },
      code: times === 1 && !isGuess ? code : `${code} ${normaliseRoute(url)}`,
      ...(shape ? { shape } : {}),
      ...(hooks ? { hooks } : {}),
    });
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
    if (/json|yaml|xml|^text\/plain|octet-stream/.test(contentType)) documents.add(lead.url, text);
    if (/javascript|ecmascript/.test(contentType)) readScript(text, basesOf(lead), 'script');
    else if (/css/.test(contentType)) follow(linksInCss(text, lead.url), lead.url);
    else if (/json/.test(contentType)) readJson(lead, text);
    else if (/xml/.test(contentType)) follow(linksInXml(text, lead.url), 'sitemap');
    else if (new URL(lead.url).pathname === '/robots.txt') follow(linksInRobots(text, lead.url), 'robots.txt');
    else if (/^text\/(?:plain|markdown)/.test(contentType))
      for (const url of linksInProse(text, lead.url).urls) frontier.add({ url, source: lead.url, isGuess: true });
  };

  /** One address a line, or XML. */
  const readSitemap = ({ url }: Lead, text: string) =>
    follow(text.startsWith('<') ? linksInXml(text, url) : linksInProse(text, url), 'sitemap');

  return {
    pages,
    inputs,
    cut,
    forms: forms.all,
    readForms: (found) => {
      for (const form of found) forms.addOf(form.pageUrl, [form]);
    },
    calls,
    readExplored(explored, pageUrl) {
      const { finalUrl, states, routes, requests, unread } = explored;
      const lead = { url: withoutFragment(finalUrl), source: 'browser' };
      const known = forms.all().length + callsBesides();
      const drawn = scope.coversUrl(lead.url) ? states.map((html) => readHtml(lead, html)) : [];
      for (const route of routes) followRoute(route);
      for (const request of requests) readRequest(request, pageUrl);
      for (const sent of sentBodies(explored)) if (scope.coversUrl(sent.url)) inputs.addBody(sent);
      for (const sent of sentHeaders(explored)) if (scope.coversUrl(sent.url)) inputs.add(sent);
      if (unread.requests + unread.states + unread.parts > 0) cut.push(finalUrl);
      inputs.leaveValues(unread.bodies);
      return {
        shapes: drawn.map(({ shape }) => shape),
        isMore: forms.all().length + callsBesides() > known,
      };
    },
    read(lead, exchange) {
      const contentType = documentTypeOf(exchange);
      const page = pageOf(lead, exchange, contentType);
      const digest = createHash('sha256').update(exchange.body).digest('base64');
      // A guess that shows nothing, or what is known, was none.
      const known = bodies.get(digest);
      if (lead.isGuess && (/^(?:404|410|400)$/.test(String(exchange.status)) || known)) {
        // The script of an application may know the address all the same.
        if (exchange.status < 400 && known?.code && lead.source !== 'usual place') addToExplorer(lead, known, digest);
        return undefined;
      }
      const text = /html/.test(contentType) ? textHash(exchange.text) : undefined;
      // What is relative in it would lead to addresses that show it, too, without end.
      const shownAt = text === undefined ? undefined : texts.get(text);
      if (lead.isGuess && shownAt !== undefined && shownAt !== normaliseRoute(lead.url)) return undefined;
      if (text !== undefined && shownAt === undefined) texts.set(text, normaliseRoute(lead.url));
      pages.push(page);
      if (exchange.truncated || page.headers.length < exchange.headers.length) cut.push(lead.url);
      if (exchange.status < 400 || (exchange.status !== 404 && !lead.isGuess)) inputs.addUrl(lead.url, lead.isMade);
      for (const address of [locationOf(exchange), ...addressesInHeaders(exchange.headers)]) {
        const url = resolve(address, lead.url);
        if (url !== undefined) frontier.add({ url, source: lead.url });
      }
      const body: KnownBody = known ?? { times: 0 };
      bodies.set(digest, body);
      body.times += 1;
      if (/html/.test(contentType)) bodyOf.set(withoutFragment(lead.url), digest);
      if (body.times <= maxSameBody && /html/.test(contentType)) {
        const parsed = readHtml(lead, exchange.text);
        const { title, scripts, shape, hooks } = parsed;
        Object.assign(page, { title, scripts, shape });
        Object.assign(body, { shape, hooks });
        body.takesInput = parsed.forms.some((form) => isOwnAddress(form, lead.url));
        body.code ??= codeOfPage(parsed);
      } else if (body.times <= maxSameBody) {
        const sitemap = packedSitemap(exchange);
        if (sitemap !== undefined) readSitemap(lead, sitemap);
        else readOther(lead, contentType, exchange.text);
      }
      if (/html/.test(contentType) && page.status < 400 && body.code) addToExplorer(lead, body, digest);
      return { status: page.status, contentType, shape: body.shape, takesInput: body.takesInput === true };
    },
  };
}

const actsByControl = refusedAs('would-act', 'the control that leads there does something');

const isCodeFile = /\.(?:m?js|css|map)(?:$|\?)/i;

/** What shows that there is such a page. */
function namedBy({ source, isGuess, isMade }: Lead): Naming {
  if (source === 'route table') return isMade ? 'by-sample' : 'by-routes';
  if (isGuess) return 'by-guess';
  return source === 'script' ? 'by-script' : 'by-page';
}

/** A script's own address, and the page's where it was seen. */
const basesOf = ({ url, source }: Lead): [string, ...string[]] => (URL.canParse(source) ? [source, url] : [url]);

const withoutFragment = (url: string): string => url.replace(/#.*$/s, '');

/** What stands behind "#" is an address to the page's script, and not a place in the page. */
const isRoute = (url: string): boolean => /#!?\//.test(url);

/** Pages made by script are told apart by what stands behind "#", and by the HTML that they begin with. */
const codeOfRoute = (route: string, body = normaliseRoute(route)): string =>
  `${body}#${normaliseRoute(route.slice(withoutFragment(route).length + 1).replace(/^!?/, ''))}`;
