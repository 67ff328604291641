import type { Observations } from '../model/gate.ts';
import type { ChoiceSurface, InputSurface, Surface } from '../model/surface.ts';
import { choiceKey } from '../observation/kept-choices.ts';
import { isAtChoice } from '../survey/choices.ts';
import { choicesLike } from '../survey/like-choices.ts';

/** A visitor's surface without the places of choices that the account may keep: observation has not shown otherwise. */
export function withoutKeptChoices(surface: Surface, observations: Observations): Surface {
  const heldChoices = heldChoicesIn(surface, observations);
  const isHeld = (input: InputSurface): boolean => heldChoices.some((choice) => isAtChoice(input, choice));
  return { ...surface, inputs: surface.inputs.filter((input) => !isHeld(input)), heldChoices };
}

/**
 * Choices of a visitor's pages that the account may keep: observation has not shown otherwise. Those that it keeps are looked for in
 * lists whose pages marked none.
 */
export function heldChoicesIn(
  { choices = [], pages }: Pick<Surface, 'choices' | 'pages'>,
  observations: Observations,
): ChoiceSurface[] {
  const held = choices.filter((choice) => observations[choiceKey(choice)] !== 'reads');
  const kinds = new Map(held.map((choice) => [choiceKey(choice), choice]));
  const kept = [...kinds].flatMap(([key, choice]) => (observations[key] === 'writes' ? [choice] : []));
  const places = new Map(
    [...held, ...kept.flatMap((choice) => choicesLike(choice, pages))].map((choice) => [placeOf(choice), choice]),
  );
  return [...places.values()];
}

const placeOf = ({ route, parameter }: ChoiceSurface): string => `${route} ${parameter}`;
