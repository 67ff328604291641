import type { CheckContext } from '../contract.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { isIdentifier } from '../sessions/objects.ts';
import { once } from './asked-once.ts';
import { type DecidedPage, decidedPage, pageDecidedByErrors, startValues } from './decided-page.ts';
import { comparisonsFor } from './sql-comparisons.ts';
import { askerOf } from './sql-decision.ts';
import { sqlErrorIn } from './sql-errors.ts';
import { failuresFor } from './sql-failures.ts';
import { givenValue, odd, showsUnparsable } from './unparsable.ts';

/** How a comparison in SQL behind the value decides what the page shows; decided once for an input. @throws ProbeError */
export const sqlDecisionAt = once('decided by SQL', decide);

async function decide(context: CheckContext, input: OpenedInput): Promise<DecidedPage | undefined> {
  if (namesWhatIsChanged(input)) return undefined;
  const ask = askerOf(context, input);
  const values = startValues(input, context);
  const [value = ''] = values;
  return (
    (await decidedPage(ask, context, values, comparisonsFor)) ??
    (await pageDecidedByErrors(ask, value, failuresFor(value)))
  );
}

/** An identifier or a name in a request that writes says which entry is changed: a condition behind it would choose others. */
export const namesWhatIsChanged = ({ isStored, namesEntry, parameter, sample }: NamedInput): boolean =>
  namesEntry === true ||
  (isStored === true && (isIdentifier(sample) || (sample !== '' && accountNames.test(parameter))));

type NamedInput = Pick<OpenedInput, 'isStored' | 'namesEntry' | 'parameter' | 'sample'>;

/** Fields by which accounts and pages are found, where they have a value already. */
const accountNames = /^(?:user_?name|login|user|account|slug|handle)$/i;

/**
 * Whether the value stands in a statement of SQL, which is the text of no other interpreter as well: a database says so of what cannot
 * be parsed, or a comparison in SQL decides what the page shows.
 * @throws ProbeError
 */
export async function isInSql(context: CheckContext, input: OpenedInput): Promise<boolean> {
  if (!(await showsUnparsable(context, input))) return false;
  const { text } = await askerOf(context, input)(givenValue(input) + odd);
  return sqlErrorIn(text) !== undefined || (await sqlDecisionAt(context, input)) !== undefined;
}
