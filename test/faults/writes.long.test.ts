import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Depth, type Scan, ScanStatus } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { type ProfileDesign, profileSite, profileUser } from '../fixtures/profiles.ts';
import { type Site, startSite } from '../fixtures/site.ts';
import { hasEnded, type Installation, openInstallation } from '../workflows/support/installation.ts';

const host = 'site.localhost';
const start: ProfileDesign['start'] = { id: 7, street: '14 Harbour Lane', city: 'Westport', role: 'customer' };

type World = {
  installation: Installation;
  site: Site;
  profile(): ProfileDesign['start'];
  /** Runs at each change of the profile, before it is answered. */
  onChange: () => void;
};

const faults = suite<World>('a worker that is killed in the middle of a write');

faults.before(async (world) => {
  world.onChange = () => {};
  const { handler, profile } = profileSite({
    start,
    formFields: ['street', 'city'],
    profilePath: '/api/me',
    change: (before, sent) => {
      world.onChange();
      const { street = before.street, city = before.city, role = before.role } = sent;
      return { ...before, street: String(street), city: String(city), role: String(role) };
    },
    isAdmin: ({ role }) => role === 'admin',
  });
  world.profile = profile;
  world.site = await startSite(handler, { host });
  world.installation = await openInstallation({ host });
  const { login, marker, checkPath } = profileUser;
  const { username, password, path } = login;
  const url = (to: string) => new URL(to, world.site.url).href;
  const kind = { case: 'form' as const, value: { url: url(path), username, password } };
  await world.installation.domains.putLogin({
    domain: host,
    name: 'a',
    login: { kind, checkUrl: url(checkPath), marker },
  });
  await world.installation.startWorker();
});
faults.after(async ({ installation, site }) => {
  await installation.close();
  await site.close();
});

/** The worker is gone when the answer to its first change leaves the site. */
async function scanUntilKilled(world: World): Promise<string> {
  const { installation, site } = world;
  const { promise, resolve } = Promise.withResolvers<void>();
  world.onChange = () => {
    world.onChange = () => {};
    installation.program('worker')?.kill();
    resolve();
  };
  const { runId } = await installation.scans.startScan({ url: `${site.url}/account`, depth: Depth.DEEP });
  await promise;
  await installation.program('worker')?.exited;
  assert.not.equal(world.profile(), start);
  return runId;
}

const leftovers = ({ coverage }: Scan) =>
  coverage?.gaps.filter(({ subject }) => subject.startsWith('undo')).map(({ text }) => text);

faults('is followed by one that takes the change back first, and proves it from the start', async (world) => {
  const { installation } = world;
  const runId = await scanUntilKilled(world);
  await installation.startWorker();
  const scan = await installation.until(runId, hasEnded, 240_000);
  assert.is(scan.status, ScanStatus.COMPLETED, scan.failure?.detail);
  assert.equal([world.profile(), leftovers(scan)], [start, []]);
  const { items } = await installation.scans.listFindings({ runId });
  assert.ok(items.some(({ checkId }) => checkId === 'access.mass-assignment'));
});

faults('is followed by one that takes the change back, also when the scan was canceled meanwhile', async (world) => {
  const { installation } = world;
  const runId = await scanUntilKilled(world);
  await installation.scans.cancelScan({ runId });
  await installation.startWorker();
  const scan = await installation.until(runId, hasEnded, 120_000);
  assert.is(scan.status, ScanStatus.CANCELED);
  assert.equal([world.profile(), leftovers(scan)], [start, []]);
});

faults.run();
