import { inQuotes } from './code-payloads.ts';
import type { Delaying } from './delays.ts';

/** A call that waits: alone, behind the end of a text with what follows made a comment, and between two texts. */
type WaitingCall = {
  name: string;
  word: string;
  write(word: string, seconds: string): { plain: string; quoted?: string; between: string };
};

const statements = (call: string) => ({ plain: `${call};#`, quoted: `;${call};#` });
const time = '__import__(str().join(map(chr,[116,105,109,101])))';

/** Functions of which no database has one of the same name. */
const languages: readonly WaitingCall[] = [
  {
    name: 'PHP',
    word: 'usleep',
    write: (word, n) => ({ ...statements(`${word}(${n}*1000000)`), between: `.${word}(${n}*1000000).` }),
  },
  {
    name: 'Python',
    word: 'sleep',
    write: (word, n) => ({
      plain: `${time}.${word}(${n})#`,
      quoted: `+str(${time}.${word}(${n}))#`,
      between: `+str(${time}.${word}(${n}))+`,
    }),
  },
  {
    name: 'JavaScript',
    word: 'wait',
    write: (word, n) => {
      const wait = `Atomics.${word}(new Int32Array(new SharedArrayBuffer(4)),0,0,${n}*1000)`;
      return { plain: `${wait}//`, quoted: `+${wait}//`, between: `+${wait}+` };
    },
  },
  {
    name: 'Ruby',
    word: 'sleep',
    write: (word, n) => ({ ...statements(`Kernel.${word}(${n})`), between: `+Kernel.${word}(${n}).to_s+` }),
  },
  {
    name: 'Perl',
    word: 'select',
    write: (word, n) => ({
      ...statements(`${word}(undef,undef,undef,${n})`),
      between: `.${word}(undef,undef,undef,${n}).`,
    }),
  },
  ...[
    ['SpEL', 'T(java.lang.Thread).'],
    ['OGNL', '@java.lang.Thread@'],
  ].map(
    ([name, thread]): WaitingCall => ({
      name: `Java (${name})`,
      word: 'sleep',
      // An expression has no comments, and goes on behind the value.
      write: (word, n) => ({ plain: `${thread}${word}(${n}*1000)`, between: `+${thread}${word}(${n}*1000)+` }),
    }),
  ),
];

/** Code whose result nobody sees, for each language and each way of standing in its text. */
export function delayingCode(sample: string): Delaying[] {
  const first = languages.flatMap(({ name, word, write }) => {
    const delayed = (where: string, sent: (parts: ReturnType<WaitingCall['write']>) => string): Delaying => ({
      where: `code of ${name}${where}`,
      value: (seconds) => sent(write(word, seconds)),
      broken: (seconds) => sent(write(`${word}q`, seconds)),
    });
    const all = ({ plain, quoted }: ReturnType<WaitingCall['write']>) =>
      quoted === undefined ? plain : inQuotes(plain, quoted);
    // A number stands in no quotes, and filters of numbers refuse them.
    const alone = /^\d+$/.test(sample) ? [delayed(', without quotes', ({ plain }) => plain)] : [];
    const texts = (
      [
        ["'", 'single'],
        ['"', 'double'],
      ] as const
    ).map(([quote, called]) => ({
      ...delayed(`, a text in ${called} quotes that goes on`, ({ between }) => quote + between + quote),
      brokenBy: quote,
    }));
    return [delayed('', all), ...alone, ...texts];
  });
  return first.toSorted((a, b) => Number(a.brokenBy !== undefined) - Number(b.brokenBy !== undefined));
}
