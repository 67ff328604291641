import { create } from '@bufbuild/protobuf';
import { type Login, LoginSchema } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import { isDeletion, parseSetCookie } from '../checks/sessions/set-cookie.ts';
import type { Exchange } from '../model/http.ts';
import { resolve } from '../probe/html/links.ts';
import { locationOf } from '../probe/http/exchange.ts';
import { normaliseRoute } from '../probe/routes.ts';
import { parsePage } from '../survey/page.ts';
import type { Audit } from './audit-context.ts';

const maxCookies = 8;
/** A text in another language may name a page that others do not. */
const fewestNew = 2;

/**
 * The session of a visitor who took the step before: with the cookies of its answer, the page that it leads to has a form that
 * nobody else is shown, or no longer the one that was sent, or leads to pages that nobody else is led to. What merely looks otherwise for
 * them, as after a choice of a language, is no such page.
 * @throws ProbeError
 */
export async function visitSession(
  { http, surface }: Pick<Audit['context'], 'http' | 'surface'>,
  answer: Exchange,
): Promise<Login | undefined> {
  const checkUrl = resolve(locationOf(answer), answer.request.url);
  const value = cookiesGiven(answer);
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

function cookiesGiven(answer: Exchange): string {
  const now = new Date();
  const given = answer.headerValues('set-cookie').flatMap((line) => {
    const cookie = parseSetCookie(line);
    return cookie && !isDeletion(cookie, now) ? `${cookie.name}=${cookie.value}` : [];
  });
  return given.slice(0, maxCookies).join('; ');
}

/** Routes of the host that the page leads to, and that nobody else was shown. */
function newRoutes({ text, request }: Exchange, { pages, skipped, url }: Audit['context']['surface']): number {
  const shown = pages.filter(({ status }) => status === 200);
  const known = new Set([...shown, ...skipped].map((page) => normaliseRoute(page.url)));
  const { origin } = new URL(url);
  const links = parsePage(text, request.url).links.filter((link) => new URL(link.url).origin === origin);
  return new Set(links.map((link) => normaliseRoute(link.url)).filter((route) => !known.has(route))).size;
}

const formsIn = ({ text, request }: Exchange): { key: string; action: string }[] =>
  parsePage(text, request.url).forms.map(({ method, action, fields }) => ({
    key: JSON.stringify([method, normaliseRoute(action), fields.map(({ name }) => name)]),
    action,
  }));
