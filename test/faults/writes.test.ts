import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Depth, type Scan, ScanStatus } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { type ProfileDesign, profileSite, profileUser } from '../fixtures/profiles.ts';
import { type Site, startSite } from '../fixtures/site.ts';
import { type Installation, isOver, openInstallation } from '../workflows/support/installation.ts';

const host = 'site.localhost';
const start: ProfileDesign['start'] = { id: 7, street: '14 Harbour Lane', city: 'Westport', role: 'customer' };

type Scene = {
  installation: Installation;
  site: Site;
  profile(): ProfileDesign['start'];
  /** Runs at each change of the profile, before it is answered. */
  onChange: () => void;
};

const faults = suite<Scene>('a worker that is killed in the middle of a write');

faults.before(async (scene) => {
  scene.onChange = () => {};
  const { handler, profile } = profileSite({
    start,
    formFields: ['street', 'city'],
    profilePath: '/api/me',
    change: (before, sent) => {
      scene.onChange();
      const { street = before.street, city = before.city, role = before.role } = sent;
      return { ...before, street: String(street), city: String(city), role: String(role) };
    },
    isAdmin: ({ role }) => role === 'admin',
  });
  scene.profile = profile;
  scene.site = await startSite(handler, { host });
  scene.installation = await openInstallation({ host });
  const { login, marker, checkPath } = profileUser;
  const { username, password, path } = login;
  const url = (to: string) => new URL(to, scene.site.url).href;
  const kind = { case: 'form' as const, value: { url: url(path), username, password } };
  await scene.installation.domains.putLogin({
    domain: host,
    name: 'a',
    login: { kind, checkUrl: url(checkPath), marker },
  });
  await scene.installation.startWorker();
});
faults.after(async ({ installation, site }) => {
  await installation.close();
  await site.close();
});

/** The worker is gone when the answer to its first change leaves the site. */
async function scanUntilKilled(scene: Scene): Promise<string> {
  const { installation, site } = scene;
  const { promise, resolve } = Promise.withResolvers<void>();
  scene.onChange = () => {
    scene.onChange = () => {};
    installation.program('worker')?.kill();
    resolve();
  };
  const { runId } = await installation.scans.startScan({ url: `${site.url}/account`, depth: Depth.DEEP });
  await promise;
  await installation.program('worker')?.exited;
  assert.not.equal(scene.profile(), start);
  return runId;
}

const leftovers = ({ coverage }: Scan) =>
  coverage?.gaps.filter(({ subject }) => subject.startsWith('undo')).map(({ text }) => text);

faults('is followed by one that takes the change back first, and proves it from the start', async (scene) => {
  const { installation } = scene;
  const runId = await scanUntilKilled(scene);
  await installation.startWorker();
  const scan = await installation.until(runId, isOver, 240_000);
  assert.is(scan.status, ScanStatus.COMPLETED, scan.failure?.detail);
  assert.equal([scene.profile(), leftovers(scan)], [start, []]);
  const { items } = await installation.scans.listFindings({ runId });
  assert.ok(items.some(({ checkId }) => checkId === 'access.mass-assignment'));
});

faults('is followed by one that takes the change back, also when the scan was canceled meanwhile', async (scene) => {
  const { installation } = scene;
  const runId = await scanUntilKilled(scene);
  await installation.scans.cancelScan({ runId });
  await installation.startWorker();
  const scan = await installation.until(runId, isOver, 120_000);
  assert.is(scan.status, ScanStatus.CANCELED);
  assert.equal([scene.profile(), leftovers(scan)], [start, []]);
});

faults.run();
