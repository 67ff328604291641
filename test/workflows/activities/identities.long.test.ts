import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  Depth,
  OutcomeKind,
  type Scan,
  ScanStatus,
  Threshold,
  Verdict,
} from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { notApplicable, notRun } from '../../../workflows/checks/contract.ts';
import { registryOf } from '../../../workflows/checks/registry.ts';
import type { BrowserPool } from '../../../workflows/probe/browser/launch.ts';
import { dora, emil } from '../../fixtures/logins/people.ts';
import { storageApp } from '../../fixtures/logins/script-sites.ts';
import { sessionSite } from '../../fixtures/logins/session-sites.ts';
import { type Handler, html, startSite } from '../../fixtures/site.ts';
import { further } from '../../support/further.ts';
import { testBrowsers } from '../checks/harness.ts';
import { bodyHas, checkLike } from '../support/checks.ts';
import { hasEnded } from '../support/installation.ts';
import { openWorkbench, type Workbench } from '../support/workbench.ts';

const at = (url: string, path: string) => new URL(path, url).href;

/** Reads a page many times in the session of "a", and says how often it was somebody's. */
const patient = (seen: string[]) =>
  checkLike({
    id: 'sessions.patient',
    depth: 'deep',
    async detect({ surface, as, identities }) {
      if (!identities.a) return notApplicable('there is no identity');
      const answers = [];
      for (let count = 0; count < 6; count += 1) answers.push(await as('a', surface.url));
      seen.push(answers.every(({ text }) => text.includes('Signed in as dora')) ? 'dora' : 'not always dora');
      return [];
    },
  });

/** Goes to each page that the survey as "a" saw. */
const visitor = (pages: string[]) =>
  checkLike({
    id: 'sessions.visitor',
    depth: 'deep',
    async detect({ surfaces, as, identities }) {
      if (!identities.a) return notApplicable('there is no identity');
      for (const { url } of surfaces.a?.pages ?? []) {
        pages.push(new URL(url).pathname);
        await as('a', url);
      }
      return [];
    },
  });

/** As the access checks do: it takes two. */
const pair = checkLike({
  id: 'access.pair',
  depth: 'deep',
  detect: ({ identities }) =>
    Object.keys(identities).length < 2 ? notRun('identities_missing', 'It takes two identities.') : [],
});

const leak = checkLike({
  id: 'leak.word',
  depth: 'deep',
  detect: ({ surface }) => [{ location: { url: at(surface.url, '/leak') } }],
  confirm: (_context, { location }) => bodyHas(location.url, 'secret word'),
});

/** Tries wrong passwords, as what looks for injection in a login form does. */
const guesser = checkLike({
  id: 'guesses.wrong',
  async detect({ http, surface }) {
    const form = {
      url: at(surface.url, '/login'),
      method: 'POST',
      headers: [['Content-Type', 'application/x-www-form-urlencoded']],
    } as const;
    for (let count = 0; count < 6; count += 1) await http.send({ ...form, body: `username=x${count}&password=y` });
    return [];
  },
});

/** A family of its own each, so that they run beside each other. */
const busy = ['one', 'two', 'three'].map((family) =>
  checkLike({
    id: `${family}.busy`,
    depth: 'deep',
    async detect({ as, identities: { a } }) {
      if (!a) return notApplicable('there is no identity');
      const answer = await as('a', a.checkUrl);
      return answer.text.includes(a.marker) ? [] : notRun('login_lost', 'nobody is signed in');
    },
  }),
);

/** Checks that look as each visitor, of families that run beside each other. */
const onlookers = (sessions: [family: string, session: string][]) =>
  ['glances', 'injection'].flatMap((family) =>
    ['one', 'two'].map((name) => {
      const id = family === 'injection' ? `${family}.${name}` : `${family}-${name}.session`;
      return checkLike({
        ...{ id, visitors: 'each' },
        async detect({ visitor, identities, surface }) {
          const own = identities[visitor ?? ''];
          if (own) sessions.push([family, own.jar.header(surface.url)]);
          return [];
        },
      });
    }),
  );

type World = {
  bench: Workbench;
  browsers: BrowserPool;
  seen: string[];
  pages: string[];
  sessions: [family: string, session: string][];
};
const test = suite<World>('identities of a deep scan');

test.before(async (world) => {
  Object.assign(world, { seen: [], pages: [], sessions: [] });
  world.browsers = testBrowsers();
  world.bench = await openWorkbench(
    registryOf(
      [patient(world.seen), visitor(world.pages), pair, leak, guesser, ...busy, ...onlookers(world.sessions)],
      [],
    ),
    world.browsers,
  );
});
test.after(async ({ bench, browsers }) => {
  await bench.close();
  await browsers.close();
});
test.before.each((world) => {
  world.seen.length = 0;
  world.pages.length = 0;
  world.sessions.length = 0;
});

type Login = NonNullable<Parameters<Workbench['domains']['putLogin']>[0]['login']>;
type Credentials = { username: string; password: string };

/** Scans a site with these logins. */
async function scan({ bench }: World, handler: Handler, loginsFor: (url: string) => Record<string, Login>) {
  const site = await startSite(handler, { host: bench.host });
  const logins = Object.entries(loginsFor(site.url));
  try {
    for (const [name, login] of logins) await bench.domains.putLogin({ domain: bench.host, name, login });
    const { runId } = await bench.scans.startScan({ url: site.url, depth: Depth.DEEP });
    const record = await bench.until(runId, hasEnded, 200_000);
    assert.is(record.status, ScanStatus.COMPLETED, record.failure?.detail);
    const { verdict } = await bench.scans.getGate({ runId, threshold: Threshold.NONE });
    return { record, verdict, requests: site.requests };
  } finally {
    for (const [name] of logins) await bench.domains.deleteLogin({ domain: bench.host, name });
    await site.close();
  }
}

const formLogin = (url: string, credentials: Credentials): Login => ({
  kind: { case: 'form', value: { url: at(url, '/login'), ...credentials } },
});
const both = (url: string) => ({ a: formLogin(url, dora), b: formLogin(url, emil) });

const outcomeOf = ({ coverage }: Scan, checkId: string) =>
  coverage?.families.flatMap(({ outcomes }) => outcomes).find((outcome) => outcome.checkId === checkId)?.outcome;
const remarkOf = ({ coverage }: Scan, part: string) => coverage?.families.find(({ id }) => id === part)?.reason ?? '';
const gapOf = ({ coverage }: Scan, subject: string) =>
  coverage?.gaps.find((gap) => gap.subject === subject)?.text ?? '';

test('families that only look share the session of an identity, and those that measure times have one of their own', async (world) => {
  await scan(world, sessionSite({ pages: { '/a': 'a' } }).handler, (url) => ({ a: formLogin(url, dora) }));
  const of = (family: string) => world.sessions.filter(([each]) => each === family).map(([, session]) => session);
  const [one, two] = of('glances');
  assert.ok(one);
  assert.is(one, two);
  assert.not.ok(of('injection').includes(one));
});

further(test)('two accounts that log in are all that it takes: the coverage is complete', async (world) => {
  const { record } = await scan(world, sessionSite({ pages: { '/leak': 'nothing' } }).handler, both);
  assert.equal(record.coverage?.gaps, []);
  assert.is(record.coverage?.complete, true);
  assert.match(remarkOf(record, 'login:a'), /^logged in; proven at http:/);
  assert.is(outcomeOf(record, 'access.pair'), OutcomeKind.CLEAN);
});

further(test)('what is alike for users of one role is asked for as the first of them alone', async (world) => {
  const ask = '<form method="post" action="/ask"><input name="thing"></form><a href="/gone">More</a>';
  const site = sessionSite({ pages: { '/ask': ask } });
  const seen: string[] = [];
  const handler: Handler = (request) => {
    const who = site.sessions.get(request.cookies.sid ?? '') ?? 'nobody';
    seen.push(`${request.method} ${request.path} as ${who}`);
    return request.method === 'POST' && request.path === '/ask' ? html('<p>There is none</p>') : site.handler(request);
  };
  const { record } = await scan(world, handler, both);
  assert.is(record.coverage?.complete, true);
  const times = (line: string) => seen.filter((each) => each === line).length;
  assert.ok(times('GET /ask as emil') > 0);
  assert.equal([times('POST /ask as dora') > 0, times('POST /ask as emil')], [true, 0]);
  assert.equal([times('GET /gone as dora') > 0, times('GET /gone as emil')], [true, 0]);
});

further(test)('a site that ends sessions after some requests is looked at in a living one', async (world) => {
  const site = sessionSite({ maxRequests: 14, pages: { '/a': 'a', '/b': 'b', '/c': 'c' } });
  const { record } = await scan(world, site.handler, both);
  assert.equal(record.coverage?.gaps, []);
  assert.is(outcomeOf(record, 'sessions.patient'), OutcomeKind.CLEAN);
  assert.is(world.seen.at(-1), 'dora');
  assert.ok(
    ['/a', '/b', '/c'].every((path) => world.pages.includes(path)),
    world.pages.join(' '),
  );
});

further(test)('a check that is longer than any session says so, and the logins are bounded', async (world) => {
  const site = sessionSite({ maxRequests: 5 });
  const { record, verdict } = await scan(world, site.handler, (url) => ({ a: formLogin(url, dora) }));
  assert.is(outcomeOf(record, 'sessions.patient'), OutcomeKind.NOT_RUN);
  assert.match(gapOf(record, 'sessions.patient'), /the session of a ended on the way, 3 times/);
  assert.is(verdict, Verdict.INCONCLUSIVE);
  assert.ok(site.logins.length < 60, `${site.logins.length} logins`);
});

further(test)('a page that ends the session is found out, left out, and named', async (world) => {
  const site = sessionSite({ endingPage: '/privacy', pages: { '/a': 'a', '/privacy': '-', '/b': 'b' } });
  const { record } = await scan(world, site.handler, both);
  assert.equal(record.coverage?.gaps, []);
  assert.match(remarkOf(record, 'survey:a'), /left out, since it ends the session: \/privacy/);
  assert.ok(world.pages.includes('/a') && world.pages.includes('/b') && !world.pages.includes('/privacy'));
  assert.is(outcomeOf(record, 'sessions.visitor'), OutcomeKind.CLEAN);
});

further(test)('where each login ends the one before it, one session serves all families', async (world) => {
  const site = sessionSite({ isExclusive: true });
  const { record } = await scan(world, site.handler, both);
  assert.equal(record.coverage?.gaps, []);
  assert.match(remarkOf(record, 'login:a'), /each login ends the session before it/);
  for (const { id } of busy) assert.is(outcomeOf(record, id), OutcomeKind.CLEAN, id);
  assert.equal(site.logins, ['dora', 'dora', 'emil', 'emil']);
});

further(test)(
  'a site that lets nobody in after wrong passwords is looked at in the sessions from before them',
  async (world) => {
    const site = sessionSite({ maxWrong: 5 });
    const { record } = await scan(world, site.handler, both);
    assert.is(outcomeOf(record, 'guesses.wrong'), OutcomeKind.CLEAN);
    assert.equal(record.coverage?.gaps, []);
    assert.is(world.seen.at(-1), 'dora');
    for (const { id } of busy) assert.is(outcomeOf(record, id), OutcomeKind.CLEAN, id);
    assert.is(outcomeOf(record, 'access.pair'), OutcomeKind.CLEAN);
  },
);

further(test)('an overloaded check page is asked again before a session counts as lost', async (world) => {
  const design = { busyFor: 0 };
  const { handler, logins } = sessionSite(design);
  const calm = sessionSite({});
  await scan(world, calm.handler, (url) => ({ a: formLogin(url, dora) }));
  let count = 0;
  const { record } = await scan(
    world,
    (request) => {
      if (request.path === '/' && request.cookies.sid && ++count % 9 === 0) design.busyFor = 1;
      return handler(request);
    },
    (url) => ({ a: formLogin(url, dora) }),
  );
  assert.match(remarkOf(record, 'login:a'), /^logged in/);
  assert.ok(logins.length <= calm.logins.length, `${logins.length} logins, ${calm.logins.length} without overload`);
});

further(test)('two logins of one account are refused, and the gate is inconclusive', async (world) => {
  const { handler } = sessionSite({});
  // The site takes the address and the name for the same account.
  const alias: Handler = (request) => handler({ ...request, body: request.body.replace('dora%40example.org', 'dora') });
  const { record, verdict } = await scan(world, alias, (url) => ({
    a: formLogin(url, dora),
    b: formLogin(url, { ...dora, username: 'dora@example.org' }),
  }));
  assert.match(gapOf(record, 'login:b'), /it is the same account as the login "a"/);
  assert.is(outcomeOf(record, 'access.pair'), OutcomeKind.NOT_RUN);
  assert.is(verdict, Verdict.INCONCLUSIVE);
});

further(test)('each failure is reported for its identity, and the other one goes on', async (world) => {
  const { record, verdict } = await scan(world, sessionSite({}).handler, (url) => ({
    a: formLogin(url, dora),
    b: formLogin(url, { username: 'emil', password: 'wrong' }),
  }));
  assert.match(gapOf(record, 'login:b'), /refused the user name or the password/);
  assert.is(outcomeOf(record, 'sessions.patient'), OutcomeKind.CLEAN);
  assert.is(record.coverage?.complete, false);
  assert.is(verdict, Verdict.INCONCLUSIVE);
});

test('without identities what needs none is run, and the coverage says what is missing', async (world) => {
  const { handler } = sessionSite({});
  const { record, verdict } = await scan(
    world,
    (request) => (request.path === '/leak' ? html('the secret word') : handler(request)),
    () => ({}),
  );
  assert.is(outcomeOf(record, 'leak.word'), OutcomeKind.FOUND);
  assert.is(outcomeOf(record, 'access.pair'), OutcomeKind.NOT_RUN);
  assert.is(
    gapOf(record, 'login'),
    'nothing behind the login was tested: give site.localhost a test identity (PUT /api/v1/domains/site.localhost/logins/‹name›)',
  );
  assert.is(record.coverage?.complete, false);
  assert.is(verdict, Verdict.INCONCLUSIVE);
});

further(test)('a login that needs a browser falls back to it by itself, and says so', async (world) => {
  const { record } = await scan(world, storageApp().handler, both);
  assert.equal(record.coverage?.gaps, []);
  assert.match(
    remarkOf(record, 'login:a'),
    /^logged in with a browser, since no login form was found at .*proven at .*\/api\/profile/,
  );
  assert.is(outcomeOf(record, 'access.pair'), OutcomeKind.CLEAN);
});

test.run();
