import type { CheckContext } from '../contract.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { answerKnown, once } from './asked-once.ts';
import { isBrokenByOne } from './breaking-signs.ts';
import { calculatingIn } from './command-payloads.ts';
import { computedBy } from './computed-result.ts';
import { mayBeInShell, staysData } from './data-only.ts';
import { codeAt, languageOf } from './evaluated-code.ts';
import { askerOf } from './sql-decision.ts';
import { sqlErrorIn } from './sql-errors.ts';
import { sqlDecisionAt } from './sql-place.ts';
import { givenValue, odd, showsUnparsable } from './unparsable.ts';
import { saysXmlError } from './xml-documents.ts';

/** What a value was seen to become a part of the text of. */
type Interpreter = 'sql' | 'xml' | 'shell' | 'code';

/** What a shell does not run a command line with; filters that take out each of them leave nothing to run a command by. */
const endless = ["'", '"', '$(', '|', '&&'] as const;

/** Whether a command line is broken by signs of a shell, as far as the page shows it. @throws ProbeError */
export const mayBeCommand = async (context: CheckContext, input: OpenedInput): Promise<boolean> =>
  (await showsUnparsable(context, input)) &&
  (await isBrokenByOne(context, input, endless)) &&
  (await mayBeInShell(context, input));

/** The commonest command whose result the page shows; sent once to an input. @throws ProbeError */
export const commandAt = once('runs a command', async (context, input) =>
  (await mayBeCommand(context, input))
    ? computedBy(context, input, calculatingIn(givenValue(input)).slice(0, 1))
    : undefined,
);

const question = 'interpreted by';

/** Decided once for an input, by what takes the fewest requests first. */
const interpreterOf = once(question, async (context, input): Promise<Interpreter | undefined> => {
  if ((await staysData(context, input)) || !(await showsUnparsable(context, input))) return undefined;
  const ask = askerOf(context, input);
  const [own, broken] = [await ask(givenValue(input)), await ask(givenValue(input) + odd)];
  if (sqlErrorIn(broken.text) !== undefined) return 'sql';
  if (saysXmlError(broken.text) && !saysXmlError(own.text)) return 'xml';
  if (await commandAt(context, input)) return 'shell';
  const isCode = async () => (await codeAt(context, input)) && 'code';
  const isSql = async () => (await sqlDecisionAt(context, input)) && 'sql';
  // Code of all languages takes more requests than a statement does.
  const [first, second] = (await languageOf(context)) === undefined ? [isSql, isCode] : [isCode, isSql];
  return (await first()) ?? (await second());
});

/**
 * Whether the value was seen to stand in the text of another interpreter: it is not the text of this one as well.
 * @param own what it may stand in all the same
 * @throws ProbeError
 */
export async function isOfAnother(
  context: CheckContext,
  input: OpenedInput,
  own: readonly Interpreter[] = [],
): Promise<boolean> {
  const found = await interpreterOf(context, input);
  return found !== undefined && !own.includes(found);
}

/**
 * The same for a look that takes fewer requests than the question: it goes by what other checks have found out, and by SQL alone where
 * none has asked.
 * @throws ProbeError
 */
export async function isKnownOfAnother(
  context: CheckContext,
  input: OpenedInput,
  own: readonly Interpreter[] = [],
): Promise<boolean> {
  const found = await answerKnown<Interpreter | undefined>(context, input, question);
  return found === undefined ? isInSql(context, input) : !own.includes(found);
}

/** A database says so of what cannot be parsed, or a comparison in SQL decides what the page shows. */
async function isInSql(context: CheckContext, input: OpenedInput): Promise<boolean> {
  if (!(await showsUnparsable(context, input))) return false;
  const { text } = await askerOf(context, input)(givenValue(input) + odd);
  return sqlErrorIn(text) !== undefined || (await sqlDecisionAt(context, input)) !== undefined;
}
