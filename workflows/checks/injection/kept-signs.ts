import { decodedText } from '../../probe/html/decoded-text.ts';
import { fill, newTrialValues } from '../../proof/template.ts';
import type { CheckContext } from '../contract.ts';
import { inputAction, type OpenedInput } from '../inputs/input-request.ts';
import { sendInput } from '../inputs/open-input.ts';

/** What closes before what opens, each by itself: an expression in no language. A bracket with a space behind it begins no tag. */
const signs = ['}', ')', ']', '>', '%', '*', '#', '@', '=', '?', '/', '^', '$', '"', "'", '{', '(', '[', '<'];

/** A page that shows a value in fewer characters than were sent between two words cuts nothing else out. */
const longestBetween = 300;

/**
 * Asks once which signs come back, from an input whose page shows its value: what makes a name of a value, or takes signs out, evaluates
 * no text that needs them. Of a value that is refused, cut or not shown nothing is known, and all may come back.
 * @returns whether each sign of a text came back somewhere
 * @throws ProbeError
 */
export async function keptSigns(context: CheckContext, input: OpenedInput): Promise<(text: string) => boolean> {
  const values = newTrialValues(context.nonce);
  const [begin, end] = [fill('‹nonce›', values), fill('‹nonce2›', values)];
  const sent = inputAction(input, `${begin} ${signs.join(' ')} ${end}`);
  const { text } = await sendInput(context, input, sent, values);
  // A link may write the value twice encoded.
  const shown = decodedText(decodedText(text))
    .split(begin)
    .slice(1)
    .flatMap((rest) => rest.split(end).slice(0, -1).slice(0, 1));
  const between = shown.filter(({ length }) => length <= longestBetween);
  if (between.length === 0) return () => true;
  const lost = signs.filter((sign) => !between.some((part) => part.includes(sign)));
  return (needed) => !lost.some((sign) => needed.includes(sign));
}
