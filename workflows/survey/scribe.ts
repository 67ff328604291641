import { createHash } from 'node:crypto';
import type { Exchange } from '../model/http.ts';
import type { FormSurface, PageShape, PageSurface } from '../model/surface.ts';
import { resolve } from '../probe/html/links.ts';
import { documentTypeOf } from '../probe/http/document-type.ts';
import { locationOf } from '../probe/http/exchange.ts';
import { normaliseRoute } from '../probe/routes.ts';
import { addressesInHeaders } from './addresses/headers.ts';
import { type CallList, createCallList } from './calls.ts';
import type { ChoiceList } from './choice-list.ts';
import { isBelow, sendsToItself } from './fallback-pages.ts';
import { formAlone, isOwnAddress } from './form-address.ts';
import { withoutIndexFile } from './index-pages.ts';
import type { InputList } from './inputs.ts';
import { type Lead, leadSource } from './lead.ts';
import { createNotes, type NotesOptions } from './notes.ts';
import { createOwnScripts } from './own-scripts.ts';
import { codeOfPage } from './page-code.ts';
import type { ScriptHooks } from './page-hooks.ts';
import { noteLoaded } from './page-loads.ts';
import { pageOf } from './page-record.ts';
import { exploredReader, type ReadExplored } from './read-explored.ts';
import { readFile } from './read-file.ts';
import { readHtml } from './read-html.ts';
import { textHash } from './same-text.ts';
import type { Naming } from './shells.ts';
import type { PageLook } from './template.ts';

/** Reads answers: notes what is there, and gives the frontier what leads on. */
export type Scribe = {
  /** @returns how the page looks, for comparison with others; undefined when a guess was none */
  read(lead: Lead, exchange: Exchange): PageLook | undefined;
  pages: PageSurface[];
  forms(): FormSurface[];
  /** Notes forms of pages that were read elsewhere. */
  readForms(forms: readonly FormSurface[]): void;
  inputs: InputList;
  choices: Pick<ChoiceList, 'all' | 'left'>;
  readExplored: ReadExplored;
  calls: Pick<CallList, 'all' | 'left' | 'unread'>;
  /** Pages that were too much to read to their end. */
  cut: string[];
  /** Addresses that were answered as not there. */
  missing: string[];
};

/** HTML that answered. @property times under how many addresses @property code that it runs, as `codeOfPage` returns it */
type KnownBody = {
  times: number;
  code?: string;
  shape?: PageShape;
  hooks?: ScriptHooks;
  takesInput?: boolean;
  sharesInput?: boolean;
  /** A form of it goes to whichever address shows it, and is no login: programs that take the same fields have the same page. */
  isOfPrograms?: boolean;
  /** The server writes its navigation: it is no shell that script draws. */
  isWritten?: boolean;
};

/** The same page under further addresses leads to nothing new; on a catch-all site every address shows it. */
const maxSameBody = 3;
const maxSamePrograms = 100;
const maxMissing = 1_000;
/** HTML whose page script draws has hardly any links. */
const fewLinks = 5;

export function createScribe(options: NotesOptions): Scribe {
  const notes = createNotes(options);
  const { frontier, explorer, inputs, forms, cut } = notes;
  const pages: PageSurface[] = [];
  const missing: string[] = [];
  const bodies = new Map<string, KnownBody>();
  const calls = createCallList();
  const codes = new Set<string>();
  const ownForms = new Set<string>();
  const ownScripts = createOwnScripts();
  const inputNews = () => frontier.parameters() + forms.kinds();
  const news = () => frontier.places() + forms.kinds() + codes.size;
  const readExplored = exploredReader(notes, calls);
  /** What pages say besides what they have anew each time, and the address that showed it first. */
  const texts = new Map<string, string>();

  const addToExplorer = (lead: Lead, { times, code = '', shape, hooks, isWritten }: KnownBody, body: string) => {
    const { url, isGuess } = lead;
    // A shell is no file of code, whatever address it answers.
    if (times > 1 && isCodeFile.test(url)) return;
    // Another survey may have had the same shell for another address.
    const isFirst = times === 1 && !isGuess && (!options.isFurther || isWritten === true);
    explorer.add({
      ...{ url, body, named: namedBy(lead) },
      code: isFirst ? code : `${code} ${normaliseRoute(url)}`,
      ...(shape ? { shape } : {}),
      ...(hooks ? { hooks } : {}),
    });
  };

  return {
    pages,
    inputs,
    cut,
    forms: forms.all,
    choices: notes.choices,
    readForms: (found) => {
      for (const form of found) forms.addOf(form.pageUrl, [form]);
    },
    calls,
    readExplored(explored, url) {
      noteLoaded(pages, explored, url, options.scope);
      return readExplored(explored, url);
    },
    missing,
    read(lead, exchange) {
      if (/^(?:404|410)$/.test(String(exchange.status)) && missing.length < maxMissing) missing.push(lead.url);
      const contentType = documentTypeOf(exchange);
      const page = pageOf(lead, exchange, contentType);
      const digest = createHash('sha256').update(exchange.body).digest('base64');
      // A guess that shows nothing, or what is known, was none.
      const known = bodies.get(digest);
      if (lead.isGuess && (/^(?:404|410|400)$/.test(String(exchange.status)) || known)) {
        // The script of an application may know the address all the same.
        if (exchange.status < 400 && known?.code && lead.source !== leadSource.usualPlace)
          addToExplorer(lead, known, digest);
        return undefined;
      }
      const text = /html/.test(contentType) ? textHash(withoutIndexFile(exchange.text)) : undefined;
      // What is relative in it would lead to addresses that show it, too, without end.
      const shownAt = text === undefined ? undefined : texts.get(text);
      if (lead.isGuess && shownAt !== undefined && normaliseRoute(shownAt) !== normaliseRoute(lead.url))
        return undefined;
      if (text !== undefined && shownAt === undefined) texts.set(text, lead.url);
      if (shownAt !== undefined) frontier.indexPages.alike(lead.url, shownAt);
      const before = news();
      const inputsBefore = inputNews();
      pages.push(page);
      // A page that was shown is one, however a link calls it: "Order state" leads home.
      if (page.status < 400 && !/[?;]/.test(lead.url)) options.gate.learn({ pages: [lead.url] });
      if (exchange.truncated || page.headers.length < exchange.headers.length) cut.push(lead.url);
      if (exchange.status < 400 || (exchange.status !== 404 && !lead.isGuess))
        inputs.addUrl(frontier.indexPages.byFolder(lead.url), lead.isMade);
      for (const address of [locationOf(exchange), ...addressesInHeaders(exchange.headers)]) {
        const url = resolve(address, lead.url);
        if (url !== undefined) frontier.add({ url, source: lead.url });
      }
      // A site that gives its page for any address gives it for files that it lacks: its forms would be sent there, too.
      if (lead.source === leadSource.wellKnown && /html/.test(contentType))
        return { status: page.status, contentType, shape: undefined, takesInput: false, isBarren: true };
      const body: KnownBody = known ?? { times: 0 };
      bodies.set(digest, body);
      body.times += 1;
      if (/html/.test(contentType)) notes.noteBody(lead.url, digest);
      const isFallback = shownAt !== undefined && isBelow(lead.url, shownAt) && !sendsToItself.test(exchange.text);
      const isRead = body.times <= (body.isOfPrograms && !lead.isGuess ? maxSamePrograms : maxSameBody);
      if (isRead && /html/.test(contentType)) {
        const parsed = readHtml(notes, isFallback ? { ...lead, url: shownAt } : lead, exchange.text);
        // What scripts draw, no page that is asked for shows.
        notes.choices.add(parsed.choices);
        const { title, scripts, shape, hooks } = parsed;
        Object.assign(page, { title, scripts, shape });
        Object.assign(body, { shape, hooks });
        body.isWritten = parsed.links.length >= fewLinks;
        const own = parsed.forms.filter((form) => isOwnAddress(form, lead.url));
        body.takesInput = own.some((form) => !ownForms.has(formAlone(form)));
        body.sharesInput = own.length > 0 && !body.takesInput;
        for (const form of own) ownForms.add(formAlone(form));
        body.isOfPrograms = own.length > 0 && !own.some(({ fields }) => fields.some(({ type }) => type === 'password'));
        body.code ??= codeOfPage(parsed);
        codes.add(body.code);
        if (body.code && ownScripts.isAgain(lead.url, exchange.text, parsed)) body.code += ` ${lead.url}`;
      } else if (isRead) readFile(notes, lead, contentType, exchange);
      // In a browser its relative links would lead from here to addresses that show it, too.
      const isRepeated = isFallback && body.isWritten === true;
      if (/html/.test(contentType) && page.status < 400 && body.code && !isRepeated) addToExplorer(lead, body, digest);
      const isBarren = news() === before;
      const hasNewInputs = inputNews() > inputsBefore;
      const { shape, takesInput = false, sharesInput = false } = body;
      return { status: page.status, contentType, shape, takesInput, sharesInput, isBarren, hasNewInputs };
    },
  };
}

const isCodeFile = /\.(?:m?js|css|map)(?:$|\?)/i;

/** What shows that there is such a page. */
function namedBy({ source, isGuess, isMade }: Lead): Naming {
  if (source === leadSource.routeTable) return isMade ? 'by-sample' : 'by-routes';
  if (isGuess) return 'by-guess';
  return source === leadSource.script ? 'by-script' : 'by-page';
}
