import { loginTimeoutMs } from '../../login/patience.ts';
import type { Assertion, CaptureRule, HttpAction, Step } from '../../model/experiment.ts';
import { claim } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import { ProbeError } from '../../model/probe-error.ts';
import { fill, newTrialValues, type TrialValues } from '../../proof/template.ts';
import type { CheckContext } from '../contract.ts';
import { capturedFrom, cookiesOf, inputSteps, sendInput } from '../inputs/open-input.ts';
import type { Login } from './login.ts';

type LoginContext = Pick<CheckContext, 'http' | 'nonce' | 'visitor'>;

/** A login that was tried, with what its answer leaves a browser with. */
export type LoginAttempt = {
  action: HttpAction;
  exchange: Exchange;
  values: TrialValues;
  captures: CaptureRule[];
  /** Cookie header of whoever tried, by references. */
  cookies: string;
  /** What it was shown afterwards, by address. */
  pages: Map<string, Exchange | undefined>;
};

/**
 * Tries a login as a visitor who has just come.
 * @param prefix of the names under which its cookies are captured
 * @param send sends the action with these values; by default as any request of the check
 * @throws ProbeError
 */
export async function attempt(
  context: LoginContext,
  { input }: Pick<Login, 'input'>,
  action: HttpAction,
  prefix: string,
  send = (values: TrialValues): Promise<Exchange> =>
    sendInput(context, input, action, values, { fresh: true, longestMs: loginTimeoutMs }),
): Promise<LoginAttempt> {
  const values = newTrialValues(context.nonce);
  const exchange = await send(values);
  const given = cookiesOf(exchange, prefix);
  for (const { rule } of given) values.set(rule.name, capturedFrom(exchange, rule) ?? '');
  const before = /^cookie$/i;
  const opened = (input.opening?.headers.find(([name]) => before.test(name))?.[1] ?? '').split('; ').filter(Boolean);
  const nameOf = (pair: string): string => pair.replace(/=.*$/s, '');
  const replaced = new Set(given.map(({ pair }) => nameOf(pair)));
  const cookies = [...opened.filter((pair) => !replaced.has(nameOf(pair))), ...given.map(({ pair }) => pair)];
  return {
    action,
    exchange,
    values,
    captures: given.map(({ rule }) => rule),
    cookies: cookies.join('; '),
    pages: new Map(),
  };
}

const cookieHeader = (cookies: string) => (cookies === '' ? {} : { headers: [['Cookie', cookies] as const] });

/** The page at an address, as the one who tried gets to see it; undefined when it may not be asked for. Asked for once. */
export async function pageAfter(
  context: LoginContext,
  tried: LoginAttempt,
  url: string,
): Promise<Exchange | undefined> {
  if (!tried.pages.has(url)) tried.pages.set(url, await askAfter(context, tried, url));
  return tried.pages.get(url);
}

async function askAfter({ http }: LoginContext, { cookies, values }: LoginAttempt, url: string) {
  try {
    return await http.get(url, { ...cookieHeader(fill(cookies, values)), fresh: true });
  } catch (error) {
    if (error instanceof ProbeError && (error.code === 'refused' || error.code === 'out_of_scope')) return undefined;
    throw error;
  }
}

type AttemptStep = {
  note: string;
  /** Page whose answer the claims are about, with a note; that to the credentials by default. */
  page?: { url: string; note: string };
  expect: Assertion[];
  isShown?: true;
};

/** The same as steps of an experiment. */
export function attemptSteps(
  { input }: Pick<Login, 'input'>,
  tried: LoginAttempt,
  { note, page, expect, isShown }: AttemptStep,
): Step[] {
  const { action, captures, cookies } = tried;
  const shown = isShown ? { isShown } : {};
  if (!page) return inputSteps(input, action, { note, expect, ...shown });
  return [
    ...inputSteps(input, action, {
      note,
      hasEffect: true,
      expect: [claim('status', 'less-than', '500')],
      ...(captures.length > 0 ? { capture: captures } : {}),
    }),
    { http: { url: page.url, ...cookieHeader(cookies) }, note: page.note, expect, ...shown },
  ];
}
