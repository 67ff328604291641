import type { BrowserVisit } from '../../model/browser.ts';
import type { CookieJar, Exchange, HeaderList } from '../../model/http.ts';
import { ProbeError } from '../../model/probe-error.ts';
import type { CheckContext } from '../contract.ts';
import type { StoringForm } from './storing-form.ts';

/** Where a value was put, as it was sent. */
export type PlantedValue = { form: StoringForm; parameter: string; word: string; value: string };

/** The session of a viewer, as instruments take it. */
export function sessionOf({ identities, http }: CheckContext, viewer: string): { jar: CookieJar; headers: HeaderList } {
  const identity = identities[viewer];
  return identity ? { jar: identity.jar, headers: identity.headers } : { jar: http.newJar(), headers: [] };
}

/** The same with what scripts have kept of it, which a visit changes. */
export function shownSessionOf(
  context: CheckContext,
  viewer: string,
): Required<Pick<BrowserVisit, 'jar' | 'headers' | 'storage'>> {
  return { ...sessionOf(context, viewer), storage: structuredClone(context.identities[viewer]?.storage ?? {}) };
}

/** The cookies that answers give, as they are sent back; those of the last one count. */
export function cookiesGiven(...answers: Exchange[]): HeaderList {
  const pairs = new Map(
    answers
      .flatMap((answer) => answer.headerValues('set-cookie').map((line) => line.replace(/;.*$/s, '').trim()))
      .map((pair) => [pair.replace(/=.*$/s, ''), pair]),
  );
  return pairs.size === 0 ? [] : [['Cookie', [...pairs.values()].join('; ')]];
}

/** A page as a visitor is shown it now; undefined when it gives no answer. */
export async function read(
  context: CheckContext,
  viewer: string,
  url: string,
  cookies: HeaderList = [],
): Promise<Exchange | undefined> {
  const { jar, headers } = sessionOf(context, viewer);
  return context.http.get(url, { jar, headers: [...headers, ...cookies], fresh: true }).catch((error: unknown) => {
    if (!(error instanceof ProbeError) || error.code === 'budget_exhausted' || error.code === 'canceled') throw error;
    return undefined;
  });
}
