import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { OmissionCode } from '../../../proto/gen/scanaudit/v1/coverage_pb.ts';
import { Writes } from '../../../proto/gen/scanaudit/v1/domains_pb.ts';
import { Depth, ScanStatus } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { environmentFile } from '../../../workflows/checks/exposure/environment-file.check.ts';
import { registryOf } from '../../../workflows/checks/registry.ts';
import type { BrowserPool } from '../../../workflows/probe/browser/launch.ts';
import { html, type Request, redirect, startSite } from '../../fixtures/site.ts';
import { firstRows, further } from '../../support/further.ts';
import { testBrowsers } from '../checks/harness.ts';
import { checkLike } from '../support/checks.ts';
import { hasEnded } from '../support/installation.ts';
import { openWorkbench, type Workbench } from '../support/workbench.ts';

type SeenUser = { name: string; role: string };
type World = { bench: Workbench; browsers: BrowserPool; seen: SeenUser[] };
const test = suite<World>('accounts that an audit finds for itself');

test.before(async (world) => {
  world.seen = [];
  const looking = checkLike({
    id: 'users.seen',
    depth: 'deep',
    detect({ identities, surfaces }) {
      for (const { name, role } of Object.values(identities)) {
        const isShown =
          surfaces[name]?.pages.some(({ url }) => /\/(?:desk|shelf)$/.test(new URL(url).pathname)) ?? false;
        if (isShown) world.seen.push({ name, role });
      }
      return [];
    },
  });
  world.browsers = testBrowsers();
  world.bench = await openWorkbench(registryOf([looking, environmentFile], []), world.browsers);
});
test.after(async ({ bench, browsers }) => {
  await bench.close();
  await browsers.close();
});

/** The same by script over JSON, with the token of a session. */
function scriptedSite(host: string) {
  const people = new Map<string, string>();
  const script = `const send = (path, of) => fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' },
    body: JSON.stringify(Object.fromEntries(new FormData(of))) }).then((answer) => answer.json());
  const views = {
    '#/join': '<form id=sheet><input name=name><input name=email type=email><input name=password type=password><button>Sign up</button></form>',
    '#/enter': '<form id=sheet><input name=email type=email><input name=password type=password><button>Log in</button></form>',
  };
  const show = async () => {
    const { token } = localStorage;
    desk.textContent = token ? (await (await fetch('/api/shelf', { headers: { authorization: 'Bearer ' + token } })).json()).desk ?? '' : '';
    place.innerHTML = views[location.hash] ?? '<a href="#/join">Sign up</a> <a href="#/enter">Log in</a>';
    const sheet = document.getElementById('sheet');
    if (sheet) sheet.onsubmit = async (event) => {
      event.preventDefault();
      const { token } = await send(location.hash === '#/join' ? '/api/auth/signup' : '/api/auth/login', sheet);
      if (token) localStorage.token = token;
      location.hash = '#/';
    };
  };
  addEventListener('hashchange', show);
  show();`;
  const registered: string[] = [];
  const json = (value: object, status = 200) => ({
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(value),
  });
  return startSite(
    ({ method, path, body, headers }) => {
      if (path === '/')
        return html('<title>Office</title><p id=desk></p><div id=place></div><script src=/app.js></script>');
      if (path === '/app.js') return { headers: { 'content-type': 'text/javascript' }, body: script };
      const [who = '', word] = Buffer.from(headers.authorization?.slice(7) ?? '', 'base64url')
        .toString()
        .split(' ');
      if (path === '/api/shelf')
        return people.get(who) === word && word ? json({ desk: `Desk of ${who}` }) : json({ error: 'log in' }, 401);
      if (method !== 'POST') return undefined;
      const { email = '', password = '' } = JSON.parse(body) as { email?: string; password?: string };
      if (path === '/api/auth/signup') {
        if (people.has(email) || !email.includes('@')) return json({ error: 'no' }, 422);
        people.set(email, password);
        registered.push(email);
        return json({ email }, 201);
      }
      if (path !== '/api/auth/login') return undefined;
      const token = Buffer.from(`${email} ${password}`).toString('base64url');
      return people.get(email) === password ? json({ token }) : json({ error: 'wrong credentials' }, 401);
    },
    { host },
  ).then((site) => ({ ...site, registered, used: [] as string[] }));
}

type SiteParts = {
  isScripted?: boolean;
  isLocked?: boolean;
  /** HTTP Basic guards the whole site. */
  isGuarded?: boolean;
  /** There is no login, and whoever follows a link is given a session. */
  isForGuests?: boolean;
  /** A link that says nothing of it ends the session of all guests. */
  endsByLink?: boolean;
  /** The login puts what it is sent into a statement. */
  isBuilt?: boolean;
  /** What `/.env` has. */
  settings?: string;
  title?: string;
  note?: string;
  registers?: boolean;
  isMail?: boolean;
};

const register = `<form method="post" action="/register"><input name="username" required><input type="email" name="email" required>
  <input type="password" name="password"><input type="password" name="password_again"><button>Create account</button></form>`;

/** All of it is for who knows the first account of the device. */
const guardedSite = (host: string) =>
  startSite(
    ({ headers, path }) => {
      if (headers.authorization !== `Basic ${btoa('admin:admin')}`)
        return { status: 401, headers: { 'www-authenticate': 'Basic realm="Device administration"' }, body: 'No.' };
      if (path === '/') return html('<h1>Device</h1><a href="/desk">Desk</a>');
      return path === '/desk' ? html('<h1>Desk</h1>') : undefined;
    },
    { host },
  ).then((site) => ({ ...site, registered: [] as string[], used: [] as string[] }));

const guestSite = (host: string, { endsByLink = false }: SiteParts) => {
  const passes = new Set<string>();
  const desk = `<h1>Desk of a guest</h1>${endsByLink ? '<a href="/done">Done</a>' : ''}<form action="/find"><input type="search" name="q"></form>`;
  return startSite(
    ({ path, cookies }) => {
      if (path === '/') return html('<h1>Office</h1><a href="/trial">Try it</a>');
      if (path === '/trial') {
        const pass = randomBytes(12).toString('hex');
        passes.add(pass);
        return redirect('/desk', 302, { 'set-cookie': `pass=${pass}; Path=/; HttpOnly` });
      }
      if (path === '/done' && endsByLink) passes.delete(cookies.pass ?? '');
      return path === '/desk' && passes.has(cookies.pass ?? '') ? html(desk) : redirect('/');
    },
    { host },
  ).then((site) => ({ ...site, registered: [] as string[], used: [] as string[] }));
};

/** People log in, see their desk, and where the site lets them register. */
function officeSite(
  host: string,
  { title = 'Office', note = '', registers = false, isMail = false, isLocked, isBuilt, settings }: SiteParts,
) {
  const staff = new DatabaseSync(':memory:');
  staff.exec("CREATE TABLE staff (who TEXT, word TEXT); INSERT INTO staff VALUES ('lea', 'lea-2032-x')");
  const people = new Map([
    ['kim', 'kim-2031'],
    ['lea', 'lea-2032'],
  ]);
  if (/administration/.test(title)) people.set('admin', 'admin');
  const sessions = new Map<string, string>();
  const registered: string[] = [];
  const used: string[] = [];
  const things: { of: string; thing: string }[] = [];
  const tool = '<form method="post" action="/tool"><input name="thing"><button>Go</button></form>';
  const field = isMail ? '<input type="email" name="email">' : '<input name="who">';
  const login = `${note}<h1>${title}</h1><form method="post" action="/login">${field}<input type="password" name="word"><button>Log in</button></form>`;
  const enrol = (fields: URLSearchParams) => {
    const [name = '', mail = ''] = [fields.get('username') ?? '', fields.get('email') ?? ''];
    const word = fields.get('password') ?? '';
    if (word.length < 8 || word !== fields.get('password_again') || !mail.includes('@')) return html('No.', 422);
    people.set(isMail ? mail : name, word);
    registered.push(name);
    return redirect('/login', 303);
  };
  const isFound = (name: string, word: string): boolean => {
    try {
      return staff.prepare(`SELECT who FROM staff WHERE who = '${name}' AND word = '${word}'`).get() !== undefined;
    } catch {
      return false;
    }
  };
  const handle = ({ method, path, body, cookies }: Request) => {
    if (path === '/.env' && settings !== undefined)
      return { headers: { 'content-type': 'text/plain' }, body: settings };
    const fields = new URLSearchParams(body);
    const user = sessions.get(cookies.sid ?? '');
    if (path === '/')
      return html(`<h1>${title}</h1><a href="/login">Log in</a>${registers ? '<a href="/register">Register</a>' : ''}`);
    if (path === '/register' && registers) return method === 'POST' ? enrol(fields) : html(register);
    if (path === '/desk')
      return user
        ? html(
            `<h1>Desk of ${user}</h1>${things.map(({ of, thing }) => (of === user ? `<p>${thing.replace(/\W/g, '')}</p>` : '')).join('')}${tool}<a href="/logout">Log out</a>`,
          )
        : redirect('/login');
    if (path === '/tool' && method === 'POST' && user !== undefined) {
      used.push(user);
      things.push({ of: user, thing: fields.get('thing') ?? '' });
      return redirect('/desk', 303);
    }
    if (path !== '/login') return undefined;
    if (method !== 'POST') return html(login);
    if (isLocked) return html('<p>Too many failed login attempts. Your account is locked.</p>');
    const [name, word] = [fields.get(isMail ? 'email' : 'who') ?? '', fields.get('word') ?? ''];
    if (people.get(name) !== word && !(isBuilt && isFound(name, word)))
      return html(`<p>Wrong name or password.</p>${login}`);
    const id = randomBytes(9).toString('hex');
    sessions.set(id, name);
    return { status: 303, headers: { location: '/desk', 'set-cookie': `sid=${id}; Path=/; HttpOnly` }, body: '' };
  };
  return startSite(handle, { host }).then((site) => ({ ...site, registered, used }));
}

/** Test identities of the org, with their passwords. */
const given = [
  ['kim', 'kim-2031'],
  ['lea', 'lea-2032'],
] as const;

async function audited({ bench, seen }: World, parts: SiteParts, writes: Writes, logins = 0) {
  const { isScripted, isGuarded, isForGuests } = parts;
  const open = isScripted ? scriptedSite : isGuarded ? guardedSite : isForGuests ? guestSite : officeSite;
  const site = await open(bench.host, parts);
  seen.length = 0;
  try {
    await bench.domains.putScope({ domain: bench.host, scope: { writes } });
    for (const [name, password] of given.slice(0, logins)) {
      const value = { url: `${site.url}/login`, username: name, password };
      await bench.domains.putLogin({ domain: bench.host, name, login: { kind: { case: 'form', value } } });
    }
    const { runId } = await bench.scans.startScan({ url: site.url, depth: Depth.DEEP });
    const { status, coverage } = await bench.until(runId, hasEnded, 120_000);
    assert.is(status, ScanStatus.COMPLETED);
    const report = Buffer.from((await bench.scans.getReport({ runId })).content).toString('utf8');
    const noted = [...(coverage?.gaps ?? []), ...(coverage?.limits ?? [])].map(({ code }) => code);
    return { seen: [...seen], registered: site.registered, used: site.used, report, noted };
  } finally {
    for (const [name] of given.slice(0, logins)) await bench.domains.deleteLogin({ domain: bench.host, name });
    await site.close();
  }
}

further(test)(
  'two accounts that a page shows are used, and the coverage says whose eyes the audit had',
  async (world) => {
    const { seen, noted } = await audited(
      world,
      { note: '<p>Demo accounts: kim / kim-2031 and lea / lea-2032</p>' },
      Writes.REVERSIBLE,
    );
    assert.equal(seen, [
      { name: 'shown_1', role: 'user' },
      { name: 'shown_2', role: 'user' },
    ]);
    assert.ok(noted.includes(OmissionCode.IDENTITIES_GAINED));
    assert.not.ok(noted.includes(OmissionCode.IDENTITIES_MISSING));
  },
);

further(test)('a guest is no test identity, and the coverage says that there is none', async (world) => {
  const { seen, noted } = await audited(world, { isForGuests: true }, Writes.CREATE);
  assert.equal(seen, [{ name: 'guest_1', role: 'user' }]);
  assert.ok(noted.includes(OmissionCode.NO_IDENTITIES));
  assert.not.ok(noted.includes(OmissionCode.IDENTITIES_GAINED));
});

test('a session that was gained, and that a link has ended for good, keeps nothing else from being looked at', async (world) => {
  const startedAt = performance.now();
  const { seen, noted } = await audited(world, { isForGuests: true, endsByLink: true }, Writes.CREATE);
  assert.equal(seen, []);
  assert.ok(noted.includes(OmissionCode.LOGIN_LOST));
  assert.ok(performance.now() - startedAt < 55_000, 'no login is waited for');
});

further(test)('the first account of an administration is used, as one that administrates', async (world) => {
  const { seen, used } = await audited(world, { title: 'Office administration' }, Writes.REVERSIBLE);
  assert.equal(seen, [{ name: 'usual_1', role: 'admin' }]);
  assert.equal(used, [], 'nothing is tried out with the rights of an administrator');
});

further(test)('the first account of what HTTP Basic guards is used', async (world) => {
  const { seen } = await audited(world, { isGuarded: true }, Writes.REVERSIBLE);
  assert.equal(seen, [{ name: 'usual_1', role: 'admin' }]);
});

const settings = 'APP_ENV=production\nDB_HOST=10.0.0.7\nSTAFF_USER=kim\nSTAFF_PASSWORD=kim-2031\n';

further(test)('on a test system an account whose password a file gives away is used', async (world) => {
  const { seen } = await audited(world, { settings }, Writes.CREATE);
  assert.equal(seen, [{ name: 'leaked_1', role: 'admin' }]);
});

further(test)('on a test system whoever a condition lets in is used, and logs in again', async (world) => {
  const { seen, used } = await audited(world, { isBuilt: true }, Writes.CREATE);
  assert.equal(seen, [{ name: 'bypass_1', role: 'admin' }]);
  assert.ok(used.length > 0, 'a tool of the administration is tried out');
});

test('what an attack gains is not used where people work', async (world) => {
  const { seen } = await audited(world, { isBuilt: true, settings }, Writes.REVERSIBLE);
  assert.equal(seen, []);
});

for (const isMail of firstRows([true, false], 1))
  further(test)(
    `on a test system two accounts are opened, with their ${isMail ? 'mail address' : 'name'}, and reported`,
    async (world) => {
      const { seen, registered, report, used } = await audited(world, { registers: true, isMail }, Writes.CREATE);
      assert.equal(
        seen.map(({ name }) => name),
        ['registered_1', 'registered_2'],
      );
      assert.is(registered.length, 2);
      assert.is(new Set(used).size, 2, 'each has something of its own');
      assert.ok(report.includes('An account was registered'));
    },
  );

further(test)(
  'on a test system accounts are opened by requests of scripts, in a folder of the login, too',
  async (world) => {
    const { seen, registered } = await audited(world, { isScripted: true }, Writes.CREATE);
    assert.equal(
      seen.map(({ name }) => name),
      ['registered_1', 'registered_2'],
    );
    assert.is(registered.length, 2);
  },
);

further(test)('beside a user the first account of an administration is used, on a test system', async (world) => {
  const { seen } = await audited(world, { title: 'Office administration' }, Writes.CREATE, 1);
  assert.equal(
    seen.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    [
      { name: 'kim', role: 'user' },
      { name: 'usual_1', role: 'admin' },
    ],
  );
});

further(test)('beside one test identity one more account is opened', async (world) => {
  const { seen, registered } = await audited(world, { registers: true }, Writes.CREATE, 1);
  assert.equal(seen.map(({ name }) => name).sort(), ['kim', 'registered_1']);
  assert.is(registered.length, 1);
});

further(test)('beside two test identities one account of the audit’s own is opened', async (world) => {
  const { seen, registered } = await audited(world, { registers: true }, Writes.CREATE, 2);
  assert.equal(seen.map(({ name }) => name).sort(), ['kim', 'lea', 'registered_1']);
  assert.is(registered.length, 1);
});

further(test)('accounts that a closed login left untried are reported', async (world) => {
  const parts = { note: '<p>Demo account: kim / kim-2031</p>', isLocked: true };
  const { seen, noted } = await audited(world, parts, Writes.REVERSIBLE);
  assert.equal(seen, []);
  assert.ok(noted.includes(OmissionCode.BLOCKED));
});

further(test)('no account is opened where the scope does not allow what stays', async (world) => {
  const { seen, registered, noted } = await audited(world, { registers: true }, Writes.REVERSIBLE);
  assert.equal(seen, []);
  assert.equal(registered, []);
  assert.ok(noted.includes(OmissionCode.IDENTITIES_MISSING));
});

further(test)('what a page shows is not tried where the org has given its own test identity', async (world) => {
  const { seen } = await audited(world, { note: '<p>Demo account: admin / admin</p>' }, Writes.REVERSIBLE, 1);
  assert.equal(seen, [{ name: 'kim', role: 'user' }]);
});

test.run();
