import type { Observations } from '../model/gate.ts';
import type { ChoiceSurface, InputSurface, Surface } from '../model/surface.ts';
import { choiceKey } from '../observation/kept-choices.ts';
import { isAtChoice } from '../survey/choices.ts';

/** A visitor's surface without the places of choices that the account may keep: observation has not shown otherwise. */
export function withoutKeptChoices(surface: Surface, observations: Observations): Surface {
  const heldChoices = heldChoicesIn(surface, observations);
  const isHeld = (input: InputSurface): boolean => heldChoices.some((choice) => isAtChoice(input, choice));
  return { ...surface, inputs: surface.inputs.filter((input) => !isHeld(input)), heldChoices };
}

/** Choices of a visitor's pages that the account may keep: observation has not shown otherwise. */
export const heldChoicesIn = (
  { choices = [] }: Pick<Surface, 'choices'>,
  observations: Observations,
): ChoiceSurface[] => choices.filter((choice) => observations[choiceKey(choice)] !== 'reads');
