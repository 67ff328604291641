import { create } from '@bufbuild/protobuf';
import { type Login, LoginSchema } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import { likeliest } from '../checks/inputs/at-most.ts';
import { isDeletion, parseSetCookie } from '../checks/sessions/set-cookie.ts';
import type { Exchange } from '../model/http.ts';
import { resolve } from '../probe/html/links.ts';
import { locationOf } from '../probe/http/exchange.ts';
import { normaliseRoute } from '../probe/routes.ts';
import type { ReachedSteps } from '../run/store.ts';
import { parsePage } from '../survey/page.ts';
import type { Audit } from './audit-context.ts';

type Visiting = Pick<Audit['context'], 'http' | 'leave' | 'surface'>;

const maxCookies = 8;
const maxSteps = 5;
/** A text in another language may name a page that others do not. */
const fewestNew = 2;

/**
 * The session of a visitor who took the step before: with the cookies of its answer, the page that it leads to has a form that
 * nobody else is shown, or no longer the one that was sent, or leads to pages that nobody else is led to. What merely looks otherwise for
 * them, as after a choice of a language, is no such page.
 * @throws ProbeError
 */
export async function visitSession(context: Visiting, answer: Exchange): Promise<Login | undefined> {
  const { http, surface } = context;
  const checkUrl = resolve(locationOf(answer), answer.request.url);
  const value = cookiesGiven(context, answer);
  if (checkUrl === undefined || value === '' || new URL(checkUrl).origin !== new URL(surface.url).origin)
    return undefined;
  const [mine, theirs] = [
    await http.get(checkUrl, { fresh: true, headers: [['Cookie', value]] }),
    await http.get(checkUrl, { fresh: true, maxRedirects: 3 }),
  ];
  if (mine.status !== 200) return undefined;
  const [shown, asked] = [formsIn(mine), formsIn(theirs)];
  const isLetIn = asked.some(
    ({ key, action }) => action === answer.request.url && !shown.some((form) => form.key === key),
  );
  const isFurther = shown.some(({ key }) => !asked.some((form) => form.key === key));
  return isLetIn || isFurther || newRoutes(mine, surface) >= fewestNew
    ? create(LoginSchema, { role: 'user', checkUrl, kind: { case: 'cookie', value } })
    : undefined;
}

/**
 * The session in which several steps were taken already: it is shown a page of theirs from which it goes on by a form, or to what nobody
 * else is shown. The last one shows what was sent, and may no longer do so once something else is.
 * @throws ProbeError
 */
export async function stepSession(context: Visiting, { urls, cookies }: ReachedSteps): Promise<Login | undefined> {
  const { http, surface } = context;
  if (cookies === '') return undefined;
  const shown = new Set(surface.pages.flatMap((page) => (page.status === 200 ? page.url : [])));
  const opened: Exchange[] = [];
  for (const url of likeliest(context, urls, maxSteps, 'pages that steps led to')) {
    const mine = await http.get(url, { fresh: true, headers: [['Cookie', cookies]] });
    const theirs = await http.get(url, { fresh: true });
    if (mine.status === 200 && theirs.status !== 200) opened.push(mine);
  }
  const leadsOn = (page: Exchange) => linksOf(page, surface).some((link) => !shown.has(link));
  const checkUrl = (opened.find((page) => formsIn(page).length > 0) ?? opened.find(leadsOn))?.request.url;
  return checkUrl === undefined
    ? undefined
    : create(LoginSchema, { role: 'user', checkUrl, kind: { case: 'cookie', value: cookies } });
}

function cookiesGiven(context: Visiting, answer: Exchange): string {
  const now = new Date();
  const given = answer.headerValues('set-cookie').flatMap((line) => {
    const cookie = parseSetCookie(line);
    return cookie && !isDeletion(cookie, now) ? `${cookie.name}=${cookie.value}` : [];
  });
  return likeliest(context, given, maxCookies, 'cookies of a visit').join('; ');
}

/** Routes of the host that the page leads to, and that nobody else was shown. */
function newRoutes(exchange: Exchange, surface: Audit['context']['surface']): number {
  const { pages, skipped } = surface;
  const shown = pages.filter(({ status }) => status === 200);
  const known = new Set([...shown, ...skipped].map((page) => normaliseRoute(page.url)));
  return new Set(
    linksOf(exchange, surface)
      .map(normaliseRoute)
      .filter((route) => !known.has(route)),
  ).size;
}

function linksOf({ text, request }: Exchange, { url }: Audit['context']['surface']): string[] {
  const { origin } = new URL(url);
  const links = parsePage(text, request.url).links.map((link) => link.url.replace(/#.*$/s, ''));
  return links.filter((link) => new URL(link).origin === origin);
}

const formsIn = ({ text, request }: Exchange): { key: string; action: string }[] =>
  parsePage(text, request.url).forms.map(({ method, action, fields }) => ({
    key: JSON.stringify([method, normaliseRoute(action), fields.map(({ name }) => name)]),
    action,
  }));
