import type { InputSurface } from '../../model/surface.ts';
import { isLeftOut } from '../../probe/errors.ts';
import { isHtml } from '../../probe/http/document-type.ts';
import { parsePage } from '../../survey/page.ts';
import type { CheckContext } from '../contract.ts';
import { canaryAt } from '../injection/canary.ts';
import { atMost } from '../inputs/at-most.ts';
import { inParallel } from '../inputs/parallel.ts';
import { isLibraryFile, ownScripts } from '../pages/scripts.ts';
import { readsFromOthers } from './dom-visits.ts';
import { hasSink } from './script-sinks.ts';
import type { ScriptedPage } from './scripted-pages.ts';

const maxInputs = 60;
const maxPages = 8;
const width = 4;

type AnsweringInput = { input: InputSurface; scripts: string[]; isEchoed: boolean; isNew: boolean };

/**
 * Pages that answer a value and have script of their own: those that repeat it, however well they encode it there, since a script that
 * reads it from its page has it as it was; and those that only a form leads to. The words are those of other checks, so that most of
 * the answers are known.
 */
export async function answeringPages(context: CheckContext): Promise<ScriptedPage[]> {
  const { inputs, pages } = context.surface;
  const known = new Set(pages.map(({ url }) => withoutQuery(url)));
  const given = inputs.filter(isQuery);
  const looked = await inParallel(atMost(context, given, maxInputs, 'inputs'), width, async (input) =>
    lookAt(context, input, !known.has(withoutQuery(input.url))),
  );
  const found = looked.filter((each) => each !== undefined);
  const byPage = Map.groupBy(found, ({ input }) => withoutQuery(input.url));
  const answering = [...byPage].map(([, [first, ...more]]): ScriptedPage[] => {
    if (!first) return [];
    const { input, scripts } = first;
    const echoes = [first, ...more].filter(({ isEchoed }) => isEchoed).map(({ input: { parameter } }) => parameter);
    return [{ url: addressOf(input), scripts, echoes }];
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

async function lookAt(context: CheckContext, input: InputSurface, isNew: boolean): Promise<AnsweringInput | undefined> {
  try {
    const { word, exchange } = await canaryAt(context, input);
    const isEchoed = exchange.text.includes(word);
    if (exchange.status !== 200 || !isHtml(exchange) || !(isEchoed || isNew)) return undefined;
    const page = parsePage(exchange.text, exchange.request.url);
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

/** With what has to be sent beside the value. */
function addressOf({ url, parameter, others }: InputSurface): string {
  const address = new URL(url);
  for (const { name, value } of others) if (name !== '') address.searchParams.set(name, value);
  address.searchParams.delete(parameter);
  return address.href;
}
