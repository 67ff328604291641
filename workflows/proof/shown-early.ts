import type { BrowserVisit } from '../model/browser.ts';
import type { Operator, Step } from '../model/experiment.ts';
import { holds } from './assertions.ts';
import { firstMatch } from './pattern.ts';
import { fillAssertion, fillCapture, type TrialValues } from './template.ts';

/** The one thing a page cannot take back: a frame may be left again, and a text replaced. */
const dialogs = 'browser:dialogs';
/** Claims that further dialogs do not undo. */
const lasting: ReadonlySet<Operator> = new Set(['contains', 'matches', 'present']);
/** What script makes of the page. */
const content = 'browser:html';
/** Read when the visit has ended, whenever that is. */
const address = 'browser:url';

/**
 * Detects when a browser has shown all that a step claims, so that the visit need not wait for what else may come. Claims and
 * captures are still tried on what the visit brought back.
 * @returns undefined when the step says something about the page as it is after its script has had its time
 */
export function shownEarly(
  { expect, capture = [] }: Pick<Step, 'expect' | 'capture'>,
  values: TrialValues,
  now: () => Date,
): BrowserVisit['isDone'] {
  const isLasting = expect.every(({ subject, operator }) => subject === dialogs && lasting.has(operator));
  const isCaptured = capture.every(({ subject }) => subject === dialogs || subject === address);
  if (expect.length === 0 || !isLasting || !isCaptured) return undefined;
  const claims = expect.map((each) => fillAssertion(each, values));
  const captures = capture.filter(({ subject }) => subject === dialogs).map((each) => fillCapture(each, values));
  return (seen) => {
    const text = seen.dialogs.length === 0 ? undefined : seen.dialogs.join('\n');
    return (
      claims.every((each) => holds(each, text, now())) &&
      captures.every(({ pattern }) => firstMatch(pattern, text ?? '') !== undefined)
    );
  };
}

/**
 * Detects when a page has become what a step claims of it: a large application may take seconds for that on a busy machine.
 * @returns undefined when the step claims nothing that comes with time
 */
export function shownLate(
  { expect }: Pick<Step, 'expect'>,
  values: TrialValues,
  now: () => Date,
): BrowserVisit['isShown'] {
  const claims = expect
    .filter(({ subject, operator }) => subject === content && lasting.has(operator))
    .map((each) => fillAssertion(each, values));
  return claims.length === 0 ? undefined : (html) => claims.every((each) => holds(each, html, now()));
}
