import type { LoginRecipe } from '../../model/login-recipe.ts';
import { shellWord } from '../shell.ts';
import type { SessionState } from '../trial.ts';
import { loginLines } from './login-lines.ts';
import type { Names } from './names.ts';
import type { Reach } from './request-words.ts';
import { type CommandText, comment, type Reference, wordOf } from './text.ts';

/** A session that the reader's shell has. */
export type ShellSession = {
  /** Words of a curl command that send it. */
  words: readonly string[];
  /** The same, which also keep the cookies that answers set. */
  keeping: readonly string[];
  /** A command that prints a cookie, or all as a header has them; the readable ones are those that script can read too. */
  printCookie(name?: string, isReadable?: boolean): string;
  /** The secret in a header, by its place in the session's headers. */
  header(index: number): Reference | undefined;
};

export type SessionTools = { names: Names; reach(url: string): Reach };

/** A session in the making: whose, and what it is sent with. */
type SessionOpening = { identity: string; session: SessionState; recipe: LoginRecipe | undefined };

/** Cookies that a browser has before it logs in. */
export type Planted = { url: string; cookies: readonly (readonly [name: string, value: CommandText])[] };

/** A value of this length in the address of a later form was made for one login alone. */
const minTokenLength = 12;

/** Whether a reader can make such a session with a user name and a password. */
const hasSteps = (recipe: LoginRecipe | undefined): recipe is LoginRecipe =>
  recipe !== undefined &&
  recipe.steps.length > 0 &&
  recipe.kind !== 'browser' &&
  recipe.steps
    .slice(1)
    .every(({ url }) => [...new URL(url).searchParams.values()].every(({ length }) => length < minTokenLength));

/** A session for the shell, and the lines that give it to the reader. */
export type OpenedSession = {
  session: ShellSession;
  lines(planted?: Planted, isShown?: boolean): string[];
  /** Variable of the file that holds its cookies. */
  jar?: string;
};

export const openShellSession = (opening: SessionOpening, tools: SessionTools): OpenedSession =>
  hasSteps(opening.recipe) ? loggedIn(opening, opening.recipe, tools) : givenSession(opening, tools.names);

function loggedIn({ identity, session }: SessionOpening, recipe: LoginRecipe, tools: SessionTools): OpenedSession {
  const hasCookies = session.cookies.length > 0;
  const jar = hasCookies ? tools.names('JAR', identity) : '';
  const keeping = hasCookies ? ['-b', `"$${jar}"`, '-c', `"$${jar}"`] : [];
  const { lines, shown = lines, token } = loginLines(recipe, { ...tools, identity, jarWords: keeping });
  const headers = recipe.sends.headers.map(
    ({ name, prefix }): CommandText => [`${name}: ${prefix}`, ...(token ? [token] : [])],
  );
  const headerWords = headers.flatMap((header) => ['-H', wordOf(header)]);
  return {
    ...(hasCookies ? { jar } : {}),
    lines: (planted, isShown) => [
      comment(`Log in as ${identity}.`),
      ...(hasCookies ? [`${jar}=$(mktemp)`] : []),
      ...(planted ? [plantLine(planted, jar)] : []),
      ...(isShown ? shown : lines),
    ],
    session: {
      words: [...(hasCookies ? ['-b', `"$${jar}"`] : []), ...headerWords],
      keeping: [...keeping, ...headerWords],
      printCookie: (name, isReadable) => printFromJar(jar, name, isReadable),
      header: () => token,
    },
  };
}

/** A line of curl's jar for each cookie, for the whole host. Source: https://curl.se/docs/http-cookies.html */
function plantLine({ url, cookies }: Planted, jar: string): string {
  const line = `${new URL(url).hostname}\\tFALSE\\t/\\tFALSE\\t0\\t%s\\t%s\\n`;
  const words = cookies.flatMap(([name, value]) => [shellWord(name), wordOf(value)]);
  return `printf ${shellWord(line)} ${words.join(' ')} > "$${jar}"`;
}

/** Lines of the jar have seven fields; those of cookies that script cannot read begin with "#HttpOnly_". */
function printFromJar(jar: string, name: string | undefined, isReadable = false): string {
  const readable = isReadable ? '!/^#HttpOnly_/ && ' : '';
  const program =
    name === undefined
      ? `${readable}NF == 7 { printf "%s%s=%s", s, $6, $7; s = "; " }`
      : `${readable}$6 == ${JSON.stringify(name)} { print $7 }`;
  return `awk -F'\\t' ${shellWord(program)} "$${jar}"`;
}

/** The session was given to the scan as it is, so that the reader has to put in one. */
function givenSession({ identity, session }: SessionOpening, names: Names): OpenedSession {
  const lines: string[] = [];
  const put = (name: string, scheme: string, variable: string): Reference => {
    const what = scheme === '' ? 'what' : 'the token that';
    lines.push(comment(`Set ${variable} to ${what} a session of ${identity} sends as ${name}.`));
    return { variable };
  };
  const headers = session.headers.map(([name, value]) => {
    const [, scheme = ''] = /^([A-Za-z]+ )\S/.exec(value) ?? [];
    const reference = put(name, scheme, names(scheme === '' ? name : 'TOKEN', identity));
    return { reference, words: ['-H', wordOf([`${name}: ${scheme}`, reference])] };
  });
  const cookie = session.cookies.length > 0 ? put('Cookie', '', names('COOKIE', identity)) : undefined;
  const words = [...headers.flatMap((header) => header.words), ...(cookie ? ['-H', wordOf(['Cookie: ', cookie])] : [])];
  return {
    lines: () => lines,
    session: {
      words,
      keeping: words,
      printCookie: (name) => printFromHeader(cookie ? wordOf([cookie]) : "''", name),
      header: (index) => headers[index]?.reference,
    },
  };
}

function printFromHeader(header: string, name: string | undefined): string {
  const print = `printf '%s\\n' ${header}`;
  if (name === undefined) return print;
  const literal = name.replace(/[\\.^$*+?(){|[/]/g, '\\$&');
  return `${print} | sed -nE ${shellWord(`s/(.*; *)?${literal}=([^;]*).*/\\2/p`)}`;
}
