import type { InputSurface, PageSurface } from '../../model/surface.ts';
import { isLeftOut } from '../../probe/errors.ts';
import { isHtml } from '../../probe/http/document-type.ts';
import { parsePage } from '../../survey/page.ts';
import type { CheckContext } from '../contract.ts';
import { atMost } from '../inputs/at-most.ts';
import { canaryAt } from '../inputs/canary.ts';
import { inParallel } from '../inputs/parallel.ts';
import { isLibraryFile, ownScripts } from '../pages/scripts.ts';
import { readsFromOthers } from './dom-visits.ts';
import { hasSink } from './script-sinks.ts';
import type { ScriptedPage } from './scripted-pages.ts';

/** Other checks have asked nearly all of them. */
const maxInputs = 300;
const maxPages = 30;
const width = 4;

type AnsweringInput = { input: InputSurface; scripts: string[]; isEchoed: boolean; isNew: boolean };

/**
 * Pages that answer a value and have script of their own: those that repeat it, however well they encode it there, since a script that
 * reads it from its page has it as it was; and those that only a form leads to, with script that its page has not. The words are those of other checks, so that most of
 * the answers are known.
 */
export async function answeringPages(context: CheckContext): Promise<ScriptedPage[]> {
  const { inputs, pages } = context.surface;
  const known = new Map(pages.map((page) => [withoutQuery(page.url), inlineSizes(page)]));
  const given = inputs.filter(isQuery);
  const looked = await inParallel(atMost(context, given, maxInputs, 'inputs'), width, async (input) =>
    lookAt(context, input, known.get(withoutQuery(input.url))),
  );
  const found = looked.filter((each) => each !== undefined);
  const byPage = Map.groupBy(found, ({ input }) => withoutQuery(input.url));
  const answering = [...byPage].map(([, [first, ...more]]): ScriptedPage[] => {
    if (!first) return [];
    const echoes = [first, ...more].filter(({ isEchoed }) => isEchoed).map(({ input: { parameter } }) => parameter);
    return [{ url: addressOf(first), scripts: first.scripts, echoes }];
  });
  return atMost(context, answering.flat(), maxPages, 'pages that answer a value');
}

/** A page that was found twice, with all that is known of it. */
export function withAnswering(pages: readonly ScriptedPage[], answering: readonly ScriptedPage[]): ScriptedPage[] {
  const isSame = (a: ScriptedPage, b: ScriptedPage) => withoutQuery(a.url) === withoutQuery(b.url);
  const known = pages.map((page) => {
    const echoes = answering.find((each) => isSame(each, page))?.echoes;
    return echoes ? { ...page, echoes } : page;
  });
  return [...known, ...answering.filter((each) => !pages.some((page) => isSame(each, page)))];
}

/** Whether any page is asked for with a value. */
export const isAsked = ({ inputs }: Pick<CheckContext['surface'], 'inputs'>): boolean => inputs.some(isQuery);

const isQuery = ({ method, in: place }: InputSurface): boolean => method === 'GET' && place === 'query';

/** How long the scripts in the HTML of a page are, in bytes. */
const inlineSizes = ({ scripts }: Pick<PageSurface, 'scripts'>): ReadonlySet<number> =>
  new Set(scripts.flatMap(({ inlineBytes }) => inlineBytes ?? []));

async function lookAt(
  context: CheckContext,
  input: InputSurface,
  known: ReadonlySet<number> | undefined,
): Promise<AnsweringInput | undefined> {
  try {
    const { word, exchange } = await canaryAt(context, input);
    const isEchoed = exchange.text.includes(word);
    if (exchange.status !== 200 || !isHtml(exchange)) return undefined;
    const page = parsePage(exchange.text, exchange.request.url);
    const isNew =
      !known || page.inlineScripts.some((text) => !text.includes(word) && !known.has(Buffer.byteLength(text)));
    if (!isEchoed && !isNew) return undefined;
    const scripts = page.inlineScripts.map((text) => text.replaceAll(word, ''));
    const own = new Set(ownScripts(context.surface));
    const hasFile = page.scripts.some(({ url }) => url !== undefined && own.has(url) && !isLibraryFile(url));
    const isWanted = scripts.some((text) => hasSink(text) || (isNew && readsFromOthers(text))) || (isEchoed && hasFile);
    return isWanted ? { input, scripts, isEchoed, isNew } : undefined;
  } catch (error) {
    if (isLeftOut(error)) return undefined;
    throw error;
  }
}

const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, '');

/** With what has to be sent beside the value, and with the value where the page has nothing of the kind without it. */
function addressOf({ input: { url, parameter, others, sample }, isNew }: AnsweringInput): string {
  const address = new URL(url);
  for (const { name, value } of others) if (name !== '') address.searchParams.set(name, value);
  if (isNew) address.searchParams.set(parameter, sample || '1');
  else address.searchParams.delete(parameter);
  return address.href;
}
