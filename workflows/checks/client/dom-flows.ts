import type { BrowserVisit } from '../../model/browser.ts';
import { counted, wasOrWere } from '../../model/words.ts';
import type { CheckContext } from '../contract.ts';
import { atMost } from '../inputs/at-most.ts';
import type { Flow } from './dom-flow.ts';
import { payloadsOf } from './dom-payloads.ts';
import { visitsOf } from './dom-visits.ts';
import { type Entrance, withParameters } from './entrances.ts';
import type { ScriptedPage } from './scripted-pages.ts';
import type { TracedVisit } from './traced-visit.ts';

/** Calls of one page that are examined. */
const maxFlows = 6;

/**
 * Opens a page with a word in each place that its scripts may read, and looks what they do with it. Three visits of most
 * pages; more where its scripts read what few do.
 * @throws ProbeError
 */
export async function flowsOf(context: CheckContext, page: ScriptedPage): Promise<Flow[]> {
  const { visits, guesses } = await visitsOf(context, page);
  const flows = new Map<string, Flow>();
  // Visits with presses are of the same page.
  let left = 0;
  const unread = { calls: 0, alikeCalls: 0 };
  for (const { words, isLastResort, ...visit } of visits) {
    // Libraries give the address of the page to a link, to take it apart: nothing can be made of that.
    if (isLastResort && [...flows.values()].some((flow) => payloadsOf(flow).length > 0)) continue;
    const { sinkCalls, libraries, unpressed, unread: missing } = await context.browser.visit(traced(visit, words));
    left = Math.max(left, unpressed);
    unread.calls = Math.max(unread.calls, missing.calls);
    unread.alikeCalls = Math.max(unread.alikeCalls, missing.alikeCalls);
    for (const call of sinkCalls) {
      const taken = [...words].filter(([each]) => call.text.includes(each));
      const [word, first] = taken[0] ?? [];
      if (word === undefined || !first) continue;
      const entrance = withNames(first, taken);
      // The same call with another word is the same mistake.
      const masked = [...words.keys()].reduce((text, each) => text.replaceAll(each, '‹word›'), call.text);
      // What takes the whole fragment takes the pairs in it as well.
      const isPartOfWhole =
        entrance.in === 'fragment' && entrance.before !== '' && [...flows.values()].some(isWhole(call));
      if (isPartOfWhole) continue;
      const key = JSON.stringify([entrance, call.sink, call.element, call.script, masked]);
      if (!flows.has(key)) flows.set(key, { entrance, word, call, libraries });
    }
  }
  const text = `${counted(left, 'control')} of ${page.url} ${wasOrWere(left)} not pressed: a visit presses some`;
  if (left > 0) context.leave({ code: 'guessed', count: left, text });
  reportUnread(context, page.url, unread);
  const usable = [...flows.values()].filter((flow) => payloadsOf(flow).length > 0);
  return [
    ...atMost(context, usable, maxFlows, 'uses of the address in a page'),
    ...guesses.map((entrance) => importOf(entrance, context.nonce())),
  ];
}

/** What begins at a parameter goes on into the fragment, and is not taken where no address has the parameter. */
function withNames(entrance: Entrance, taken: readonly (readonly [string, Entrance])[]): Entrance {
  if (entrance.in !== 'fragment') return entrance;
  const names = taken.flatMap(([, other]) => (other.in === 'query' ? [[other.parameter, '1'] as const] : []));
  return names.length === 0 ? entrance : { ...entrance, pageUrl: withParameters(entrance.pageUrl, names) };
}

const isWhole =
  ({ sink, element, script }: Flow['call']) =>
  ({ entrance, call }: Flow): boolean =>
    entrance.in === 'fragment' &&
    entrance.before === '' &&
    JSON.stringify([call.sink, call.element, call.script]) === JSON.stringify([sink, element, script]);

function reportUnread(
  { leave }: CheckContext,
  url: string,
  { calls, alikeCalls }: { calls: number; alikeCalls: number },
): void {
  const textFor = (count: number, why: string) =>
    `${counted(count, 'use')} of the address in ${url} ${wasOrWere(count)} not looked at: ${why}`;
  if (calls > 0) leave({ code: 'too_many', count: calls, text: textFor(calls, 'a visit notes no more') });
  if (alikeCalls > 0)
    leave({
      code: 'alike',
      count: alikeCalls,
      text: textFor(alikeCalls, 'the same script made more of the same kind'),
    });
}

function traced(
  { windowName, ...visit }: Omit<TracedVisit, 'words' | 'isLastResort'>,
  words: TracedVisit['words'],
): BrowserVisit {
  return { ...visit, trace: { words: [...words.keys()], ...(windowName === undefined ? {} : { windowName }) } };
}

/** `import()` is part of the language, so nothing can watch it: a value that may get there is tried. */
const importOf = (entrance: Entrance, word: string): Flow => ({
  entrance,
  word,
  call: { kind: 'address', sink: 'import()', element: 'script', text: word, script: '' },
});
