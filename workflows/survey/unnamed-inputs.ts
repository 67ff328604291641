import { isFinal, ProbeError } from '../model/probe-error.ts';
import type { InputSurface, PageSurface } from '../model/surface.ts';
import { readAddress } from '../probe/gate/urls.ts';
import { partRoute } from '../probe/program-parts.ts';
import { normaliseRoute } from '../probe/routes.ts';
import { graphQlPath } from './graphql-requests.ts';
import { leadSource } from './lead.ts';
import type { Tally } from './left-out.ts';
import { echoed, type Guess, isOther, type NameTrial, tryNames } from './name-trials.ts';
import type { SendRequest } from './origins.ts';
import { likenessOf } from './page-shape.ts';
import { isAnsweredAlike, isOwnProgram } from './same-program.ts';

const parameters =
  `id ids uid user userid user_id username name email account q query s search keyword term filter page p
  start limit sort order by dir from to date year type category cat tag section view tab mode format output lang locale file filename
  path folder document doc template tpl theme include module option config url uri link src source dest redirect
  redirect_to return return_to returnUrl next continue callback host domain ip port data text title message msg error content
  comment value val v item product code ref debug test dev trace verbose preview draft admin role show key x`.split(
    /\s+/,
  );

/** Logs, statistics and "where you came from" are made of these. */
export const readHeaders = ['User-Agent', 'Referer', 'X-Forwarded-For', 'X-Real-IP', 'Accept-Language'].map(
  (name): Guess => ({ in: 'header', name }),
);

const allGuesses: readonly Guess[] = [...parameters.map((name): Guess => ({ in: 'query', name })), ...readHeaders];

/** Of names in one request: addresses of more parts are nobody's. */
const atOnce = 45;
/** Pages that are asked with all names. */
export const mostPages = { standard: 6, deep: 25 } as const;
/** Pages that were found to take the same name, which stand for others that are built like them, and for all others of the site. */
export const enough = { alike: 3, any: 6 } as const;
/** Pages that share so much of how they are built are made by the same code. */
const likeness = 0.85;
/** Names that one page is found to take; more of them are no names of its own. */
const maxNames = 8;

/**
 * Parameters and headers that pages take though nothing says so, found by difference: many are sent in one request, and halved
 * where the page shows one of them, or becomes another one than with names that nobody has. One page of each route is asked.
 * @throws ProbeError `canceled`
 */
export async function unnamedInputs(
  send: SendRequest,
  pages: readonly PageSurface[],
  { depth, tally, known }: { depth: keyof typeof mostPages; tally: Tally; known: readonly InputSurface[] },
): Promise<InputSurface[]> {
  const candidates = programsOf(pages);
  const namesOf = Map.groupBy(known, ({ url }) => partRoute(url));
  const found: InputSurface[] = [];
  const likely = new Set<string>();
  const speakers = new Map<string, PageSurface[]>();
  const timesOf = new Map<string, number>();
  const isUntold = ({ in: place, name }: Guess) => place === 'query' || (timesOf.get(name) ?? 0) < enough.any;
  const [left, alike]: [string[], string[]] = [[], []];
  let isSpent = false;
  for (const [index, page] of candidates.entries()) {
    const { url } = page;
    if (isSpent || index >= mostPages[depth]) {
      left.push(url);
      continue;
    }
    try {
      const named = (namesOf.get(partRoute(url)) ?? []).map(({ parameter }) => parameter);
      // What reads a header of so many pages reads it in front of all of them.
      const guesses = isOwnProgram(url) ? allGuesses : allGuesses.filter(isUntold);
      if (guesses.length < allGuesses.length) alike.push(url);
      const taken = await takenBy(send, url, guesses, { named, likely, onRepeatedNames: () => noteNames(page) });
      for (const input of taken) {
        likely.add(input.parameter);
        if (input.in === 'header') timesOf.set(input.parameter, (timesOf.get(input.parameter) ?? 0) + 1);
        const speaking = speakers.get(nameOf(input)) ?? [];
        if (isSpokenFor(page, speaking) || (await isAnsweredAlike(send, input, [...known, ...found]))) alike.push(url);
        else {
          found.push(input);
          speakers.set(nameOf(input), [...speaking, page]);
        }
      }
    } catch (error) {
      if (!(error instanceof ProbeError) || error.code === 'canceled') throw error;
      isSpent = isFinal(error);
      left.push(url);
    }
  }
  if (left[0] !== undefined) tally.addWord('unnamed', left[0], left.length);
  if (alike[0] !== undefined) tally.addWord('alike', alike[0], alike.length);
  return found;
}

/** What makes a page of names shows a name of ours, too. */
export function noteNames(page: PageSurface): void {
  page.repeatsNames = true;
}

const nameOf = ({ in: place, parameter }: InputSurface): string => `${place} ${parameter}`;

/** What reads a name on so many pages that nothing sends it to reads it in front of all of them. */
function isSpokenFor({ url, shape }: PageSurface, speaking: readonly PageSurface[]): boolean {
  if (isOwnProgram(url)) return false;
  const isAlike = (other: PageSurface) =>
    shape !== undefined && other.shape !== undefined && likenessOf(shape, other.shape) >= likeness;
  return speaking.length >= enough.any || speaking.filter(isAlike).length >= enough.alike;
}

/** One page of each route. */
export const programsOf = (pages: readonly PageSurface[]): PageSurface[] =>
  [...Map.groupBy(pages.filter(isProgram), ({ url }) => normaliseRoute(url)).values()].flatMap((same) =>
    same.slice(0, 1),
  );

/** What may make something when it is opened is not opened again; what has a usual place is made for programs. */
export const isProgram = ({ url, status, contentType, source }: PageSurface): boolean =>
  status < 400 &&
  /html|json|xml/.test(contentType) &&
  source !== leadSource.wellKnown &&
  source !== leadSource.usualPlace &&
  // What GraphQL takes it describes itself.
  !graphQlPath.test(new URL(url).pathname) &&
  readAddress(url).making === undefined;

type KnownNames = {
  /** Those that pages send there. */
  named: readonly string[];
  /** Those that other pages take: programs of one site often read the same ones. */
  likely: ReadonlySet<string>;
  /** Called where the page shows names that nobody has. */
  onRepeatedNames?: () => void;
};

/** Which of some names a page takes. @throws ProbeError */
export async function takenBy(
  send: SendRequest,
  url: string,
  guesses: readonly Guess[],
  { named, likely, onRepeatedNames }: KnownNames,
): Promise<InputSurface[]> {
  const known = new Set([...new URL(url).searchParams.keys(), ...named]);
  const ask = (tried: readonly Guess[]) => tryNames(send, url, tried);
  const usual = await ask([]);
  if ([...usual.sent.keys()].some(({ name }) => usual.text.includes(name))) onRepeatedNames?.();
  const names = guesses.filter(({ in: place, name }) => (place === 'query' ? !known.has(name) : !usual.isKept));
  const taken: Guess[] = [];
  let isSteady = true;
  for (let start = 0; start < names.length; start += atOnce) {
    const some = names.slice(start, start + atOnce);
    const all = await ask(some);
    const repeated = echoed(all);
    // A page that repeats whatever is asked for, always or for one of the names, takes no name by that.
    const repeatsAny = echoed(usual).length > 0 || repeated.some((guess) => !some.includes(guess));
    const shown = repeatsAny ? [] : repeated;
    const rest = some.filter((guess) => !shown.includes(guess));
    const other = shown.length > 0 ? await ask(rest) : all;
    const differing: Guess[] | undefined =
      isSteady && isOther(usual, other) ? await thoseThatDiffer(ask, rest, likely) : [];
    isSteady &&= differing !== undefined;
    taken.push(...shown, ...(differing ?? []));
  }
  return taken.length > maxNames ? [] : taken.map((guess) => inputOf(url, guess));
}

/**
 * The name that makes another page of it; of a header, which is often read by what stands in front of all pages, also the others that
 * do so without it.
 * @returns undefined for a page that is another one each time
 */
async function thoseThatDiffer(
  ask: (tried: readonly Guess[]) => Promise<NameTrial>,
  names: readonly Guess[],
  likely: ReadonlySet<string>,
): Promise<Guess[] | undefined> {
  const found: Guess[] = [];
  let left = names;
  for (;;) {
    const next = await oneThatDiffers(ask, left, likely);
    found.push(...(next ?? []));
    if (next?.[0]?.in !== 'header') return next || found.length > 0 ? found : undefined;
    left = names.filter((name) => name.in === 'header' && !found.includes(name));
    if (left.length === 0 || !isOther(await ask([]), await ask(left))) return found;
  }
}

/**
 * The name that makes another page of it, alone. One is enough: what follows it may never be reached.
 * @returns undefined for a page that changes with each request, which gives no evidence
 */
async function oneThatDiffers(
  ask: (tried: readonly Guess[]) => Promise<NameTrial>,
  names: readonly Guess[],
  likely: ReadonlySet<string>,
): Promise<Guess[] | undefined> {
  const usual = await ask([]);
  const makesOther = async (tried: readonly Guess[]) => isOther(usual, await ask(tried));
  if (await makesOther([])) return undefined;
  for (const name of names.filter(({ name }) => likely.has(name))) if (await makesOther([name])) return [name];
  let some = names;
  while (some.length > 1) {
    const [first, second] = halvesOf(some);
    some = (await makesOther(first)) ? first : second;
  }
  return some.length === 1 && (await makesOther(some)) && !(await makesOther([])) ? [...some] : [];
}

function halvesOf<T>(items: readonly T[]): [T[], T[]] {
  const middle = Math.ceil(items.length / 2);
  return [items.slice(0, middle), items.slice(middle)];
}

function inputOf(url: string, { in: place, name }: Guess): InputSurface {
  const others = [...new URL(url).searchParams].map(([other, value]) => ({ name: other, value }));
  const route = normaliseRoute(url);
  return { method: 'GET', url, route, parameter: name, in: place, sample: '', others: place === 'query' ? others : [] };
}
