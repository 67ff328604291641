import { confirmationsIn, shownIn } from '../checks/access/shown-credentials.ts';
import { type RegisteredAccount, type Registration, registrationRequest } from '../checks/accounts/registrations.ts';
import type { CheckContext } from '../checks/contract.ts';
import { openInput, requestOfInput } from '../checks/inputs/open-input.ts';
import { parseSetCookie } from '../checks/sessions/set-cookie.ts';
import type { HttpAction } from '../model/experiment.ts';
import type { Exchange } from '../model/http.ts';
import { resolve } from '../probe/html/links.ts';
import { locationOf } from '../probe/http/exchange.ts';
import { newTrialValues } from '../proof/template.ts';
import { parsePage } from '../survey/page.ts';
import { codeField, filledForm, fittedAccount, invitationField, type SentInvitation } from './registration-form.ts';

/** Somebody who registers: what they send, and what the site has shown and given them on the way. */
export type Registrant = {
  account: RegisteredAccount;
  /** Further names that the site gave the account. */
  names: string[];
  hasPassword: boolean;
  cookies: Map<string, string>;
  /** The page that it ended on. */
  page: Exchange;
};

type RegistrationStore = NonNullable<CheckContext['store']>;
/** A registration, its second page, and the address or code that confirms it. */
const maxSteps = 4;

/** The field of a registration that takes the code of an invitation. */
export const invitationFieldOf = ({ parameter, others, json }: Registration): string | undefined =>
  [parameter, ...others.map(({ name }) => name), ...namesIn(json?.body)].find((name) => invitationField.test(name));

const namesIn = (body = ''): string[] => [...body.matchAll(/"([\w-]+)"\s*:/g)].map(([, name = '']) => name);

/**
 * Registers as a visitor does who goes on as the pages say: fills in the next form, opens the address or types in the code that
 * confirms the account, and notes the password or name that was made for it.
 * @returns undefined where the site did not take it
 * @throws ProbeError, ProofError
 */
export async function walkThrough(
  context: Pick<CheckContext, 'http' | 'nonce' | 'visitor' | 'surface'>,
  store: RegistrationStore,
  registration: Registration,
  { account, invitation }: { account: RegisteredAccount; invitation?: SentInvitation | undefined },
): Promise<Registrant | undefined> {
  const cookies = new Map<string, string>();
  const place = registration.page?.url ?? registration.url;
  const first = await firstRequest(context, registration, { account, invitation, cookies });
  let next: HttpAction | undefined = first.request;
  let visit: Registrant | undefined;
  const followed = new Set<string>();
  for (let step = 0; next && step < maxSteps; step += 1) {
    const sent = withCookies({ ...next, lasting: stored(place) }, cookies);
    const answer: Exchange = await store('', sent, async (given) => given);
    keepCookies(cookies, answer);
    if (answer.status >= 400) return visit;
    const page: Exchange = await landing(context, answer, cookies);
    visit = noted(
      visit ?? {
        account: first.account,
        names: [],
        hasPassword: sendsPassword(sent, first.account),
        cookies,
        page,
      },
      page,
    );
    next = nextRequest(visit, followed);
  }
  return visit;
}

const stored = (place: string) => ({
  description: 'An account was registered, to look at the site as one of its users.',
  place,
  registers: true as const,
});

const sendsPassword = ({ body = '' }: HttpAction, { password }: RegisteredAccount): boolean =>
  body.includes(password) || body.includes(encodeURIComponent(password));

type FirstSubmission = Pick<Registrant, 'account' | 'cookies'> & { invitation: SentInvitation | undefined };

async function firstRequest(
  context: Pick<CheckContext, 'http' | 'nonce' | 'visitor' | 'surface'>,
  registration: Registration,
  { account, invitation, cookies }: FirstSubmission,
): Promise<{ request: HttpAction; account: RegisteredAccount }> {
  const form = context.surface.forms.find(
    ({ method, action, pageUrl, enctype }) =>
      method === 'POST' &&
      action === registration.url &&
      pageUrl === registration.page?.url &&
      !enctype.startsWith('multipart/'),
  );
  if (form) {
    const page = await context.http.get(form.pageUrl, { fresh: true });
    keepCookies(cookies, page);
    const fitted = fittedAccount(account, form, page.text);
    const request = filledForm(form, page.text, { account: fitted, invitation });
    if (request) return { request, account: fitted };
  }
  const input = await openInput(context, registration);
  const extras = invitation ? [invitation] : [];
  const action = registrationRequest(input, account, extras);
  const request = await requestOfInput(context, input, action, newTrialValues(context.nonce));
  const [headers, given] = [
    request.headers?.filter(([name]) => !/^cookie$/i.test(name)) ?? [],
    request.headers?.find(([name]) => /^cookie$/i.test(name))?.[1] ?? '',
  ];
  for (const [, name = '', value = ''] of given.matchAll(/([^=;\s]+)=([^;]*)/g)) cookies.set(name, value);
  return { request: { ...request, headers }, account };
}

function withCookies(request: HttpAction, cookies: ReadonlyMap<string, string>): HttpAction {
  if (cookies.size === 0) return request;
  return { ...request, headers: [...(request.headers ?? []), ['Cookie', cookieHeader(cookies)]] };
}

export const cookieHeader = (cookies: ReadonlyMap<string, string>): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

function keepCookies(cookies: Map<string, string>, answer: Exchange): void {
  for (const line of answer.headerValues('set-cookie')) {
    const cookie = parseSetCookie(line);
    if (cookie) cookies.set(cookie.name, cookie.value);
  }
}

/** The page that an answer leads to, or the answer. */
async function landing(
  { http, surface }: Pick<CheckContext, 'http' | 'surface'>,
  answer: Exchange,
  cookies: Map<string, string>,
): Promise<Exchange> {
  const target = resolve(locationOf(answer), answer.request.url);
  if (target === undefined || new URL(target).origin !== new URL(surface.url).origin) return answer;
  const { headers = [] } = withCookies({ url: target }, cookies);
  const page = await http.get(target, { fresh: true, headers });
  keepCookies(cookies, page);
  return page;
}

function noted(visit: Registrant, page: Exchange): Registrant {
  const { account, names } = visit;
  const [password] = visit.hasPassword ? [] : shownIn(page, 'password');
  const given = shownIn(page, 'name').filter((name) => ![account.name, account.mail, ...names].includes(name));
  return {
    ...visit,
    page,
    names: [...names, ...given],
    ...(password !== undefined && { account: { ...account, password }, hasPassword: true }),
  };
}

/** Where somebody goes on who has read the page. */
function nextRequest(visit: Registrant, followed: Set<string>): HttpAction | undefined {
  const { account, page } = visit;
  const address = confirmationsIn(page).find((each) => !followed.has(each));
  if (address !== undefined) {
    followed.add(address);
    return { url: address };
  }
  const [code] = shownIn(page, 'code');
  for (const form of parsePage(page.text, page.request.url).forms) {
    if (form.method !== 'POST' || followed.has(form.action)) continue;
    const asksForPassword = form.fields.some(({ type }) => type === 'password');
    const takesCode = form.fields.some(({ name, type }) => type !== 'hidden' && codeField.test(name));
    if (!(asksForPassword && !visit.hasPassword) && !(takesCode && !asksForPassword && code !== undefined)) continue;
    followed.add(form.action);
    visit.hasPassword ||= asksForPassword;
    return filledForm(form, page.text, { account, code });
  }
  return undefined;
}
