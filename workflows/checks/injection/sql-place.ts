import type { CheckContext } from '../contract.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { nameFirstForms } from '../logins/name-first.ts';
import { isIdentifier } from '../sessions/objects.ts';
import { unknownWord } from './answer-words.ts';
import { once } from './asked-once.ts';
import { type DecidedPage, decidedPage, pageDecidedByErrors, startValues } from './decided-page.ts';
import { steadyAskerOf } from './plain-again.ts';
import { comparisonsFor } from './sql-comparisons.ts';
import type { Ask } from './sql-decision.ts';
import { failuresFor } from './sql-failures.ts';
import { isKnown } from './unparsable.ts';

/** How a comparison in SQL behind the value decides what the page shows; decided once for an input. @throws ProbeError */
export const sqlDecisionAt = once('decided by SQL', decide);

async function decide(context: CheckContext, input: OpenedInput): Promise<DecidedPage | undefined> {
  if (namesWhatIsChanged(input)) return undefined;
  const ask = steadyAskerOf(context, input);
  const values = [...startValues(input, context), ...(isNameFirst(input, context) ? [anybody] : [])];
  const decided = await decidedPage(ask, values, comparisonsFor, input.isStored);
  if (decided) return decided;
  const value = isKnown(input) ? input.sample : await acceptedBy(ask);
  return pageDecidedByErrors(ask, value, failuresFor(value));
}

/** A name of nobody, or a condition that holds: who asks for a name to let its owner in reads accounts, and changes none. */
const anybody = `${unknownWord}' OR 'b1' BETWEEN 'a1' AND 'c1`;

const isNameFirst = ({ url, parameter }: OpenedInput, { surface }: CheckContext): boolean =>
  nameFirstForms(surface).some(({ action, fields }) => action === url && fields.some(({ name }) => name === parameter));

/** Where the site gives no value: a word by which what repeats it is told apart from the rest of the page, or a number. */
const acceptedBy = async (ask: Ask): Promise<string> => ((await ask(unknownWord)).status < 400 ? unknownWord : '1');

/** An identifier or a name in a request that writes says which entry is changed: a condition behind it would choose others. */
export const namesWhatIsChanged = ({ isStored, namesEntry, parameter, sample }: NamedInput): boolean =>
  namesEntry === true ||
  (isStored === true && (isIdentifier(sample) || (sample !== '' && accountNames.test(parameter))));

type NamedInput = Pick<OpenedInput, 'isStored' | 'namesEntry' | 'parameter' | 'sample'>;

/** Fields by which accounts and pages are found, where they have a value already. */
const accountNames = /^(?:user_?name|login|user|account|slug|handle)$/i;
