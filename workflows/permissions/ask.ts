import { inParallel } from '../checks/inputs/parallel.ts';
import type { Identities } from '../login/identities.ts';
import type { HttpProbe } from '../model/http.ts';
import type { Identity } from '../model/identity.ts';
import { ProbeError } from '../model/probe-error.ts';
import type { MatrixAddress } from './addresses.ts';
import { type Answered, answerOf, isSuccess, type MatrixAnswer, type MatrixRow, stableIn } from './answer.ts';

export type AskTools = {
  http: HttpProbe;
  identities: Pick<Identities, 'all' | 'renew'>;
  signal: AbortSignal;
  /** Moment of performance.now() after which no further address is asked for. */
  endMs: number;
};

/** Sessions are looked at after this many addresses: some sites end one that asked for too much. */
const batchSize = 20;
/** Why an address was not asked for any more. */
export const timeIsUp = 'the time for asking was up';
const width = 4;
const timeoutMs = 8_000;
/** Hostile markup takes time that grows with its square. */
const maxBodyBytes = 128 * 1024;

/**
 * Asks for each address without a login and as each identity, with GET and nothing else, redirects not followed.
 * @param names of the identities
 * @returns answers in the order: without a login, then as `names`
 */
export async function askAsEach(
  tools: AskTools,
  addresses: readonly MatrixAddress[],
  names: readonly string[],
): Promise<MatrixRow[]> {
  const rows: MatrixRow[] = [];
  const asking = { ...tools, settled: new Map(names.map((name) => [name, new Set<string>()])) };
  for (let start = 0; start < addresses.length; start += batchSize) {
    const batch = addresses.slice(start, start + batchSize);
    const asked = await inParallel(batch, width, (address) => askAddress(asking, address, names));
    rows.push(...(await withSessionsHeld(asking, asked, names)));
  }
  return rows;
}

/** @property settled by identity, what one of its pages has shown twice */
type Asking = AskTools & { settled: ReadonlyMap<string, Set<string>> };

async function askAddress(tools: Asking, address: MatrixAddress, names: readonly string[]): Promise<MatrixRow> {
  const reason = performance.now() < tools.endMs ? undefined : timeIsUp;
  const untried = address.untried ?? reason;
  if (untried !== undefined) return { address, answers: ['', ...names].map(() => ({ untried })) };
  const first: MatrixAnswer[] = [];
  for (const name of ['', ...names]) first.push(await askOnce(tools, address.url, name));
  const answers = first.slice(0, 1);
  for (const [index, name] of names.entries()) answers.push(await settle(tools, address.url, name, first, index + 1));
  return { address, answers };
}

/** What was asked for in a session that had ended is asked for again, once. */
async function withSessionsHeld(tools: Asking, rows: MatrixRow[], names: readonly string[]): Promise<MatrixRow[]> {
  try {
    const lost = await tools.identities.renew();
    if (lost.length === 0) return rows;
    const again = await inParallel(rows, width, (row) =>
      replaced(row, names, lost, (name) => askAgain(tools, row, name, names.indexOf(name) + 1)),
    );
    const lostAgain = await tools.identities.renew();
    return await Promise.all(again.map((row) => replaced(row, names, lostAgain, ended)));
  } catch (error) {
    tools.signal.throwIfAborted();
    const untried = `whether the sessions were still there could not be seen: ${messageOf(error)}`;
    return Promise.all(rows.map((row) => replaced(row, names, names, async () => ({ untried }))));
  }
}

const ended = async (name: string): Promise<MatrixAnswer> => ({ untried: `the session of ${name} ended meanwhile` });

/** The row with other answers for some of the identities. */
async function replaced(
  row: MatrixRow,
  names: readonly string[],
  whose: readonly string[],
  answer: (name: string) => Promise<MatrixAnswer>,
): Promise<MatrixRow> {
  if (row.address.untried !== undefined) return row;
  const answers = [...row.answers];
  for (const name of whose.filter((each) => names.includes(each)))
    answers[names.indexOf(name) + 1] = await answer(name);
  return { ...row, answers };
}

async function askAgain(tools: Asking, row: MatrixRow, name: string, column: number): Promise<MatrixAnswer> {
  const { url } = row.address;
  const answers = row.answers.with(column, await askOnce(tools, url, name));
  return settle(tools, url, name, answers, column);
}

async function askOnce({ http, identities }: Asking, url: string, name: string): Promise<MatrixAnswer> {
  return unlessFailed(async () => answerOf(await get(http, url, identities.all[name])));
}

/** The answer in a column, without what changes with each load: where nothing else has shown all of it twice, it is asked for again. */
async function settle(
  tools: Asking,
  url: string,
  name: string,
  answers: readonly MatrixAnswer[],
  column: number,
): Promise<MatrixAnswer> {
  const answer = answers[column] ?? { untried: 'it was not asked for' };
  const identity = tools.identities.all[name];
  if (!identity || !isSuccess(answer)) return answer;
  const settled = tools.settled.get(name) ?? new Set();
  const others = answers.filter((other, index) => index !== column && isSuccess(other)) as Answered[];
  const isShared = (text: string): boolean => others.some(({ texts }) => texts.has(text));
  const isSettled = [...answer.texts].every((text) => settled.has(text) || isShared(text));
  return unlessFailed(async () => {
    const stable = isSettled ? answer : stableIn(answer, await get(tools.http, url, identity));
    for (const text of stable.texts) settled.add(text);
    return stable;
  });
}

async function unlessFailed(asked: () => Promise<MatrixAnswer>): Promise<MatrixAnswer> {
  try {
    return await asked();
  } catch (error) {
    if (!(error instanceof ProbeError) || error.code === 'canceled') throw error;
    return { untried: error.message };
  }
}

const get = (http: HttpProbe, url: string, identity: Identity | undefined) =>
  http.get(url, {
    jar: identity?.jar ?? http.newJar(),
    headers: identity?.headers ?? [],
    timeoutMs,
    maxBodyBytes,
  });

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
