import type { Delaying } from './delays.ts';

/** A call that waits: alone, with what follows made a comment where the language has any, and between two texts. */
type WaitingCall = {
  name: string;
  word: string;
  write(word: string, seconds: string): { plain: string; between: string };
  hasComments: boolean;
};

const time = '__import__(str().join(map(chr,[116,105,109,101])))';

/** Functions of which no database has one of the same name. */
const languages: readonly WaitingCall[] = [
  {
    name: 'PHP',
    word: 'usleep',
    write: (word, n) => ({ plain: `${word}(${n}*1000000);#`, between: `.${word}(${n}*1000000).` }),
    hasComments: true,
  },
  {
    name: 'Python',
    word: 'sleep',
    write: (word, n) => ({ plain: `${time}.${word}(${n})#`, between: `+str(${time}.${word}(${n}))+` }),
    hasComments: true,
  },
  {
    name: 'JavaScript',
    word: 'wait',
    write: (word, n) => {
      const wait = `Atomics.${word}(new Int32Array(new SharedArrayBuffer(4)),0,0,${n}*1000)`;
      return { plain: `${wait}//`, between: `+${wait}+` };
    },
    hasComments: true,
  },
  {
    name: 'Ruby',
    word: 'sleep',
    write: (word, n) => ({ plain: `Kernel.${word}(${n});#`, between: `+Kernel.${word}(${n}).to_s+` }),
    hasComments: true,
  },
  {
    name: 'Perl',
    word: 'select',
    write: (word, n) => ({
      plain: `${word}(undef,undef,undef,${n});#`,
      between: `.${word}(undef,undef,undef,${n}).`,
    }),
    hasComments: true,
  },
  ...[
    ['SpEL', 'T(java.lang.Thread).'],
    ['OGNL', '@java.lang.Thread@'],
  ].map(
    ([name, thread]): WaitingCall => ({
      name: `Java (${name})`,
      word: 'sleep',
      write: (word, n) => ({ plain: `${thread}${word}(${n}*1000)`, between: `+${thread}${word}(${n}*1000)+` }),
      hasComments: false,
    }),
  ),
];

const quotes = [
  ["'", 'single'],
  ['"', 'double'],
] as const;

/**
 * Code whose result nobody sees, for each language. One value serves for code without quotes, where a comment hides the rest, and for
 * texts in both kinds of quotes, which go on behind the call; an expression without comments takes one for each.
 */
export function delayingCode(sample: string): Delaying[] {
  const first = languages.flatMap(({ name, word, write, hasComments }) => {
    const delayed = (where: string, sent: (parts: ReturnType<WaitingCall['write']>) => string): Delaying => ({
      where: `code of ${name}${where}`,
      value: (seconds) => sent(write(word, seconds)),
      broken: (seconds) => sent(write(`${word}q`, seconds)),
    });
    const inText = (quote: string, between: string): string => quote + between + quote;
    const plain = delayed(', without quotes', (parts) => parts.plain);
    if (!hasComments) {
      const texts = quotes.map(([quote, called]) => ({
        ...delayed(`, a text in ${called} quotes`, ({ between }) => inText(quote, between)),
        brokenBy: quote,
      }));
      return [plain, ...texts];
    }
    const all = delayed('', (parts) => parts.plain + quotes.map(([quote]) => inText(quote, parts.between)).join(''));
    // A number stands in no quotes, and filters of numbers refuse them.
    return /^\d+$/.test(sample) ? [all, plain] : [all];
  });
  return first.toSorted((a, b) => Number(a.brokenBy !== undefined) - Number(b.brokenBy !== undefined));
}
