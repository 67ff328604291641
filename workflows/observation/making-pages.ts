import type { Surface } from '../model/surface.ts';
import { pageKey } from '../probe/gate/form-key.ts';
import { readAddress } from '../probe/gate/urls.ts';
import { pagesAround } from '../survey/pages-around.ts';
import { hiddenNumbers, isRowNumber, type RowNumbers } from '../survey/row-numbers.ts';
import type { PageWatch } from './page-watch.ts';

/** Pages of one visitor that are opened to see what that does; sites have few such routes. */
const maxPages = 20;

export type MakingPage = { key: string; url: string };

type MakingPages = {
  /** Pages that make something as soon as they are opened: one address of each key. */
  writing: MakingPage[];
  /** Those beyond the limit. */
  left: number;
};

/**
 * Opens each page whose path says that it makes something new ("/posts/new") once more, and looks at the pages around it, and at the
 * number that the page has for what it edits: an editor may make a draft as soon as it is opened, and lead to it, or list it nowhere.
 */
export async function observeMakingPages(
  surface: Surface,
  { watch, signal }: { watch: PageWatch; signal: AbortSignal },
): Promise<MakingPages> {
  const shown = surface.pages.filter(({ url, status }) => status < 400 && readAddress(url).making !== undefined);
  const routes = new Map(shown.map(({ url }) => [pageKey(url), url]));
  const writing: MakingPage[] = [];
  for (const [key, url] of [...routes].slice(0, maxPages)) {
    signal.throwIfAborted();
    if (await makesSomething(surface, watch, url)) writing.push({ key, url });
  }
  return { writing, left: Math.max(0, routes.size - maxPages) };
}

async function makesSomething(surface: Surface, watch: PageWatch, url: string): Promise<boolean> {
  const isMaking = (each: string) => readAddress(each).making !== undefined;
  const around = pagesAround(surface, { url, pageUrl: url }).pages.filter((each) => !isMaking(each));
  const before = await watch.before(around);
  watch.sending();
  const opened = await watch.read(url);
  for (const reading of before) if ((await watch.after(reading))?.changed) return true;
  if (opened === undefined) return false;
  const forms = surface.forms.filter(({ pageUrl }) => pageUrl === url);
  const first = hiddenNumbers(forms);
  const now = numbersIn(opened.text);
  if (first.size > 0) return countsOn(first, now);
  if (now.size === 0) return false;
  watch.sending();
  const again = await watch.read(url);
  return again !== undefined && countsOn(now, numbersIn(again.text));
}

/** Others may make rows in between. */
const maxStep = 20;

/** Hidden fields, members of JSON, and parameters of addresses: the first of each name. */
function numbersIn(text: string): RowNumbers {
  const numbers: RowNumbers = new Map();
  const tags = text.matchAll(/<input\b[^>]{0,400}>/gi);
  const fields = [...tags].map(([tag]) => [
    /\bname\s*=\s*["']?([\w[\].-]{1,60})/i.exec(tag)?.[1] ?? '',
    /\bvalue\s*=\s*["']?(\d{1,9})\b/i.exec(tag)?.[1] ?? '',
  ]);
  const members = [...text.matchAll(/["']?\b([\w-]{2,60})["']?\s{0,2}[:=]\s{0,2}["']?(\d{1,9})\b/g)];
  for (const [name = '', value = ''] of [...fields, ...members.map(([, name, value]) => [name, value])])
    if (isRowNumber(name, value) && !numbers.has(name)) numbers.set(name, Number(value));
  return numbers;
}

/** One of them has grown by a little: a new row each time. */
const countsOn = (before: RowNumbers, now: RowNumbers): boolean =>
  [...before].some(([name, number]) => {
    const step = (now.get(name) ?? number) - number;
    return step > 0 && step <= maxStep;
  });
