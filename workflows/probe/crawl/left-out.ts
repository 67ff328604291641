import type { SkipCode } from '../../checks/contract.ts';
import { budgetAdvice, type OmissionWord, type Omitted } from '../../orchestration/omissions.ts';
import { enoughAlike } from './template.ts';

/** What the coverage calls what the survey skips; undefined is what nobody expects to be looked at. */
const words: Record<SkipCode, OmissionWord | undefined> = {
  'other-host': undefined,
  'not-a-page': undefined,
  excluded: 'excluded',
  'url-too-long': 'odd_address',
  loop: 'odd_address',
  'ends-session': 'would_act',
  'would-act': 'would_act',
  'one-time-token': 'would_act',
  'unsafe-method': 'would_act',
  'refused-before': 'would_act',
  'looked-once': 'would_act',
  websocket: 'would_act',
  'sensitive-fields': 'would_write',
  message: 'would_write',
  writes: 'would_write',
  'not-observed': 'not_observed',
  folded: 'folded',
  'template-unseen': 'template_unseen',
  budget: 'budget',
  'out-of-time': 'time',
  'session-lost': 'login_lost',
  'too-many': 'too_many',
  failed: 'unreachable',
  'page-cut': 'page_cut',
};

const sentences: Partial<Record<OmissionWord, (count: string) => string>> = {
  excluded: (count) => `${count} addresses are of paths that the scope excludes`,
  odd_address: (count) => `${count} addresses were not fetched: they are too long, or repeat themselves`,
  would_act: (count) => `${count} links and controls that act were not followed`,
  would_write: (count) => `${count} forms and requests were not sent: they would write`,
  not_observed: (count) => `${count} forms were not sent: what they do was not observed`,
  folded: (count) =>
    `${count} pages were not fetched: ${enoughAlike} or more pages of each of their routes, spread over it, are built alike`,
  template_unseen: (count) =>
    `${count} pages were not fetched, and of their routes fewer than ${enoughAlike} compared pages are built alike`,
  budget: (count) => `${count} pages were not fetched: the budget of the survey was used up. ${budgetAdvice}`,
  time: (count) => `${count} pages were not fetched: the time of the survey was over`,
  login_lost: (count) => `${count} pages were not fetched: the session ended and could not be renewed`,
  too_many: (count) => `${count} pages were not fetched: the survey fetches no more`,
  unreachable: (count) => `${count} pages gave no usable answer`,
  browser_unavailable: () => 'what script makes of the site was not looked at: there is no browser',
  browser_failed: () => 'what script makes of the site was not looked at: the browser failed',
  page_cut: (count) => `${count} pages were read in part: they are too large or too deep`,
};

/** Counts what a survey leaves out, with one address for each code. */
export function createTally() {
  const counts = new Map<OmissionWord, { count: number; example: string }>();
  const addWord = (word: OmissionWord, example: string, count = 1) => {
    const known = counts.get(word);
    counts.set(word, { count: (known?.count ?? 0) + count, example: known?.example ?? example });
  };
  return {
    add(code: SkipCode, example: string, count = 1) {
      const word = words[code];
      if (word !== undefined) addWord(word, example, count);
    },
    addWord,
    omitted: (): Omitted[] =>
      [...counts].map(([code, { count, example }]) => {
        const sentence = sentences[code]?.(count.toLocaleString('en')) ?? `${count} were left out`;
        return { code, count, text: `${sentence} (for instance ${example.slice(0, 200)})` };
      }),
  };
}

export type Tally = ReturnType<typeof createTally>;
