import { plainButtons, submittingButtons, workingButtons } from './words/sending.ts';
import { folded } from './words/spelling.ts';
import { type Acting, actingInLabel, actingInName } from './words.ts';

/** A button that sends a form. */
export type Button = {
  /** "" where it sends nothing of its own. */
  name: string;
  value: string;
  /** What stands on it. */
  label: string;
  /** What it is called besides. */
  hints: string[];
  /** It sends the form elsewhere, or in another way. */
  leadsElsewhere: boolean;
};

const plain = new RegExp(`^(?:${folded(plainButtons)})$`, 'u');

/** "Send", "OK": what stands on any form's button. */
export const isPlainButton = (text: string): boolean => plain.test(folded(text).replace(/[^\p{L}\p{M}]+/gu, ''));

const working = new RegExp(`^(?:${workingButtons})$`, 'u');

/** "Execute", "Run": on the form that asks for what is typed it says nothing of an effect. */
export const isWorkingButton = (text: string): boolean => working.test(folded(text).replace(/[^\p{L}\p{M}]+/gu, ''));

const submitting = new RegExp(`^(?:${folded(submittingButtons)})$`, 'u');

/** "Submit": that the form is sent, and not what that does. */
export const isSubmitButton = (text: string): boolean => submitting.test(folded(text).replace(/[^\p{L}\p{M}]+/gu, ''));

/** What a text on a button says that it does. */
const actingInButton = (text: string): Acting | undefined => (isPlainButton(text) ? undefined : actingInLabel(text));

/**
 * The button that a form is sent by: the first one that sends it as it is and does not say that it acts; when all of them do, the
 * first. Undefined when it has none.
 */
export function pressedOf<B extends Button>(buttons: readonly B[]): B | undefined {
  const own = buttons.filter(({ leadsElsewhere }) => !leadsElsewhere);
  return own.find((button) => !acts(button)) ?? own[0] ?? buttons[0];
}

const acts = ({ name, value, label, hints }: Button): boolean =>
  [label, ...hints].some((text) => actingInButton(text) !== undefined) ||
  [name, value].some((text) => !isPlainButton(text) && actingInName(text) !== undefined);
