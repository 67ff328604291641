import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Server } from 'node:https';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { canonicalAddress } from './address.ts';
import { createApiTokens } from './api-tokens.ts';
import { readCart } from './cart.ts';
import { createLoginLimit } from './login-limit.ts';
import { createPartnerPasses } from './partner-passes.ts';
import { readCookies, sessionCookie, sessionCookieName } from './session-cookie.ts';
import { createSessions } from './sessions.ts';
import type { Shop } from './shop.ts';
import type { DemoUser } from './users.ts';

export type App = FastifyInstance<Server>;

export const createShop = (options: Omit<Shop, 'sessions' | 'passes' | 'tokens' | 'loginLimit'>): Shop => ({
  ...options,
  sessions: createSessions(options.weaknesses, options.database, options.secret),
  passes: createPartnerPasses(options.weaknesses, options.database),
  tokens: createApiTokens(options.weaknesses, options.database, options.secret),
  loginLimit: createLoginLimit(options.weaknesses),
});

/** Who asks, and what a page for them needs. */
export type DemoVisit = {
  session: string;
  user: DemoUser | undefined;
  cookies: Map<string, string>;
  /** Under which search engines should know the page. */
  address: string;
  /** For inline scripts of the page. */
  nonce: string;
  /** Goes into every form; a post without it is refused. */
  formToken: string;
  itemsInCart: number;
};

declare module 'fastify' {
  interface FastifyRequest {
    visit: DemoVisit;
  }
}

/** Reads the visitor's session. Who comes without one gets one with the first page. */
export function readVisit(shop: Shop, request: FastifyRequest): DemoVisit {
  const cookies = readCookies(request.headers.cookie);
  const given = cookies.get(sessionCookieName) ?? '';
  const session = shop.sessions.isKnown(given) ? given : shop.sessions.visitor();
  return {
    session,
    user: shop.sessions.user(session),
    cookies,
    address: canonicalAddress(shop.weaknesses, request),
    nonce: randomBytes(16).toString('base64'),
    formToken: formToken(shop, session),
    itemsInCart: readCart(shop.database, cookies).reduce((sum, line) => sum + line.quantity, 0),
  };
}

/** Sends the session's cookie unless the browser has it already. */
export function keepSession(shop: Shop, reply: FastifyReply, visit: DemoVisit): void {
  if (visit.cookies.get(sessionCookieName) !== visit.session)
    reply.header('set-cookie', sessionCookie(shop.weaknesses, visit.session));
}

const formToken = (shop: Shop, session: string): string =>
  createHmac('sha256', shop.secret).update(`form:${session}`).digest('base64url');

export function isOwnForm(visit: DemoVisit, token: string): boolean {
  const [given, expected] = [Buffer.from(token), Buffer.from(visit.formToken)];
  return given.length === expected.length && timingSafeEqual(given, expected);
}
