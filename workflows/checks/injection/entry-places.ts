import { type CaptureRule, claim, type Step } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import type { Surface } from '../../model/surface.ts';
import { isHtml } from '../../probe/http/document-type.ts';
import { escapePattern, firstMatch } from '../../proof/pattern.ts';
import { parsePage } from '../../survey/page.ts';
import { targetOf } from '../addresses/redirect-target.ts';
import type { CheckContext } from '../contract.ts';
import { type AnsweredEntry, answeredPlace } from './answered-entries.ts';
import { type PlantedValue, read } from './stored-reads.ts';
import type { StoringForm } from './storing-form.ts';

/** How the page of an entry is found, which has another address each time that its form is sent. */
export type EntryPlace = { by: 'redirect' } | ListedEntry | AnsweredEntry | LinkedPage;

/** The page of the entry links to another page about it. */
export type LinkedPage = {
  by: 'link';
  /** The page of the entry, and how that is found. */
  page: { url: string; entry: EntryPlace };
  /** What stands before the captured part, as in a list. */
  base: string;
  link: string;
};

/** A list that whoever sent the form is shown links to each entry. */
type ListedEntry = {
  by: 'list';
  listUrl: string;
  /** What stands before the captured part: an origin, or the folder of the list. */
  base: string;
  /** RE2 pattern of a link to an entry; its group is what stands behind `base`. */
  link: string;
  /** Where the newest entry stands; not known while only one was seen. */
  newest: 'first' | 'last' | undefined;
  /** Links to entries that were there before the form was sent again. */
  known: ReadonlySet<string>;
};

const maxLists = 2;
/** Links that a list has and the survey did not see, which are opened to see whether one is the new entry. */
const maxOpened = 4;
const maxLinks = 500;

/**
 * Finds the page of what a form has just stored behind a new link of a list, which shows one of the words.
 * @throws ProbeError
 */
export async function listedEntry(
  context: CheckContext,
  form: StoringForm,
  planted: readonly PlantedValue[],
  leadsTo: string | undefined,
): Promise<{ url: string; entry: ListedEntry } | undefined> {
  const [first] = form.inputs;
  const surface = form.identity === '' ? context.surface : context.surfaces[form.identity];
  if (!surface || first?.method !== 'POST') return undefined;
  const lists = [...new Set([leadsTo ?? [], form.pageUrl, first.url].flat())].slice(0, maxLists);
  for (const listUrl of lists) {
    const list = await read(context, form.identity, listUrl);
    if (list?.status !== 200 || !isHtml(list)) continue;
    for (const url of newLinks(list.text, listUrl, surface)) {
      const page = await read(context, form.identity, url);
      if (page?.status !== 200 || !isHtml(page)) continue;
      if (!planted.some(({ word }) => page.text.includes(word))) continue;
      const entry = entryOf(list.text, listUrl, url);
      if (entry) return { url, entry };
    }
  }
  return undefined;
}

/** The ends of a list are where new entries stand. */
function newLinks(text: string, listUrl: string, { pages }: Surface): string[] {
  const { origin } = new URL(listUrl);
  const known = new Set([listUrl, ...pages.map(({ url }) => url)]);
  const links = [...new Set(parsePage(text, listUrl).links.map(({ url }) => url))];
  const unknown = links.filter((url) => URL.parse(url)?.origin === origin && !known.has(url));
  if (unknown.length <= maxOpened) return unknown;
  return [...unknown.slice(-maxOpened / 2).toReversed(), ...unknown.slice(0, maxOpened / 2)];
}

function entryOf(text: string, listUrl: string, url: string): ListedEntry | undefined {
  for (const { base, link } of linksTo(listUrl, url)) {
    const all = linksIn(text, link);
    const index = all.findIndex((each) => base + each === url);
    if (index === -1) continue;
    const newest = all.length === 1 ? undefined : index === 0 ? 'first' : index === all.length - 1 ? 'last' : undefined;
    if (all.length > 1 && newest === undefined) return undefined;
    return { by: 'list', listUrl, base, link, newest, known: new Set(all) };
  }
  return undefined;
}

/** Patterns of a link to this page and its like, from the root and from the folder of the page that has it. */
export function linksTo(listUrl: string, url: string): Pick<ListedEntry, 'base' | 'link'>[] {
  const { origin, pathname, search } = new URL(url);
  const path = pathname + search;
  const folder = new URL('.', listUrl);
  const fromRoot = { base: origin, link: linkTo(`(?:https?://[^/"'\\s>]+)?(${withAnyId(path)})`) };
  const fromFolder = path.startsWith(folder.pathname)
    ? [{ base: folder.href, link: linkTo(`(?:\\./)?(${withAnyId(path.slice(folder.pathname.length))})`) }]
    : [];
  return [fromRoot, ...fromFolder];
}

const linkTo = (address: string): string => `\\bhref\\s*=\\s*["']?${address}["'\\s>]`;

/** The last number of an address is what distinguishes entries, or else its last word with a digit, or its last word. */
function withAnyId(path: string): string {
  const parts = path.split(/([/?&=#])/);
  const last = (isId: (part: string) => boolean) =>
    parts.findLastIndex((part) => !/^[/?&=#]?$/.test(part) && isId(part));
  const found = [/^\d+$/, /\d/, /./].map((id) => last((part) => id.test(part))).find((index) => index !== -1);
  return parts
    .map((part, index) => (index !== found ? escapePattern(part) : /^\d+$/.test(part) ? '\\d+' : '[\\w.~%-]+'))
    .join('');
}

export function linksIn(text: string, link: string): string[] {
  const found: string[] = [];
  let rest = text;
  while (found.length < maxLinks) {
    const match = firstMatch(link, rest);
    const address = match?.groups[0];
    if (!match || address === undefined) break;
    if (!found.includes(address)) found.push(address);
    rest = rest.slice(rest.indexOf(match.text) + match.text.length);
  }
  return found;
}

/**
 * Where an entry has its page after its form was sent again.
 * @throws ProbeError
 */
export async function placeAfter<T extends { url: string; entry?: EntryPlace }>(
  context: CheckContext,
  form: StoringForm,
  answer: Exchange,
  sighting: T,
): Promise<T> {
  const { entry } = sighting;
  if (!entry) return sighting;
  if (entry.by === 'redirect') return { ...sighting, url: targetOf(answer) ?? sighting.url };
  if (entry.by === 'answer') return { ...sighting, url: answeredPlace(entry, answer) ?? sighting.url };
  if (entry.by === 'link') {
    const page = await placeAfter(context, form, answer, entry.page);
    const [link] = linksIn(await textAfter(context, form, answer, page.url), entry.link);
    return link === undefined ? sighting : { ...sighting, url: entry.base + link, entry: { ...entry, page } };
  }
  const all = linksIn(await textAfter(context, form, answer, entry.listUrl), entry.link);
  const isNew = (link: string | undefined): link is string => link !== undefined && !entry.known.has(link);
  const newest = entry.newest ?? (isNew(all.at(-1)) ? 'last' : 'first');
  const added = newest === 'last' ? all.at(-1) : all[0];
  if (!isNew(added)) return sighting;
  return { ...sighting, url: entry.base + added, entry: { ...entry, newest, known: new Set(all) } };
}

/** By the answer to the form: all who look for its entry read the list once. */
const lists = new WeakMap<Exchange, Map<string, Promise<string>>>();

function textAfter(context: CheckContext, form: StoringForm, answer: Exchange, url: string): Promise<string> {
  const texts = lists.get(answer) ?? new Map<string, Promise<string>>();
  lists.set(answer, texts);
  const text = texts.get(url) ?? read(context, form.identity, url).then((list) => list?.text ?? '');
  texts.set(url, text);
  return text;
}

/** What a proof captures of the answer to the form, the step that reads the list behind it, and the address that both lead to. */
export function stepsToEntry(
  form: StoringForm,
  { url, entry }: { url: string; entry?: EntryPlace },
): { captures: CaptureRule[]; steps: Step[]; url: string } {
  if (!entry) return { captures: [], steps: [], url };
  if (entry.by === 'redirect') {
    const rule: CaptureRule = { name: 'place', subject: 'header:location', pattern: '^(?:https?://[^/]+)?(/[^#]*)' };
    return { captures: [rule], steps: [], url: `${new URL(url).origin}‹place›` };
  }
  if (entry.by === 'answer') {
    const rule: CaptureRule = { name: 'place', subject: 'body', pattern: entry.member };
    return { captures: [rule], steps: [], url: `${entry.before}‹place›${entry.behind}` };
  }
  const reading = (url: string, note: string, rule: CaptureRule): Step => ({
    http: { url },
    ...(form.identity === '' ? {} : { identity: form.identity }),
    note,
    expect: [claim('status', 'equals', '200')],
    capture: [rule],
  });
  if (entry.by === 'link') {
    const page = stepsToEntry(form, entry.page);
    const rule: CaptureRule = { name: 'further', subject: 'body', pattern: entry.link };
    const read = reading(page.url, 'The page of the new entry links to another one about it.', rule);
    return { captures: page.captures, steps: [...page.steps, read], url: `${entry.base}‹further›` };
  }
  const { listUrl, base, link, newest } = entry;
  const pattern = newest === 'first' ? link : `(?s).*${link}`;
  const read = reading(listUrl, 'The list links to the new entry.', { name: 'place', subject: 'body', pattern });
  return { captures: [], steps: [read], url: `${base}‹place›` };
}
