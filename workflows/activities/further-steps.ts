import { create } from '@bufbuild/protobuf';
import { type Login, LoginSchema } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import { isDeletion, parseSetCookie } from '../checks/sessions/set-cookie.ts';
import type { HttpAction } from '../model/experiment.ts';
import type { Exchange } from '../model/http.ts';
import type { FormSurface } from '../model/surface.ts';
import { neutralForm } from '../observation/submission.ts';
import { resolve } from '../probe/html/links.ts';
import { locationOf } from '../probe/http/exchange.ts';
import { parsePage } from '../survey/page.ts';
import type { Audit } from './audit-context.ts';

/** Bookings and orders seldom have more before what pays them, which the write gate refuses. */
const maxSteps = 4;

type StepSender = <T>(request: HttpAction, look: (answer: Exchange) => Promise<T>) => Promise<T | undefined>;

/**
 * The session of a visitor who has taken the first of several steps, after those that follow: each is the form of the page that the one
 * before led to, filled in as its page demands. It ends at a page without a form, or where the site does not go on.
 * @param store sends a step, which is recorded first, and stays; undefined where it may not be sent
 * @throws ProbeError
 */
export async function furtherSteps(
  { http, nonce }: Pick<Audit['context'], 'http' | 'nonce'>,
  store: StepSender,
  first: Login,
): Promise<Login> {
  let login = first;
  for (let step = 1; step <= maxSteps && login.kind.case === 'cookie'; step += 1) {
    const cookies = login.kind.value;
    const page = await http.get(login.checkUrl, { fresh: true, headers: [['Cookie', cookies]] });
    const form = page.status === 200 ? parsePage(page.text, page.request.url).forms.find(isStep) : undefined;
    const sent = form && neutralForm(form, page.text, { word: nonce(), number: '7' }, true);
    if (sent === undefined || typeof sent === 'string') break;
    const { method, url, headers, body, pageUrl } = sent;
    const description = 'A step of a form was taken as any visitor may, to look at those that follow.';
    const lasting = { description, place: pageUrl };
    const request = { method, url, headers: [...headers, ['Cookie', cookies] as const], body, lasting };
    const next = await store(request, async (answer) => ledOnTo(answer, login.checkUrl, cookies));
    if (!next) break;
    login = create(LoginSchema, { ...login, checkUrl: next.url, kind: { case: 'cookie', value: next.cookies } });
  }
  return login;
}

const isStep = ({ method, fields }: FormSurface): boolean =>
  method === 'POST' && !fields.some(({ type }) => /^(?:password|file)$/.test(type));

/** The page of the site that follows, with the cookies that its visitor has by then. */
function ledOnTo(answer: Exchange, before: string, cookies: string): { url: string; cookies: string } | undefined {
  const url = resolve(locationOf(answer), answer.request.url);
  if (url === undefined || url === before || new URL(url).origin !== new URL(before).origin) return undefined;
  const jar = new Map(cookies.split('; ').map((pair) => [pair.split('=', 1)[0] ?? '', pair]));
  const now = new Date();
  for (const line of answer.headerValues('set-cookie')) {
    const cookie = parseSetCookie(line);
    if (cookie && isDeletion(cookie, now)) jar.delete(cookie.name);
    else if (cookie) jar.set(cookie.name, `${cookie.name}=${cookie.value}`);
  }
  return { url, cookies: [...jar.values()].join('; ') };
}
