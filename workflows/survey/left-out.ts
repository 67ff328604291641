import { budgetAdvice, type OmissionWord, type Omitted } from '../model/omission.ts';
import type { SkipCode } from '../model/skipped.ts';
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
  websocket: 'live_messages',
  'sensitive-fields': 'would_write',
  message: 'would_write',
  writes: 'would_write',
  'others-entry': 'would_write',
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

/** What the coverage calls it. */
export const wordOf = (code: SkipCode): OmissionWord | undefined => words[code];

type Sentence = { one: string; many: (count: string) => string };

const ofPages = (one: string, many = one): Sentence => ({
  one: `one page was not fetched${one}`,
  many: (count) => `${count} pages were not fetched${many}`,
});

/** What holds for all, whatever their number. */
const always = (text: string): Sentence => ({ one: text, many: () => text });

const sentences: Partial<Record<OmissionWord, Sentence>> = {
  excluded: {
    one: 'one address is of a path that the scope excludes',
    many: (count) => `${count} addresses are of paths that the scope excludes`,
  },
  odd_address: {
    one: 'one address was not fetched: it is too long, repeats itself, or lacks a value',
    many: (count) => `${count} addresses were not fetched: they are too long, repeat themselves, or lack a value`,
  },
  would_act: {
    one: 'one link or control that acts was not followed',
    many: (count) => `${count} links and controls that act were not followed`,
  },
  would_write: {
    one: 'one form or request was not sent: it would write',
    many: (count) => `${count} forms and requests were not sent: they would write`,
  },
  live_messages: {
    one: 'one kind of message over a connection that stays open was not tested: nothing shows that it only asks, or it is not sent by the page alone',
    many: (count) =>
      `${count} kinds of messages over connections that stay open were not tested: nothing shows that they only ask, or they are not sent by the page alone`,
  },
  other_host: {
    one: 'one request of an API description is for a host that this scan does not audit',
    many: (count) => `${count} requests of an API description are for hosts that this scan does not audit`,
  },
  not_observed: {
    one: 'one form was not sent: what it does was not observed',
    many: (count) => `${count} forms were not sent: what they do was not observed`,
  },
  folded: ofPages(
    `: ${enoughAlike} or more pages of its route, spread over it, are built alike`,
    `: ${enoughAlike} or more pages of each of their routes, spread over it, are built alike`,
  ),
  template_unseen: ofPages(
    `, and of its route fewer than ${enoughAlike} compared pages are built alike`,
    `, and of their routes fewer than ${enoughAlike} compared pages are built alike`,
  ),
  budget: ofPages(`: the budget of the survey was used up. ${budgetAdvice}`),
  time: ofPages(': the time limit of the survey was reached'),
  login_lost: ofPages(': the session ended and could not be renewed'),
  too_many: ofPages(': the survey fetches no more'),
  unreachable: {
    one: 'one page gave no usable answer',
    many: (count) => `${count} pages gave no usable answer`,
  },
  browser_unavailable: always('what script makes of the site was not looked at: there is no browser'),
  browser_failed: always('what script makes of the site was not looked at: the browser failed'),
  guessed: {
    one: 'nothing was typed into one field for a search: a word is tried in the first ones of a page',
    many: (count) => `nothing was typed into ${count} fields for a search: a word is tried in the first ones of a page`,
  },
  scripts_unseen: {
    one: 'one page with script was not used in the browser: pages with new script come first',
    many: (count) => `${count} pages with script were not used in the browser: pages with new script come first`,
  },
  controls_unused: {
    one: 'one control of a page was not used: a limit of count or time was reached',
    many: (count) => `${count} controls of pages were not used: a limit of count or time was reached`,
  },
  unnamed: {
    one: 'parameters that no page names were not tried on one page: others were, or it gave no answer',
    many: (count) =>
      `parameters that no page names were not tried on ${count} pages: others were, or they gave no answer`,
  },
  alike: {
    one: 'one place was not looked at: another one that is answered or built alike was',
    many: (count) => `${count} places were not looked at: others that are answered or built alike were`,
  },
  page_cut: {
    one: 'one page was read in part: it is too large or too deep',
    many: (count) => `${count} pages were read in part: they are too large or too deep`,
  },
};

/** In a sentence, with one of the addresses. */
export function omittedAs(code: OmissionWord, count: number, example: string): Omitted {
  const { one, many } = sentences[code] ?? {
    one: 'one place was left out',
    many: (number: string) => `${number} places were left out`,
  };
  const [sentence, such] = count === 1 ? [one, ''] : [many(count.toLocaleString('en')), 'for instance '];
  return { code, count, text: `${sentence} (${such}${example.slice(0, 200)})` };
}

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
    omitted: (): Omitted[] => [...counts].map(([code, { count, example }]) => omittedAs(code, count, example)),
  };
}

export type Tally = ReturnType<typeof createTally>;
