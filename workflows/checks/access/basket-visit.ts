import type { CaptureRule, HttpAction, Step } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import type { InputSurface } from '../../model/surface.ts';
import { isLeftOut } from '../../probe/errors.ts';
import { namedPath } from '../../probe/program-parts.ts';
import { fill, newTrialValues, type TrialValues } from '../../proof/template.ts';
import type { CheckContext } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import { inputAction, type OpenedInput } from '../inputs/input-request.ts';
import { capturedFrom, cookiesOf, inputSteps, openInput, requestOfInput } from '../inputs/open-input.ts';
import { cookieHeader, type LoginIdentity } from '../sessions/own-sessions.ts';
import { contextAs } from '../visitors/as-visitor.ts';

/** A basket with one thing in it, as the page puts it there, and the page that shows it. */
export type BasketVisit = {
  /** Whose session it is in: a new one of a test user, or that of a visitor. */
  user: LoginIdentity | undefined;
  /** What else the request takes: the cookies of a visitor and the tokens of its page. */
  opening: OpenedInput['opening'];
  /** Cookies that the answer sets. */
  given: CaptureRule[];
  /** The Cookie header of a visitor who looks at the basket, with references to what was captured. */
  cookies: string;
  shown: { url: string; text: string };
  /** Cookies as they were given in this visit, by name. */
  values: { name: string; value: string }[];
};

const maxPlaces = 4;
const basketPage =
  /\/[^/]*(?:cart|basket|bag|trolley|warenkorb|panier|carrito|carrinho|carrello|winkelwagen)[^/]*\/?$/i;

/** How an item in a basket is described in the ledger. */
const lasting = (place: string) => ({
  description: 'One thing was put into a shopping basket of a session of the audit’s own; nothing was ordered.',
  place,
  fillsBasket: true as const,
});

/** Puts a thing into a basket with this value of an input, and looks for the page that shows it. @throws ProbeError, ProofError */
export async function visitBasket(
  context: CheckContext,
  input: InputSurface,
  value: string,
  user: LoginIdentity | undefined,
  isShown: (text: string) => boolean,
): Promise<BasketVisit | undefined> {
  const surface = (user && context.surfaces[user.name]) ?? context.surface;
  const session = user && (await context.logIn(user.name));
  const own = session ? contextAs(context, session, surface) : context;
  const { opening, pairs } = session
    ? { opening: (await openInput(own, input)).opening, pairs: [] }
    : await openAsVisitor(context, input);
  const values = newTrialValues(context.nonce);
  const asked = await requestOfInput(
    own,
    { ...input, ...(opening && { opening }) },
    puttingIn({ ...input, ...(opening && { opening }) }, value),
    values,
  );
  const sent = session
    ? {
        ...asked,
        headers: [...(asked.headers ?? []), ...session.headers, ['Cookie', session.jar.header(asked.url)] as const],
        secrets: session.jar.all().map(({ value }) => value),
      }
    : asked;
  const answer = await context.store?.('', sent, async (each) => each);
  if (!answer || answer.status >= 400) return undefined;
  const given = cookiesOf(answer, 'given');
  const all = new Map([...pairs, ...given.map(({ pair }) => pair)].map((pair) => [pair.replace(/=.*$/, ''), pair]));
  for (const { rule } of given) keep(answer, rule, values, session);
  const cookies = [...all.values()].join('; ');
  const kept = [...all].map(([name, pair]) => ({ name, value: fill(pair.slice(name.length + 1), values) }));
  for (const url of basketPages(context, surface, input, answer)) {
    const headers = session ? [] : [['Cookie', cookieHeader(kept)] as const];
    const shown = await own.http.get(url, { fresh: true, headers }).catch(onlyLeftOut);
    if (shown?.status === 200 && isShown(shown.text))
      return {
        ...{ user, opening, cookies, values: kept, given: session ? [] : given.map(({ rule }) => rule) },
        shown: { url, text: shown.text },
      };
  }
  return undefined;
}

function onlyLeftOut(error: unknown): undefined {
  if (!isLeftOut(error)) throw error;
}

function keep(
  answer: Exchange,
  rule: CaptureRule,
  values: TrialValues,
  session: Awaited<ReturnType<CheckContext['logIn']>> | undefined,
): void {
  const value = capturedFrom(answer, rule) ?? '';
  values.set(rule.name, value);
  session?.jar.set(answer.request.url, rule.subject.replace(/^cookie:/, ''), value);
}

/** A visitor has the cookies of the page, whether or not it has a token. */
async function openAsVisitor(context: CheckContext, input: InputSurface) {
  const { opening } = await openInput(context, input);
  const url = input.page?.url ?? context.surface.url;
  const cookies = opening ? [] : cookiesOf(await context.http.get(url, { fresh: true }));
  const header = cookies.map(({ pair }) => pair).join('; ');
  const made = {
    url,
    captures: cookies.map(({ rule }) => rule),
    fields: {},
    headers: [['Cookie', header]] as [string, string][],
  };
  const used = opening ?? (cookies.length > 0 ? made : undefined);
  const sent = used?.headers.find(([name]) => name === 'Cookie')?.[1] ?? '';
  return { opening: used, pairs: sent === '' ? [] : sent.split('; ') };
}

/** The request that puts a thing into a basket, with this value of an input. */
export const puttingIn = (input: OpenedInput, value: string): HttpAction => ({
  ...inputAction(input, value),
  lasting: lasting(input.page?.url ?? input.url),
});

/** Where the answer leads, what script reads at the same address, pages that are called so, and what the page of the request reads. */
export function basketPages(
  context: CheckContext,
  { pages, calls, url }: CheckContext['surface'],
  { url: action, page }: InputSurface,
  answer: Exchange,
): string[] {
  const location = answer.header('location');
  const led = location && URL.canParse(location, action) ? [new URL(location, action).href] : [];
  const read = calls.some((call) => call.method === 'GET' && call.url === action) ? [action] : [];
  const called = [...pages, ...calls.filter(({ method }) => method === 'GET')].flatMap((each) =>
    basketPage.test(namedPath(each.url)) ? each.url : [],
  );
  const ofPage = calls.flatMap((call) =>
    call.method === 'GET' && call.pageUrl === page?.url && call.url !== page.url ? call.url : [],
  );
  const all = [...led, ...read, ...called, ...ofPage, ...(page ? [page.url] : [])].filter(
    (each) => new URL(each).origin === new URL(url).origin,
  );
  return likeliest(context, [...new Set(all)], maxPlaces, 'pages that may show a basket');
}

/** Steps of a visit of its own that puts a thing into the basket with this value, and look at it. */
export function basketSteps(
  visit: BasketVisit,
  input: InputSurface,
  value: string,
  session: string,
  { notes, expect }: { notes: { put: string; look: string }; expect: Step['expect'] },
): Step[] {
  const { user, opening, given, cookies, shown } = visit;
  const opened = { ...input, ...(opening && { opening }) };
  const putting = inputSteps(opened, puttingIn(opened, value), {
    note: notes.put,
    expect: [{ subject: 'status', operator: 'less-than', expected: '400' }],
    ...(given.length > 0 && { capture: given }),
  });
  const headers: [string, string][] = user || cookies === '' ? [] : [['Cookie', cookies]];
  const looking: Step = { http: { url: shown.url, headers }, note: notes.look, expect };
  if (!user) return [...putting, looking];
  const enter: Step = {
    http: { method: 'POST', url: user.loginUrl, logIn: user.name },
    note: 'The user logs in: a new session.',
    expect: [{ subject: 'status', operator: 'less-than', expected: '400' }],
  };
  return [enter, ...putting, looking].map((step) => ({ ...step, session }));
}
