import { WriteState } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import { digest } from '../checks/fingerprint.ts';
import type { HttpProbe } from '../model/http.ts';
import type { Omitted } from '../model/omission.ts';
import type { Surface } from '../model/surface.ts';
import { counted, wasOrWere } from '../model/words.ts';
import { type StoredRequest, watchStored } from '../observation/stored-watch.ts';
import type { ActivityTools } from './activity-tools.ts';
import { addObservations } from './gate-knowledge.ts';
import type { WriteRecord } from './writes.ts';

/** Forms and addresses that were taken for ones that only read, and turn out to store what they are sent while they are probed. */
type StoredLater = {
  /** The HTTP instrument, which also records what its answers show. */
  http: HttpProbe;
  /** Looks once more, and keeps what was seen for the activities that follow, and in the ledger. */
  keep(surface: Surface): Promise<Omitted[]>;
};

/** @param visitor whose session the checks send it with; of several, or of nobody, none */
export function watchForStored(
  { run, probes: { http, gate }, writes }: Pick<ActivityTools, 'run' | 'probes' | 'writes'>,
  visitor = '',
): StoredLater {
  const seen = new Map<string, StoredRequest>();
  const watch = watchStored(http, (stored) => {
    gate.observed(stored.key, 'writes');
    seen.set(stored.key, stored);
  });
  return {
    http: watch.http,
    async keep({ pages }) {
      const left = await watch.lookAgain(pages);
      const news = [...seen.values()];
      seen.clear();
      await addObservations(run, Object.fromEntries(news.map(({ key }) => [key, 'writes' as const])));
      for (const stored of writes === 'none' ? [] : news) await run.recordWrite(storedRecord(stored, visitor));
      return left === 0 ? [] : [{ code: 'guessed', count: left, text: unreadText(left) }];
    },
  };
}

const unreadText = (count: number): string =>
  `${counted(count, 'page')} that could show what a parameter keeps ${wasOrWere(count)} not read again: the likeliest were`;

const storedRecord = ({ key, method, url, body, place }: StoredRequest, identity: string): WriteRecord => ({
  ...{
    id: digest(['observation', 'later', identity, key]),
    actionId: 'observation',
    identity,
    state: WriteState.LEFT,
    place,
  },
  description:
    method === 'GET'
      ? 'A page keeps what one of its parameters is given: the checks stopped giving it values, and some are left.'
      : 'A form that seemed only to read keeps what it is sent: the checks stopped sending it, and values are left.',
  request: { method, url, headers: [], body },
});
