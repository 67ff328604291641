import { ProbeError } from '../../model/probe-error.ts';
import { bareName } from '../../probe/dns/names.ts';
import { inParallel } from '../inputs/parallel.ts';
import { isAnswered, recordsOf } from '../names/dns-records.ts';
import { type MissingTarget, missingTarget } from '../names/missing-targets.ts';
import { type SpfNode, type SpfTerm, type SpfTools, spfTerms } from './spf.ts';

/** A word of a record by which receivers ask for a name that has nothing. */
export type SpfVoid = {
  /** Name of the record that has the word. */
  owner: string;
  word: string;
  target: string;
  /** What was asked; `hasAnswers` when an alias was all that came. */
  questions: { type: string; hasAnswers: boolean }[];
  missing?: MissingTarget;
};

/** A receiver asks for one of A and AAAA, by the address of the sender: only names without either are void to all. */
const questionsOf: Record<string, string[]> = { a: ['A', 'AAAA'], mx: ['MX'], exists: ['A'] };
/** A receiver makes 10 lookups and comes to none of those behind them. Source: RFC 7208 §4.6.4. */
const maxTerms = 20;
const width = 4;

/**
 * The words of these records that lead to nothing, in the order in which a receiver comes to them, each name once. Names with macros
 * depend on the sender, and a name whose servers fail is not void. Source: RFC 7208 §4.6.4.
 */
export async function spfVoids(context: SpfTools, tree: readonly SpfNode[]): Promise<SpfVoid[]> {
  const asked = new Map<string, { owner: string; term: SpfTerm; target: string }>();
  for (const { name: owner, record } of tree)
    for (const term of spfTerms(record)) {
      const target = bareName(term.value.split('/')[0] || owner);
      const key = `${term.name} ${target}`;
      if (questionsOf[term.name] && !term.value.includes('%') && !asked.has(key))
        asked.set(key, { owner, term, target });
    }
  const looked = await inParallel([...asked.values()].slice(0, maxTerms), width, ({ owner, term, target }) =>
    voidAt(context, owner, term, target),
  );
  return looked.flatMap((one) => one ?? []);
}

async function voidAt(
  { dns, leave }: SpfTools,
  owner: string,
  term: SpfTerm,
  target: string,
): Promise<SpfVoid | undefined> {
  const questions: SpfVoid['questions'] = [];
  let isMissing = false;
  for (const type of questionsOf[term.name] ?? []) {
    const reply = await dns.query(target, type).catch(unanswered);
    if (!reply || !isAnswered(reply)) {
      const text = `whether ${target}, which an SPF record names, has ${type} records could not be asked for`;
      leave({ code: 'unreachable', count: 1, text });
      return undefined;
    }
    if (recordsOf(reply, type).length > 0) return undefined;
    isMissing = reply.rcode === 'NXDOMAIN';
    questions.push({ type, hasAnswers: reply.answers.length > 0 });
  }
  const missing = isMissing ? await missingTarget(dns, target) : undefined;
  return { owner, word: term.text, target, questions, ...(missing && { missing }) };
}

function unanswered(error: unknown): undefined {
  if (error instanceof ProbeError && (error.code === 'dns_failed' || error.code === 'timeout')) return undefined;
  throw error;
}
