import type { Exchange } from '../model/http.ts';
import { isFinal, ProbeError } from '../model/probe-error.ts';
import type { ChoiceSurface } from '../model/surface.ts';
import { keyOfChoice } from '../survey/choice-list.ts';
import { choicesIn } from '../survey/choices.ts';

/** What an account keeps of a choice: the last link that was opened, the same with the first one put back, or nothing. */
export type ChoiceVerdict = 'kept' | 'put-back' | 'not-kept';

/** A link that is opened once to see whether the page that marks the choice then marks it. */
export type ChoiceTrial = { choice: ChoiceSurface; opened: string };

type ObserveChoices = {
  choices: readonly ChoiceSurface[];
  /** Asks for a page or a link as the visitor; undefined when there is no answer. */
  get(url: string): Promise<Exchange | undefined>;
  /** Whether the gate lets the visitor open a link. */
  mayOpen(url: string): boolean;
  /** Called before a link is opened, and again once it is known what became of the choice. */
  record(trial: ChoiceTrial, verdict?: ChoiceVerdict): Promise<void>;
};

/** What is chosen among is the same in lists of one program; programs have few. */
const maxKinds = 12;

/** Under which it is kept what becomes of a choice: lists of one program have the same ones. */
export const choiceKey = ({ values }: Pick<ChoiceSurface, 'values'>): string =>
  `session choice ${values.join(' ').slice(0, 500)}`;

/**
 * Opens of each kind of choice a link that is not marked, and looks whether its page marks that now, under an address that says nothing
 * of it: then the account keeps what plain links choose. What was chosen before is opened once more.
 * @returns a verdict for each kind that could be tried, while the budget lasts
 */
export async function observeChoices(tools: ObserveChoices): Promise<Map<string, ChoiceVerdict>> {
  const verdicts = new Map<string, ChoiceVerdict>();
  const kinds = Map.groupBy(tools.choices, choiceKey);
  for (const [key, choices] of [...kinds].slice(0, maxKinds)) {
    try {
      for (const choice of ofEachRoute(choices)) {
        const verdict = await observeOne(tools, choice);
        if (verdict !== undefined) verdicts.set(key, verdict);
        if (verdict !== undefined && verdict !== 'not-kept') break;
      }
    } catch (error) {
      if (!(error instanceof ProbeError) || !isFinal(error)) throw error;
      break;
    }
  }
  return verdicts;
}

/** A list may show what another one was set to: before none is said to be kept, some lists are looked at. */
const maxLists = 3;

const ofEachRoute = (choices: readonly ChoiceSurface[]): ChoiceSurface[] =>
  [...new Map(choices.toReversed().map((choice) => [choice.route, choice])).values()].toReversed().slice(0, maxLists);

/** @returns undefined where the page does not mark one any more, or no other may be opened */
async function observeOne(
  { get, mayOpen, record }: ObserveChoices,
  choice: ChoiceSurface,
): Promise<ChoiceVerdict | undefined> {
  const marked = async (): Promise<string | undefined> => {
    const page = await get(choice.pageUrl);
    return page?.status === 200 ? markedIn(page.text, choice) : undefined;
  };
  const before = await marked();
  const opened = [...choice.others, choice.chosen].find((url) => url !== before && mayOpen(url));
  if (before === undefined || opened === undefined) return undefined;
  const trial = { choice, opened };
  await record(trial);
  if ((await get(opened)) === undefined) return undefined;
  if ((await marked()) !== opened) {
    await record(trial, 'not-kept');
    return 'not-kept';
  }
  if (opened !== choice.chosen) await get(choice.chosen);
  const verdict = (await marked()) === choice.chosen ? 'put-back' : 'kept';
  await record(trial, verdict);
  return verdict;
}

const markedIn = (html: string, choice: ChoiceSurface): string | undefined =>
  choicesIn(html, choice.pageUrl).find((each) => keyOfChoice(each) === keyOfChoice(choice))?.chosen;
