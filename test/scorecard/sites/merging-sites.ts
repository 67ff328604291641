import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import type { TestIdentity } from '../../workflows/checks/harness.ts';
import type { ScoreSite } from '../case.ts';
import type { MergingSite } from './merging-worker.ts';

/** A site that merges what it is sent into an object, in a thread of its own: what reaches the prototype reaches all objects there. */
export async function startMerging(site: Omit<MergingSite, 'sessions'>): Promise<ScoreSite> {
  const sessions = ['timetable-of-31', 'timetable-of-32'];
  const identities = sessions.map(
    (member): TestIdentity => ({ name: member, cookies: { member }, checkPath: '/api/timetable', marker: 'shade' }),
  );
  const worker = new Worker(new URL('./merging-worker.ts', import.meta.url), {
    workerData: { ...site, sessions },
    stderr: true,
  });
  const [{ port }] = (await once(worker, 'message')) as [AddressInfo];
  return {
    url: `http://shop.localhost:${port}`,
    options: { depth: 'deep', writes: 'create', ...(site.kind === 'timetable' && { identities }) },
    close: async () => void (await worker.terminate()),
  };
}
