import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Writes } from '../../../proto/gen/scanaudit/v1/domains_pb.ts';
import { Depth, ScanStatus } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { registryOf } from '../../../workflows/checks/registry.ts';
import { html, json, redirect, startSite } from '../../fixtures/site.ts';
import { testBrowsers } from '../checks/harness.ts';
import { checkLike } from '../support/checks.ts';
import { hasEnded } from '../support/installation.ts';
import { openWorkbench, type Workbench } from '../support/workbench.ts';

type World = { bench: Workbench; seen: string[]; browsers: ReturnType<typeof testBrowsers> };
const test = suite<World>('accounts of a login that takes whoever is new');

test.before(async (world) => {
  world.seen = [];
  const looking = checkLike({
    id: 'users.joined',
    depth: 'deep',
    detect({ identities }) {
      world.seen.push(...Object.keys(identities));
      return [];
    },
  });
  world.browsers = testBrowsers();
  world.bench = await openWorkbench(registryOf([looking], []), world.browsers);
});
test.after(async ({ bench, browsers }) => {
  await bench.close();
  await browsers.close();
});

type DoorWay = {
  /** The first page. */
  page: string;
  isJson?: boolean;
  /** Whether a name that nobody has is given an account. */
  takesNew: boolean;
};

async function gained(
  { bench, seen }: World,
  { page, isJson = false, takesNew }: DoorWay,
  writes: Writes = Writes.CREATE,
) {
  const guests = new Map<string, string>();
  const sessions = new Map<string, string>();
  const site = await startSite(
    ({ method, path, body, cookies }) => {
      const user = sessions.get(cookies.sid ?? '');
      if (path === '/') return html(page);
      if (path === '/me') return user ? json({ guest: user, nights: 3 }) : { ...json({ error: 'Who?' }), status: 401 };
      if (path === '/stay') return user ? html(`<h1>Rooms of ${user}</h1>`) : redirect('/');
      if (path !== '/door' || method !== 'POST') return undefined;
      const sent = isJson ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body));
      const [name, word] = [String(sent.guest ?? ''), String(sent.word ?? '')];
      if (takesNew && name !== '' && word.length > 5 && !guests.has(name)) guests.set(name, word);
      if (guests.get(name) !== word)
        return isJson ? { ...json({ error: 'Wrong word' }), status: 401 } : html('<p>Wrong word.</p>');
      const id = randomBytes(9).toString('hex');
      sessions.set(id, name);
      const headers = { 'set-cookie': `sid=${id}; Path=/; HttpOnly` };
      const answer = isJson ? json({ welcome: true }) : redirect('/stay');
      return { ...answer, headers: { ...answer.headers, ...headers } };
    },
    { host: bench.host },
  );
  seen.length = 0;
  try {
    await bench.domains.putScope({ domain: bench.host, scope: { writes } });
    const { runId } = await bench.scans.startScan({ url: site.url, depth: Depth.DEEP });
    const { status } = await bench.until(runId, hasEnded, 120_000);
    assert.is(status, ScanStatus.COMPLETED);
    return { seen: [...seen], guests: guests.size };
  } finally {
    await site.close();
  }
}

const form = (button: string) =>
  `<h1>Inn</h1><form method=post action=/door><input name=guest><input type=password name=word><button>${button}</button></form>`;
const script = `<h1>Inn</h1><form id=f><input name=guest><input type=password name=word><button>Join or sign in</button></form>
<script>fetch('/me'); f.onsubmit = (e) => { e.preventDefault(); fetch('/door', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(Object.fromEntries(new FormData(f))) }); };</script>`;

test('two accounts of a form by which whoever is new joins', async (world) => {
  const { seen, guests } = await gained(world, { page: form('Log in or register'), takesNew: true });
  assert.equal(seen, ['registered_1', 'registered_2']);
  assert.ok(guests >= 2);
});

test('the same of a request of a script', async (world) => {
  const { seen } = await gained(world, { page: script, isJson: true, takesNew: true });
  assert.equal(seen, ['registered_1', 'registered_2']);
});

test('none of a login that refuses whoever is new, and none where nothing may stay', async (world) => {
  assert.equal((await gained(world, { page: form('Log in'), takesNew: false })).seen, []);
  const kept = await gained(world, { page: form('Log in or register'), takesNew: true }, Writes.REVERSIBLE);
  assert.equal([kept.seen, kept.guests], [[], 0]);
});

test.run();
