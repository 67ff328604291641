import type { ChoiceSurface } from '../model/surface.ts';

/** Choices that pages mark, each once, as the first page showed it. */
export type ChoiceList = {
  add(choices: readonly ChoiceSurface[]): void;
  all(): ChoiceSurface[];
};

/** Sites have few; menus that mark where a page stands are among them. */
const maxChoices = 200;

/** One for each place and what is chosen among there. */
export const keyOfChoice = ({ route, parameter, values }: ChoiceSurface): string =>
  [route, parameter, ...values].join(' ');

export function createChoiceList(): ChoiceList {
  const known = new Map<string, ChoiceSurface>();
  return {
    add(choices) {
      for (const choice of choices) {
        const key = keyOfChoice(choice);
        if (!known.has(key) && known.size < maxChoices) known.set(key, choice);
      }
    },
    all: () => [...known.values()],
  };
}
