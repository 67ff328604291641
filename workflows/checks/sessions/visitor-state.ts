import type { CheckContext } from '../contract.ts';
import { isSession, signalsOf } from './session-cookie.ts';
import { isDeletion, parseSetCookie } from './set-cookie.ts';

/** Whether the site knows its visitors: it gives them a session, or has a form that changes something. */
export function keepsState({ surface, now }: Pick<CheckContext, 'surface' | 'now'>): boolean {
  if (surface.forms.some(({ method }) => method === 'POST')) return true;
  return surface.pages
    .flatMap(({ setCookies }) => setCookies)
    .map(parseSetCookie)
    .some((cookie) => {
      const signals = cookie && !isDeletion(cookie, now()) ? signalsOf(cookie) : undefined;
      return signals !== undefined && isSession(signals);
    });
}
