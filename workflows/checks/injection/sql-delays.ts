import type { InputSurface } from '../../model/surface.ts';
import type { Delaying } from './delays.ts';
import { ordersBy } from './sql-orders.ts';

/** Of what is calculated the time depends on what else the machine does meanwhile: that it grows in step with the turns shows the cause. */
const calculated = 0.5;

/** How an engine waits: in a number that is nothing, which stands in a condition, or in a statement of its own. */
type Engine = {
  name: string;
  word: string;
  write(word: string, seconds: string, turns: number): string;
  isStatement?: true;
  /** It has no function that waits, and counts instead. */
  isPaced?: true;
  /** It evaluates no condition behind one that is false, and what is calculated with a text as soon as it reads a row. */
  isStored?: true;
};

const engines: readonly Engine[] = [
  {
    name: 'MySQL or MariaDB',
    word: 'SLEEP',
    // A table of its own is made once, however many rows there are.
    write: (sleep, n) => `(SELECT 0 FROM (SELECT ${sleep}(${n}))zq)`,
  },
  { name: 'PostgreSQL', word: 'PG_SLEEP', write: (sleep, n) => `(SELECT 0 FROM ${sleep}(${n}))` },
  {
    name: 'SQL Server',
    word: 'WAITFOR',
    write: (wait, n) => `DECLARE @zq DATETIME SET @zq=DATEADD(ss,${n},0) ${wait} DELAY @zq`,
    isStatement: true,
  },
  {
    name: 'Oracle',
    word: 'RECEIVE_MESSAGE',
    write: (receive, n) => `(SELECT COUNT(*) FROM DUAL WHERE DBMS_PIPE.${receive}(CHR(97),${n})=2)`,
  },
  {
    name: 'SQLite',
    word: 'COUNT',
    // Rows are counted as they are made, and none is kept. No other engine knows GLOB: H2 would keep all rows, which fill its memory.
    write: (count, n, turns) =>
      `(WITH RECURSIVE zq(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM zq LIMIT ${turns}*${n}*(1 GLOB 1)) SELECT ${count}(*)<0 FROM zq)`,
    isPaced: true,
  },
  {
    name: 'H2',
    word: 'SYSTEM_RANGE',
    // Rows are made one by one, several times as quick as elsewhere, and none fulfils the condition. No other engine has such a table.
    write: (range, n, turns) => `(SELECT COUNT(*) FROM ${range}(1,${4 * turns}*${n}) WHERE MOD(X,7)=8)`,
    isPaced: true,
    isStored: true,
  },
];

/** What follows is a comment: in some engines only behind a space, which some programs take off an end. */
const comment = '-- z';

/**
 * Ways in which a value may stand in a statement that reads, with a delay behind it. One value serves for a number, or a name, and for
 * texts in both kinds of quotes. Conditions are only ever narrowed.
 */
export const sqlDelaysFor = (input: InputSurface): Delaying[] =>
  engines
    .filter(({ isStored }) => !isStored)
    .flatMap((engine) =>
      engine.isStatement
        ? ['', ')'].map((close) => statement(engine, input, close))
        : engine.isPaced
          ? [
              {
                ...condition(engine, input),
                paced: (turns) => ({ ...condition(engine, input, turns), tolerance: calculated }),
              },
            ]
          : [condition(engine, input)],
    );

/**
 * The same for a text that is stored, where a condition would be no value: a number is taken from a text of digits in its place. As a
 * condition it would be true for no row: nothing is called by such a number.
 */
export const sqlDelaysStored = (): Delaying[] =>
  engines
    .filter(({ isStatement }) => !isStatement)
    .map((engine) => {
      const difference = (turns = 1): Delaying =>
        delayingBy(
          `a text that a statement of ${engine.name} stores`,
          engine.word,
          (word, n) => `${storedNumber}'-${engine.write(word, n, turns)}-'0`,
        );
      const paced = (turns: number): Delaying => ({ ...difference(turns), tolerance: calculated });
      return engine.isPaced ? { ...difference(), paced } : difference();
    });

const storedNumber = '730145286';

/** Ends what it stands in, so that it has to close its parenthesis; what follows is a comment. */
function statement({ name, word, write }: Engine, { sample }: InputSurface, close: string): Delaying {
  const ways = (delay: string): string =>
    (sample || '1') + ['', "'", '"'].map((quote) => `${quote}${close};${delay}${comment}`).join('');
  return delayingBy(`a statement of ${name}${close === '' ? '' : ', in parentheses'}`, word, (sleep, n) =>
    ways(write(sleep, n, 1)),
  );
}

/** Ends nothing but a text: what follows in the statement is left as it is, parentheses included. */
function condition({ name, word, write }: Engine, { sample, parameter }: InputSurface, turns = 1): Delaying {
  const value = sample || '1';
  const isNumber = /^-?\d{1,15}(?:\.\d{1,6})?$/.test(value);
  const ways = (delay: string): string => {
    const plain = isNumber ? `-${delay}` : ordersBy(parameter, value) ? `,${delay}` : ` AND ${delay}=0`;
    // Each way sees the others as a comment or as a text that it compares; the statement's own quote ends the last one.
    return `${value}${plain}/*' AND ${delay}=0 AND ''<'" AND ${delay}=0 AND ""<"*/`;
  };
  return delayingBy(`a statement of ${name}`, word, (sleep, n) => ways(write(sleep, n, turns)));
}

const delayingBy = (where: string, word: string, write: (word: string, seconds: string) => string): Delaying => ({
  where,
  value: (seconds) => write(word, seconds),
  broken: (seconds) => write(`${word}Q`, seconds),
});
