import { cookieInputs } from '../checks/inputs/cookie-inputs.ts';
import { inputAction } from '../checks/inputs/input-request.ts';
import { isDeletion, parseSetCookie } from '../checks/sessions/set-cookie.ts';
import type { Exchange, HeaderList, HttpProbe } from '../model/http.ts';
import type { Identity } from '../model/identity.ts';
import { ProbeError } from '../model/probe-error.ts';
import type { InputSurface, Surface } from '../model/surface.ts';
import { putCookies } from '../probe/http/cookies.ts';

/** What became of a cookie's neutral value: the account keeps it, keeps it and has its own again, or knows nothing of it. */
export type CookieVerdict = 'kept' | 'put-back' | 'not-kept';

/** A cookie that is sent once with a neutral value in a session. */
export type CookieTrial = { name: string; url: string; headers: HeaderList };

type ObserveCookies = {
  surface: Surface;
  identity: Identity;
  http: HttpProbe;
  nonce(): string;
  /** Called before the value is sent, and again once it is known what became of it. */
  record(trial: CookieTrial, verdict?: CookieVerdict): Promise<void>;
};

/** Sites have few, and what a page counts visits with is none. */
const maxCookies = 12;
const timeoutMs = 8_000;

/**
 * Sends each cookie that is an input once with a neutral value, and asks for the same page without that cookie: applications keep in the
 * account what browsers send them of folded menus and widths, and give it to the next browser.
 * @returns a verdict for each name that was tried, while the budget lasts
 */
export async function observeCookies(tools: ObserveCookies): Promise<Map<string, CookieVerdict>> {
  const { surface } = tools;
  const inputs = [...surface.inputs.filter(({ in: place }) => place === 'cookie'), ...cookieInputs(surface)];
  const byName = new Map(inputs.toReversed().map((input) => [input.parameter, input]));
  const verdicts = new Map<string, CookieVerdict>();
  for (const [name, input] of [...byName].slice(0, maxCookies)) {
    try {
      const verdict = await observeOne(tools, input);
      if (verdict !== undefined) verdicts.set(name, verdict);
    } catch (error) {
      if (!(error instanceof ProbeError) || error.code !== 'budget_exhausted') throw error;
      break;
    }
  }
  return verdicts;
}

/** @returns undefined when its page gives no answer, so that nothing was sent */
async function observeOne(tools: ObserveCookies, input: InputSurface): Promise<CookieVerdict | undefined> {
  const { parameter: name } = input;
  const url = input.page?.url ?? input.url;
  const before = await askWith(tools, { name, url, headers: [] });
  if (!before) return undefined;
  const word = tools.nonce();
  const trial = { name, url, headers: cookieHeader(input, word) };
  await tools.record(trial);
  await askWith(tools, trial);
  const verdict = await verdictOn(tools, { trial, word, before: givenBy(before, name), input });
  await tools.record(trial, verdict);
  return verdict;
}

type SentCookie = { trial: CookieTrial; word: string; before: string | undefined; input: InputSurface };

async function verdictOn(tools: ObserveCookies, { trial, word, before, input }: SentCookie): Promise<CookieVerdict> {
  const { name, url } = trial;
  const isShown = async () => {
    const answer = await askWith(tools, { name, url, headers: [] });
    return answer === undefined || shows(answer, word);
  };
  if (!(await isShown())) return 'not-kept';
  const own: HeaderList = before === undefined ? cookieHeader(input, input.sample) : [['Cookie', `${name}=${before}`]];
  await askWith(tools, { name, url, headers: own });
  return (await isShown()) ? 'kept' : 'put-back';
}

const cookieHeader = (input: InputSurface, value: string): HeaderList =>
  (inputAction(input, value).headers ?? []).filter(([field]) => field.toLowerCase() === 'cookie');

/** The value that an answer gives to whoever has none; one that it takes away is empty in the account. */
function givenBy({ headers }: Exchange, name: string): string | undefined {
  const given = setCookiesOf(headers)
    .map(parseSetCookie)
    .find((cookie) => cookie?.name === name);
  return given && isDeletion(given, new Date()) ? '' : given?.value;
}

const shows = ({ text, headers }: Exchange, word: string): boolean =>
  text.includes(word) || setCookiesOf(headers).some((line) => line.includes(word));

const setCookiesOf = (headers: HeaderList): string[] =>
  headers.flatMap(([field, line]) => (field.toLowerCase() === 'set-cookie' ? [line] : []));

/** Asks with the session, in which this cookie has the value of the headers, or is none. What the answer sets of others, the session keeps. */
async function askWith(
  { identity, http }: ObserveCookies,
  { name, url, headers }: CookieTrial,
): Promise<Exchange | undefined> {
  const jar = http.newJar();
  putCookies(
    jar,
    identity.jar.all().filter((cookie) => cookie.name !== name),
  );
  try {
    const own: HeaderList = [...identity.headers, ...headers, ['Cache-Control', 'no-cache']];
    const answer = await http.send({ url, jar, headers: own, timeoutMs, fresh: true });
    const others = setCookiesOf(answer.headers).filter((line) => parseSetCookie(line)?.name !== name);
    identity.jar.store(url, others);
    return answer;
  } catch (error) {
    if (!(error instanceof ProbeError) || error.code === 'canceled' || error.code === 'budget_exhausted') throw error;
    return undefined;
  }
}
