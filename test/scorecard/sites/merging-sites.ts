import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import type { ScoreSite } from '../case.ts';
import type { MergingSite } from './merging-worker.ts';

/** A site that merges what it is sent into an object, in a thread of its own: what reaches the prototype reaches all objects there. */
export async function startMerging(site: MergingSite): Promise<ScoreSite> {
  const worker = new Worker(new URL('./merging-worker.ts', import.meta.url), { workerData: site, stderr: true });
  const [{ port }] = (await once(worker, 'message')) as [AddressInfo];
  return {
    url: `http://shop.localhost:${port}`,
    options: { depth: 'deep', writes: 'create' },
    close: async () => void (await worker.terminate()),
  };
}
