import type { Omitted } from '../model/omission.ts';
import type { ChoiceSurface } from '../model/surface.ts';
import { counted, wasOrWere } from '../model/words.ts';

/** Choices that pages mark, each once, as the first page showed it. */
export type ChoiceList = {
  add(choices: readonly ChoiceSurface[]): void;
  all(): ChoiceSurface[];
  /** How many were beyond the limit. */
  left(): Omitted[];
};

/** Sites have few; menus that mark where a page stands are among them. */
const maxChoices = 200;
const maxLeft = 2_000;

/** One for each place and what is chosen among there. */
export const keyOfChoice = ({ route, parameter, values }: ChoiceSurface): string =>
  [route, parameter, ...values].join(' ');

export function createChoiceList(): ChoiceList {
  const known = new Map<string, ChoiceSurface>();
  const left = new Set<string>();
  return {
    add(choices) {
      for (const choice of choices) {
        const key = keyOfChoice(choice);
        if (known.has(key)) continue;
        if (known.size < maxChoices) known.set(key, choice);
        else if (left.size < maxLeft) left.add(key);
      }
    },
    all: () => [...known.values()],
    left() {
      const { size } = left;
      if (size === 0) return [];
      const count = size < maxLeft ? counted(size, 'choice') : `${size} or more choices`;
      const text = `${count} of a view that links make ${wasOrWere(size)} not noted: ${maxChoices} are; whether the account keeps them was not seen`;
      return [{ code: 'too_many', count: size, text }];
    },
  };
}
