import type { CookieJar, Exchange } from '../model/http.ts';
import { parseJson } from '../model/json.ts';
import { ProbeError } from '../model/probe-error.ts';
import type { FormSurface, GivenCookies, Surface } from '../model/surface.ts';
import { resolve } from '../probe/html/links.ts';
import { documentTypeOf, isHtml } from '../probe/http/document-type.ts';
import { locationOf } from '../probe/http/exchange.ts';
import { partRoute } from '../probe/program-parts.ts';
import { parsePage } from '../survey/page.ts';
import { offersMore } from './new-controls.ts';
import type { Submission } from './submission.ts';

/** What a visitor is led to once something was sent, and was not before: the thing that was made, or the next step. */
export type Leads = {
  /** A page that was read: what it leads to the first time is no consequence of what is sent. */
  read(url: string, exchange: Exchange): void;
  answered(submission: Submission, exchange: Exchange): void;
  /** It was seen to read: a page whose script sent it, and was kept from it, shows more when it is used again. */
  mayPass(submission: Submission): void;
  /** The page that a submission led on to, in the session that it was sent in: what a step before it has opened others are not shown. */
  reached(submission: Submission, exchange: Exchange, session: CookieJar): void;
  /** Whether the visitor was not shown the page before, so that it may be the next step. */
  isNew(url: string): boolean;
  /** The session in which a page was reached. */
  sessionOf(url: string): CookieJar | undefined;
  /** The pages that were reached, the last first, and the session of that one, behind the most steps. */
  furthest(): { urls: string[]; session: CookieJar } | undefined;
  /** Without what an earlier call gave. */
  take(): Led;
};

/** @property urls absolute @property forms of pages that only an answer shows: nobody can ask for them again @property again pages to use in the browser once more @property cookies lines of Set-Cookie, and the page to which they go on @property left pages and forms beyond the bounds */
export type Led = {
  urls: string[];
  forms: FormSurface[];
  again: string[];
  cookies: GivenCookies[];
  left: number;
};

/** Most forms lead to one page. */
const maxLeads = 40;
const maxForms = 40;
/** Each takes seconds in the browser. */
const maxAgain = 12;
/** Values of one answer that are read as HTML. */
const maxPieces = 20;

/** @param surface what the visitor was shown before */
export function createLeads({
  pages,
  skipped,
  forms,
  calls,
}: Pick<Surface, 'pages' | 'skipped' | 'forms' | 'calls'>): Leads {
  const known = new Set([...pages, ...skipped].map(({ url }) => withoutFragment(url)));
  const firsts = new Map<string, Exchange>();
  const texts = new Map<string, string>();
  const found = new Set<string>();
  const knownForms = new Set(forms.map(keyOf));
  const shown = new Set(pages.filter(({ status }) => status === 200).map(({ url }) => withoutFragment(url)));
  const sessions = new Map<string, CookieJar>();
  const foundForms: FormSurface[] = [];
  const given = new Map<string, GivenCookies>();
  const again = new Set<string>();
  const used = new Set<string>();
  let formRoom = maxForms;
  let room = maxLeads;
  let left = 0;
  const lead = (url: string) => {
    const address = withoutFragment(url);
    if (known.has(address)) return;
    known.add(address);
    if (room === 0) {
      left += 1;
      return;
    }
    room -= 1;
    found.add(address);
  };

  const askedBy = (url: string) => calls.flatMap((call) => (call.url === url ? call.pageUrl : []));
  const useAgain = (page: string) => {
    if (used.has(page)) return;
    used.add(page);
    if (used.size <= maxAgain) again.add(page);
    else left += 1;
  };

  const leadToForms = (exchange: Exchange, isEcho: (address: string) => boolean) => {
    for (const form of formsOf(exchange)) {
      if (isEcho(form.action) || knownForms.has(keyOf(form))) continue;
      knownForms.add(keyOf(form));
      if (formRoom === 0) left += 1;
      else foundForms.push(form);
      formRoom = Math.max(0, formRoom - 1);
    }
  };

  return {
    read(url, exchange) {
      const before = texts.get(url);
      if (before === exchange.text) return;
      texts.set(url, exchange.text);
      const first = firsts.get(url);
      if (first === undefined) firsts.set(url, exchange);
      else if (offersMore(first, exchange)) for (const page of isHtml(exchange) ? [url] : askedBy(url)) useAgain(page);
      for (const address of linksOf(exchange))
        if (before === undefined) known.add(address);
        else lead(address);
    },
    answered({ words }, exchange) {
      const target = resolve(locationOf(exchange), exchange.request.url);
      if (target !== undefined) lead(target);
      const setCookies = exchange.headers.flatMap(([name, line]) =>
        name.toLowerCase() === 'set-cookie' ? [line] : [],
      );
      const url = withoutFragment(target ?? exchange.request.url);
      if (setCookies.length > 0 && given.size < maxLeads) given.set(url, { url, setCookies });
      // A search repeats what it was asked for in each of its links.
      const isEcho = (address: string) => words.some((word) => address.includes(word));
      for (const address of linksOf(exchange)) if (!isEcho(address)) lead(address);
      leadToForms(exchange, isEcho);
    },
    mayPass({ method, url }) {
      for (const call of calls) {
        const isOwn = call.held && call.control === undefined && call.method === method && call.url === url;
        if (isOwn) useAgain(call.pageUrl);
      }
    },
    reached({ words }, exchange, session) {
      const url = withoutFragment(exchange.request.url);
      if (sessions.size < maxLeads) sessions.set(url, session);
      const isEcho = (address: string) => words.some((word) => address.includes(word));
      for (const address of linksOf(exchange)) if (!isEcho(address)) lead(address);
      leadToForms(exchange, isEcho);
    },
    isNew: (url) => !shown.has(withoutFragment(url)),
    sessionOf: (url) => sessions.get(withoutFragment(url)),
    furthest() {
      const [session] = [...sessions.values()].slice(-1);
      return session && { urls: [...sessions.keys()].toReversed(), session };
    },
    take() {
      const urls = [...found];
      found.clear();
      const taken = { urls, forms: foundForms.splice(0), again: [...again], cookies: [...given.values()], left };
      again.clear();
      given.clear();
      left = 0;
      return taken;
    },
  };
}

function linksOf(exchange: Exchange): string[] {
  const { url } = exchange.request;
  const pieces = isHtml(exchange)
    ? [exchange.text]
    : /json/.test(documentTypeOf(exchange))
      ? htmlIn(exchange.text)
      : [];
  return pieces.flatMap((html) => parsePage(html, url).links.map((link) => withoutFragment(link.url)));
}

/** HTML that a script is given as a value, to put it into its page. */
function htmlIn(json: string): string[] {
  if (!/<\\?\/?a[\s>]/i.test(json)) return [];
  try {
    const texts: string[] = [];
    const pending: unknown[] = [parseJson(json)];
    for (let value = pending.pop(); value !== undefined && texts.length < maxPieces; value = pending.pop())
      if (typeof value === 'string' && value.includes('<')) texts.push(value);
      else if (typeof value === 'object' && value !== null) pending.push(...Object.values(value).filter(isGiven));
    return texts;
  } catch (error) {
    if (!(error instanceof ProbeError)) throw error;
    return [];
  }
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

const formsOf = (exchange: Exchange): FormSurface[] =>
  isHtml(exchange) ? parsePage(exchange.text, exchange.request.url).forms : [];

/** The same form stands in many answers, with other values in it. */
const keyOf = ({ method, action, fields }: FormSurface): string =>
  JSON.stringify([method, partRoute(action), fields.map(({ name }) => name)]);

const withoutFragment = (url: string): string => url.replace(/#.*$/s, '');
