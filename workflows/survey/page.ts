import type { PageLink } from '../model/page-link.ts';
import { refreshOf } from '../model/refresh.ts';
import type { ChoiceSurface, FormSurface, PageShape, PageSurface } from '../model/surface.ts';
import { actingInName } from '../probe/gate/words.ts';
import { baseOf } from '../probe/html/base.ts';
import { linkAttributes, resolve } from '../probe/html/links.ts';
import { parseHtml } from '../probe/html/parse.ts';
import { type HtmlToken, readTokens } from '../probe/html/tokens.ts';
import { addressReader } from './addresses/html.ts';
import { choiceReader } from './choices.ts';
import { noteGuarded } from './guarded-links.ts';
import { surfaceForms } from './page-forms.ts';
import { hookReader, type ScriptHooks } from './page-hooks.ts';
import { shapeReader } from './page-shape.ts';

/** What a page offers to a crawler. URLs are absolute. */
export type ParsedPage = {
  title: string;
  links: PageLink[];
  scripts: PageSurface['scripts'];
  forms: FormSurface[];
  /** Content of inline scripts, in order. */
  inlineScripts: string[];
  /** Names and code of its elements' own event handlers. */
  handlers: string[];
  /** What it takes in, or names in an attribute. */
  parts: string[];
  /** What may be an address: it stands in text, in a comment, or in what is switched off. */
  guesses: string[];
  shape: PageShape;
  hooks: ScriptHooks;
  choices: ChoiceSurface[];
  /** False when the page was too much to read to its end. */
  complete: boolean;
};

const maxLinks = 2_000;
const maxScripts = 1_000;
const maxTextLength = 200;
const maxHandlers = 500;

/** Kinds of link elements that lead to other pages. */
const pageRelations = /\b(?:alternate|next|prev|canonical|help|search|author|license|index)\b/i;

/** Without one of these a page has no form, and needs no tree of all its elements. */
const formPart = /<(?:form|input|button|select|textarea)/i;

export function parsePage(html: string, pageUrl: string): ParsedPage {
  const page: ParsedPage = {
    title: '',
    links: [],
    scripts: [],
    forms: [],
    inlineScripts: [],
    handlers: [],
    parts: [],
    guesses: [],
    shape: [],
    hooks: [],
    choices: [],
    complete: true,
  };
  const shape = shapeReader();
  const hooks = hookReader();
  const choices = choiceReader();
  const reader = addressReader();
  let hasAll = true;
  let base = pageUrl;
  let hasBase = false;
  let anchor: PageLink | undefined;
  let textOf = '';

  const addLink = (value: string | undefined): PageLink | undefined => {
    const url = resolve(value, base);
    if (url === undefined) return undefined;
    if (page.links.length >= maxLinks) {
      hasAll = false;
      return undefined;
    }
    const route = fragmentRoute(value);
    const isHere = base === pageUrl && /^\s*(?:#|$)/.test(value ?? '');
    const link: PageLink = {
      ...{ url, text: '' },
      ...(isHere ? { isHere } : {}),
      ...(route === undefined ? {} : { route: url + route }),
    };
    page.links.push(link);
    return link;
  };

  const onStart = ({ name, attributes }: Extract<HtmlToken, { kind: 'start' }>) => {
    for (const [attribute, code] of attributes)
      if ((handling.test(attribute) || /^\s*javascript:/i.test(code)) && page.handlers.length < maxHandlers)
        page.handlers.push(`${attribute} ${code}`);
    const attribute = linkAttributes[name];
    const link = attribute === undefined ? undefined : addLink(attributes.get(attribute));
    if (link) describe(link, attributes);
    if (name === 'a') anchor = link;
    else if (anchor) describe(anchor, name === 'use' ? iconOf(attributes) : attributes);
    if (name === 'base' && !hasBase && attributes.has('href')) {
      // Only the first one counts. Source: HTML standard §4.2.3.
      hasBase = true;
      base = baseOf(attributes.get('href'), pageUrl);
    }
    if (name === 'link' && pageRelations.test(attributes.get('rel') ?? '')) addLink(attributes.get('href'));
    if (name === 'meta' && /^refresh$/i.test(attributes.get('http-equiv') ?? ''))
      addLink(refreshOf(attributes.get('content') ?? '')?.address);
    if (name === 'script') {
      hasAll &&= page.scripts.length < maxScripts;
      if (page.scripts.length < maxScripts) page.scripts.push(scriptOf(attributes, base));
    }
    if (name === 'title' || (name === 'script' && page.scripts.length < maxScripts)) textOf = name;
  };

  const onText = (text: string) => {
    if (anchor && anchor.text.length < maxTextLength) anchor.text += text;
    if (textOf === 'title' && page.title.length < maxTextLength) page.title += text;
    if (textOf === 'script') onScriptText(page, text);
  };

  const onToken = (token: HtmlToken) => {
    if (token.kind === 'start') onStart(token);
    if (token.kind === 'text') onText(token.text);
    if (token.kind === 'end' && token.name === 'a') anchor = undefined;
    if (token.kind === 'end' && token.name === textOf) textOf = '';
    shape.read(token);
    hooks.read(token);
    choices.read(token);
    reader.read(token);
  };
  const isRead = readTokens(html, onToken, { onAside: reader.readAside });
  const { forms, isWhole } = formPart.test(html)
    ? surfaceForms(parseHtml(html), pageUrl)
    : { forms: [], isWhole: true };
  page.forms = forms;
  noteGuarded(page.links, forms);
  page.complete = isRead && hasAll && isWhole && reader.isWhole();
  const { parts, guesses } = reader.addresses;
  page.parts = [...parts].flatMap((address) => resolve(address, base) ?? []);
  // Text may be written for another page: what begins with dots is tried from the root on, too.
  const fromRoot = [...guesses].map((address) => address.replace(/^\.{1,2}\//, '/'));
  page.guesses = [...new Set([...guesses, ...fromRoot])].flatMap((address) => resolve(address, base) ?? []);
  page.shape = shape.shape();
  page.hooks = hooks.hooks();
  page.choices = choices.choices(pageUrl, base);
  page.title = page.title.trim().slice(0, maxTextLength);
  return page;
}

/** Attributes that hold code which runs on an event. */
const handling = /^(?:on[a-z]{3,}|@[a-z]|v-on:|ng-[a-z]+|x-on:|\(\w+\))/;

/** Attributes by which pages and their libraries say that a link does not simply lead somewhere. */
const sendsOtherwise =
  /^(?:data-)?(?:method|turbo-method|ajax-method|action-method|up-method|hx-(?:delete|post|put|patch))$/;
const asksBefore = /^(?:data-)?(?:\w{1,12}-)?confirm(?:ation)?(?:-\w{1,20})?$/;
/** What a library or the page calls when a link is pressed. */
const handler = /^(?:onclick|data-action|(?:wire|ng-|v-on|x-on|on|up-on)?[:@-]?click[.:\w-]*)$/;
/** Names in a handler of what only shows, folds or counts. */
const showing = /^(?:close|open|show|hide|toggle|dismiss|prevent|stop|track|report|return|mark|run|execute|exec)/i;

/** Calls that only count visitors: their arguments are names of events. */
const counting =
  /\b(?:ga|gtag|fbq|plausible|_gaq\.push|_paq\.push|dataLayer\.push|(?:analytics|mixpanel|amplitude|umami|posthog|matomo)\.\w{1,20})\([^()]{0,200}\)/g;

/** A handler calls something by a name that acts: "archive(4)". */
const callsAction = (code: string): boolean =>
  code
    .slice(0, maxTextLength)
    .replace(counting, ' ')
    .split(/[^\p{L}\p{N}_]+/u)
    .some((name) => !showing.test(name) && actingInName(name) !== undefined);

/** An icon in a collection of icons is identified by its name. */
const iconOf = (attributes: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map([['class', attributes.get('href') ?? attributes.get('xlink:href') ?? '']]);

/** Keeps what a tag says of the link that it is, or that it stands in. */
function describe(link: PageLink, attributes: ReadonlyMap<string, string>): void {
  for (const name of ['title', 'aria-label', 'alt', 'data-original-title', 'data-tooltip', 'data-action']) {
    const value = attributes.get(name);
    if (value) link.hints = `${link.hints === undefined ? '' : `${link.hints}\n`}${value}`.slice(0, maxTextLength);
  }
  const icons = attributes.get('class');
  if (icons) link.icons = `${link.icons ?? ''} ${icons}`.slice(0, maxTextLength);
  const reported = [...attributes].filter(([, value]) => !/^get$/i.test(value));
  if (reported.some(([name, value]) => sendsOtherwise.test(name) || (handler.test(name) && callsAction(value))))
    link.acts = 'sends';
  else if (reported.some(([name]) => asksBefore.test(name)) || /\bconfirm\s*\(/.test(attributes.get('onclick') ?? ''))
    link.acts ??= 'asks';
}

function scriptOf(attributes: ReadonlyMap<string, string>, base: string): PageSurface['scripts'][number] {
  const url = resolve(attributes.get('src'), base);
  const integrity = attributes.get('integrity');
  return url === undefined ? { inlineBytes: 0 } : { url, ...(integrity ? { integrity } : {}) };
}

function onScriptText(page: ParsedPage, text: string): void {
  const script = page.scripts.at(-1);
  if (script?.inlineBytes === undefined) return;
  if (script.inlineBytes === 0) page.inlineScripts.push('');
  script.inlineBytes += Buffer.byteLength(text);
  page.inlineScripts[page.inlineScripts.length - 1] += text;
}

/** What a page made by script takes for an address of its own: "#/orders", "#!orders". */
const fragmentRoute = (value = ''): string | undefined =>
  /#!?[/\w].{0,500}$/s.exec(value.trim())?.[0].match(/^#(?:!|\/).*/s)?.[0];
