import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { WriteState } from '../../../proto/gen/scanaudit/v1/runs_pb.ts';
import { Depth, type Scan, ScanStatus, Threshold, Verdict } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { notApplicable } from '../../../workflows/checks/contract.ts';
import { registryOf } from '../../../workflows/checks/registry.ts';
import { claim } from '../../../workflows/model/experiment.ts';
import { firstRows, further } from '../../support/further.ts';
import { checkLike } from '../support/checks.ts';
import { hasEnded } from '../support/installation.ts';
import { type LoginSite, openLoginSite, users } from '../support/login-site.ts';
import { openWorkbench, type Workbench } from '../support/workbench.ts';

const notePath = '/notes/mine';

/** Writes a note as the identity and reads it back. */
const storedNote = checkLike({
  id: 'notes.stored',
  depth: 'deep',
  risk: 'caution',
  detect: ({ surface, identities }) =>
    identities.a ? [{ location: { url: new URL(notePath, surface.url).href } }] : notApplicable('no identity'),
  confirm: (_context, { location: { url } }) => ({
    steps: [
      {
        http: {
          method: 'PUT',
          url,
          body: 'note ‹nonce›',
          write: {
            description: 'a note is stored',
            undo: { method: 'DELETE', url },
            verify: { url, expect: [claim('status', 'equals', '404')] },
          },
        },
        identity: 'a',
        note: 'A note is stored.',
        expect: [claim('body', 'contains', '‹nonce›')],
      },
    ],
    control: [{ http: { url }, note: 'Nobody else reads it.', expect: [claim('body', 'contains', 'note')] }],
  }),
});

/** A later check of the same family, which holds the scan until it is let go, and looks at what is there. */
const later = (look: () => Promise<void>) =>
  checkLike({
    id: 'notes.z-later',
    depth: 'deep',
    detect: async () => {
      await look();
      return [];
    },
  });

type World = { bench: Workbench; site: LoginSite; look: () => Promise<void> };
const undo = suite<World>('what a scan changed');

undo.before(async (world) => {
  world.site = await openLoginSite();
  world.bench = await openWorkbench(registryOf([storedNote, later(() => world.look())], []));
  const { domains, host } = world.bench;
  const value = { url: `${world.site.url}login`, username: 'alice', password: users.alice ?? '' };
  await domains.putLogin({ domain: host, name: 'a', login: { kind: { case: 'form', value } } });
});
undo.before.each((world) => {
  world.look = async () => {};
  world.site.notes.clear();
  world.site.deleting('done');
  world.site.onNote(async () => {});
});
undo.after(async ({ bench, site }) => {
  await bench.close();
  await site.close();
});

async function start({ bench, site }: World): Promise<string> {
  return (await bench.scans.startScan({ url: site.url, depth: Depth.DEEP })).runId;
}

const gaps = ({ coverage }: Scan) => coverage?.gaps.map(({ subject }) => subject);

const reportOf = async ({ bench }: World, runId: string): Promise<string> =>
  Buffer.from((await bench.scans.getReport({ runId })).content).toString('utf8');

further(undo)('is taken back after each trial, so that later checks meet what was there before', async (world) => {
  const seen: number[] = [];
  world.look = async () => void seen.push(world.site.notes.size);
  const runId = await start(world);
  const record = await world.bench.until(runId, hasEnded);
  assert.is(record.status, ScanStatus.COMPLETED, record.failure?.detail);
  assert.equal([seen, gaps(record)], [[0], []]);
  assert.match(await reportOf(world, runId), /took each change back/);
});

undo('is taken back when the scan is canceled in the middle of a write', async (world) => {
  const { bench, site } = world;
  const answer = Promise.withResolvers<void>();
  site.onNote(() => answer.promise);
  const runId = await start(world);
  await bench.until(runId, () => site.notes.size > 0);
  await bench.scans.cancelScan({ runId });
  const record = await bench.until(runId, hasEnded);
  answer.resolve();
  assert.is(record.status, ScanStatus.CANCELED);
  assert.equal([site.notes.size, gaps(record)], [0, []]);
});

further(undo)('is taken back when the site answers 500 to the first undo', async (world) => {
  world.site.deleting('failed', 1);
  const record = await world.bench.until(await start(world), hasEnded);
  assert.is(record.status, ScanStatus.COMPLETED);
  assert.equal([world.site.notes.size, gaps(record)], [0, []]);
});

further(undo)('is taken back though every session is lost right after the write', async (world) => {
  const { site } = world;
  site.onNote(async () => site.forget());
  const record = await world.bench.until(await start(world), hasEnded);
  assert.is(record.status, ScanStatus.COMPLETED);
  assert.equal([site.notes.size, gaps(record)], [0, []]);
});

further(undo)(
  'was recorded, and never reached the site: the read shows that there is nothing to take back',
  async (world) => {
    const { bench, site } = world;
    const url = `${site.url}notes/never`;
    const holding = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    world.look = () => {
      holding.resolve();
      return go.promise;
    };
    const runId = await start(world);
    await holding.promise;
    await bench.runs.recordWrite({
      runId,
      write: {
        ...{ id: 'lost', actionId: 'notes.stored', identity: 'a', description: 'a note is stored' },
        request: { method: 'PUT', url },
        undo: { method: 'DELETE', url },
        verify: { url, identity: 'a', assertions: [{ subject: 'status', operator: 'equals', expected: '404' }] },
        state: WriteState.PENDING,
      },
    });
    go.resolve();
    const record = await bench.until(runId, hasEnded);
    assert.is(record.status, ScanStatus.COMPLETED);
    assert.equal(gaps(record), []);
    assert.ok(site.requests.some(({ method, url }) => `${method} ${url}` === 'DELETE /notes/never'));
  },
);

for (const how of firstRows(['ignored', 'refused'] as const, 1)) {
  further(undo)(`is named in coverage, gate and report when the undo is ${how} and the value stays`, async (world) => {
    const { bench, site } = world;
    site.deleting(how);
    const runId = await start(world);
    const record = await bench.until(runId, hasEnded);
    assert.is(record.status, ScanStatus.COMPLETED);
    assert.equal(gaps(record), ['notes.stored', `undo:${site.url}notes/mine`]);
    const reason = record.coverage?.gaps[1]?.text ?? '';
    assert.match(reason, /^a change could not be taken back: a note is stored \(the undo was answered (200|403)/);
    assert.is(record.coverage?.complete, false);
    const gate = await bench.scans.getGate({ runId, threshold: Threshold.NONE });
    assert.is(gate.verdict, Verdict.INCONCLUSIVE);
    assert.match(gate.reason, /could not take back/);
    const report = await reportOf(world, runId);
    for (const part of ['1 change of this audit may still be on the target', 'taking back failed', 'status equals 404'])
      assert.ok(report.includes(part), part);
    assert.is(site.notes.size, 1);
  });
}

undo.run();
