import type { Omission } from '../model/omission.ts';
import type { Surface } from '../model/surface.ts';

type ShownSite = Pick<Surface, 'pages' | 'inputs' | 'calls' | 'origins'>;

/**
 * A site that shows no page, and of which no description says anything either, has not been looked at: an application that is
 * down, a host that has none at this address, or one that lets nobody in.
 */
export function nothingShown({ pages, inputs, calls, origins }: ShownSite): Omission[] {
  const isShown = pages.some(({ status, contentType }) => status < 300 && contentType !== 'text/plain');
  if (isShown || calls.length > 0 || inputs.some(isOfApplication)) return [];
  const status = pages[0]?.status ?? origins[0]?.status;
  if (status === undefined) return [];
  const text = `the start page was answered with HTTP ${status}, and no other page was seen: ${adviceOn(status)}`;
  return [{ code: 'nothing_shown', subject: 'survey', count: 1, text }];
}

/** Headers are sent to anything that answers. */
const isOfApplication = ({ in: where }: Surface['inputs'][number]): boolean => where !== 'header';

function adviceOn(status: number): string {
  if (status >= 500) return 'scan again when the application works';
  if (status === 401 || status === 403) return 'give the domain a test identity, and scan in depth';
  return 'scan the address where the application is, or give the domain its API description';
}
