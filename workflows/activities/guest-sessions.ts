import { create } from '@bufbuild/protobuf';
import { type Login, LoginSchema } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import { atMost, likeliest } from '../checks/inputs/at-most.ts';
import { parseAnyJwt } from '../checks/sessions/jwt.ts';
import { parseSetCookie } from '../checks/sessions/set-cookie.ts';
import { load } from '../login/check-page.ts';
import { findToken } from '../login/json-path.ts';
import { loginWith } from '../login/log-in.ts';
import { findMarker } from '../login/marker.ts';
import type { HttpAction } from '../model/experiment.ts';
import type { Exchange } from '../model/http.ts';
import { parseJson } from '../model/json.ts';
import { ProbeError } from '../model/probe-error.ts';
import type { FormSurface, PageSurface, Surface } from '../model/surface.ts';
import { neutralForm } from '../observation/submission.ts';
import { resolve } from '../probe/html/links.ts';
import { locationOf } from '../probe/http/exchange.ts';
import { ProofError } from '../proof/proof-error.ts';
import type { ReachedSteps } from '../run/store.ts';
import type { Audit } from './audit-context.ts';
import { type GainedAccount, hows } from './gaining.ts';
import { stepSession, visitSession } from './visit-session.ts';

/** Requests that may give a visitor a session: those whose words say so come first. */
const maxEntrances = 6;
const maxDoors = 3;
const guestWords =
  /guest|visit|trial|demo|anonym|temporary|\bpass\b|ticket|try|tour|preview|start|begin|continue|enter|join|play|gast|invit/i;
const secretFields = /pass(?!port|enger)|pwd|secret|otp|pin\b/i;

/** What is asked for without a password, as a page's link, form or script does. */
type GuestEntrance = { words: string; make(): Promise<HttpAction | undefined> };

/**
 * A session that a site gives to whoever asks for one, in a signed token (RFC 7519), and that shows what nobody else is shown: what the
 * token says may be changed. Or that of a visitor who took the first of several steps, and is shown the form of the next, or what the site
 * has behind its door. Requests that may store something are recorded first, and stay.
 * @param mayStore whether requests are sent that may store something
 * @param reached several steps that were taken already
 * @throws ProbeError
 */
export async function guestSession(
  { context, storeFor }: Pick<Audit, 'context' | 'storeFor'>,
  mayStore: boolean,
  reached?: ReachedSteps,
): Promise<GainedAccount[]> {
  const store = mayStore ? storeFor({ id: 'accounts', risk: 'caution' }) : undefined;
  const { surface, http } = context;
  const further = reached && (await stepSession(context, reached));
  if (further) return [{ origin: 'guest', how: hows.guest, login: further }];
  for (const { url } of likeliest(context, doorsOf(surface), maxDoors, 'redirects that give cookies')) {
    const login = await visitSession(context, await http.get(url, { fresh: true }));
    if (login) return [{ origin: 'guest', how: hows.guest, login }];
  }
  for (const { url } of surface.pages.filter(({ setCookies }) => cookiesIn(setCookies).length > 0)) {
    const found = await opened(context, await http.get(url, { fresh: true }));
    if (found) return [found];
  }
  const [named, others] = store ? entrancesOf(context) : [[], []];
  const entrances = [
    ...atMost(context, named, maxEntrances, 'entrances without a password'),
    // Most of what is posted lets nobody in: what its words do not say is a guess.
    ...likeliest(context, others, Math.max(0, maxEntrances - named.length), 'requests that may let a visitor in'),
  ];
  for (const { make } of entrances) {
    const request = await make();
    if (!request) continue;
    const found = await store?.('', request, (answer) => enteredBy(context, answer)).catch(unlessRefused);
    if (found) return [found];
  }
  return [];
}

/** Redirects that give cookies: each set of cookies once. */
function doorsOf({ pages }: Surface): PageSurface[] {
  const namesOf = ({ setCookies }: PageSurface) => setCookies.map((line) => parseSetCookie(line)?.name ?? '').join();
  const doors = pages.filter(({ status, setCookies }) => status >= 300 && status < 400 && setCookies.length > 0);
  return [...Map.groupBy(doors, namesOf).values()].flatMap(([first]) => first ?? []);
}

function unlessRefused(error: unknown): undefined {
  const isRefused = error instanceof ProofError || (error instanceof ProbeError && error.code !== 'canceled');
  if (!isRefused) throw error;
}

/** Those whose words say that they let a visitor in, and the others. */
function entrancesOf({ surface, http, nonce }: Audit['context']): [named: GuestEntrance[], others: GuestEntrance[]] {
  const forms = surface.forms.filter(isWithoutSecret).map(
    (form): GuestEntrance => ({
      words: `${form.action} ${form.label ?? ''}`,
      async make() {
        const page = await http.get(form.pageUrl);
        const sent = neutralForm(form, page.text, { word: nonce(), number: '7' }, true);
        if (typeof sent === 'string') return undefined;
        const { method, url, headers, body, pageUrl } = sent;
        return stored({ method, url, headers, body }, pageUrl);
      },
    }),
  );
  const all = [...forms, ...callsOf(surface)];
  const isNamed = ({ words }: GuestEntrance): boolean => guestWords.test(words);
  return [all.filter(isNamed), all.filter((entrance) => !isNamed(entrance))];
}

const isWithoutSecret = ({ method, fields }: FormSurface): boolean =>
  method === 'POST' && !fields.some(({ name, type }) => /^(?:password|file)$/.test(type) || secretFields.test(name));

function callsOf({ calls, pages }: Surface): GuestEntrance[] {
  const isNoPage = (url: string) => !pages.some((page) => page.url === url);
  return calls
    .filter(({ method, url, body = '' }) => method === 'POST' && isNoPage(url) && !secretFields.test(body))
    .map(({ method, url, body, contentType, pageUrl, control = '' }) => ({
      words: `${url} ${control}`,
      make: async () =>
        stored(
          {
            ...{ method, url },
            ...(body === undefined ? {} : { body }),
            ...(contentType === undefined ? {} : { headers: [['Content-Type', contentType]] }),
          },
          pageUrl,
        ),
    }));
}

const stored = (request: HttpAction, place: string): HttpAction => ({
  ...request,
  lasting: { description: 'A session was asked for as any visitor may, to look at the site with it.', place },
});

/** Names and values of the signed tokens that cookies hold. */
const cookiesIn = (lines: readonly string[]): string[] =>
  lines.flatMap((line) => {
    const cookie = parseSetCookie(line);
    return cookie && parseAnyJwt(cookie.value) ? [`${cookie.name}=${cookie.value}`] : [];
  });

/** The session that was asked for: in a signed token, or as that of whoever took the first of several steps. */
async function enteredBy(context: Audit['context'], answer: Exchange): Promise<GainedAccount | undefined> {
  const found = await opened(context, answer);
  const login = found ? undefined : await visitSession(context, answer);
  return login ? { origin: 'guest', how: hows.guest, login } : found;
}

const maxPages = 8;

/** The session that an answer gives, with the page that only it opens. */
async function opened(context: Audit['context'], answer: Exchange): Promise<GainedAccount | undefined> {
  const login = await openedBy(context, answer, kindsIn(answer));
  return login && { origin: 'guest', how: hows.guest, login };
}

/**
 * A session of one of these kinds with the first page that has a text for it alone: the one that the answer leads to, or another.
 * @throws ProbeError
 */
export async function openedBy(
  context: Audit['context'],
  answer: Exchange,
  kinds: readonly Login['kind'][],
): Promise<Login | undefined> {
  const { surface } = context;
  const { url, method } = answer.request;
  const target = resolve(locationOf(answer), url) ?? (method === 'GET' ? url : undefined);
  const refused = surface.pages.flatMap(({ url, status }) => (status === 401 || status === 403 ? [url] : []));
  const called = surface.calls.flatMap(({ method, url }) => (method === 'GET' ? [url] : []));
  const linked = surface.pages.flatMap(({ url, status }) => (status >= 300 && status < 400 ? [url] : []));
  const pages = [
    ...new Set([...(target === undefined ? [] : [target]), surface.url, ...refused, ...called, ...linked]),
  ];
  if (kinds.length === 0) return undefined;
  const likely = likeliest(context, pages, maxPages, 'pages that a session may open');
  for (const kind of kinds)
    for (const checkUrl of likely) {
      const login = create(LoginSchema, { role: 'user', checkUrl, kind });
      if (await shows(context, login)) return login;
    }
  return undefined;
}

function kindsIn(answer: Exchange): Login['kind'][] {
  const cookies = cookiesIn(answer.headerValues('set-cookie'));
  if (cookies.length > 0) return [{ case: 'cookie', value: cookies.join('; ') }];
  const token = findToken(/^\s*\{/.test(answer.text) ? parseJson(answer.text) : undefined);
  if (!token || !parseAnyJwt(token.value)) return [];
  const name = token.path.split('.').at(-1) ?? 'token';
  return [
    { case: 'bearer', value: token.value },
    { case: 'cookie', value: `${name}=${token.value}` },
  ];
}

/** A page has a text for the session that it has for nobody else. */
async function shows({ http, browser, signal, surface }: Audit['context'], login: Login): Promise<boolean> {
  const session = await loginWith({ http, browser, signal, baseUrl: surface.url }, login)();
  const mine = [await load(http, login.checkUrl, session), await load(http, login.checkUrl, session)];
  return findMarker(mine, [await load(http, login.checkUrl)]) !== undefined;
}
