import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Proof, ProofSchema, ProofStepSchema } from '../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { makeNonce } from '../../../workflows/activities/audit-context.ts';
import { type CaptureRule, claim, type Experiment, type Step } from '../../../workflows/model/experiment.ts';
import { ProbeError } from '../../../workflows/model/probe-error.ts';
import type { OpenProbes } from '../../../workflows/probe/open.ts';
import { ProofError } from '../../../workflows/proof/proof-error.ts';
import { prove } from '../../../workflows/proof/prove.ts';
import { experimentOf } from '../../../workflows/proof/stored.ts';
import type { ProofContext } from '../../../workflows/proof/trial.ts';
import { type Answer, html, type Request, type Site, startSite } from '../../fixtures/site.ts';
import { openTestProbes } from '../support/checks.ts';

type World = {
  site: Site;
  probes: OpenProbes;
  answer: (request: Request) => Answer | undefined;
  context: ProofContext;
};

const test = suite<World>('prove');
test.before.each(async (world) => {
  world.answer = ({ path, query }) => (path === '/echo' ? html(query.get('q') ?? '') : undefined);
  world.site = await startSite((request) => world.answer(request));
  world.probes = openTestProbes(world.site.url);
  world.context = {
    ...world.probes,
    identities: {},
    nonce: () => makeNonce(),
    now: () => new Date(),
    signal: new AbortController().signal,
  };
});
test.after.each(async ({ site, probes }) => {
  await probes.close();
  await site.close();
});

const step = (url: string, expected: string, more: Partial<Step> = {}): Step => ({
  http: { url },
  note: 'The page has the word.',
  expect: [claim('body', 'contains', expected)],
  ...more,
});

const echo = ({ site }: World): Experiment => ({
  steps: [step(`${site.url}/echo?q=word-‹nonce›`, 'word-‹nonce›')],
  control: [step(`${site.url}/echo?q=other`, 'word-‹nonce›')],
});

async function proofOf(experiment: Experiment, context: ProofContext): Promise<Proof> {
  const verdict = await prove(experiment, context);
  if (!verdict.proven) throw new Error(verdict.reason);
  return verdict.proof;
}

async function reasonOf(experiment: Experiment, context: ProofContext): Promise<string> {
  const verdict = await prove(experiment, context);
  if (verdict.proven) throw new Error('it was proven');
  return verdict.reason;
}

async function errorOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

test('an experiment that holds twice, with a control that does not, is proven', async (world) => {
  const proof = await proofOf(echo(world), world.context);
  assert.is(proof.trials, 2);
  assert.equal([proof.steps.length, proof.control.length], [1, 1]);
  assert.is(world.site.requests.length, 4);
});

test('each trial has nonces of its own', async (world) => {
  await proofOf(echo(world), world.context);
  const words = world.site.requests.flatMap((request) => /word-\w+/.exec(request) ?? []);
  assert.is(new Set(words).size, 2);
});

test('what holds once only is refuted', async (world) => {
  let count = 0;
  world.answer = ({ query }) => html(count++ < 2 ? (query.get('q') ?? '') : 'gone');
  assert.match(await reasonOf(echo(world), world.context), /^Trial 2, /);
});

test('a control that holds too refutes', async (world) => {
  const { steps } = echo(world);
  assert.match(await reasonOf({ steps, control: steps }, world.context), /without the cause/);
});

test('a control that is not prepared as planned refutes', async (world) => {
  const { steps, control } = echo(world);
  const preparation = step(`${world.site.url}/nowhere`, 'something');
  assert.match(await reasonOf({ steps, control: [preparation, ...control] }, world.context), /^Trial 1, control/);
});

test('a step that gets no answer is an error and no refutation', async (world) => {
  const { control } = echo(world);
  const error = await errorOf(prove({ steps: [step('http://shop.localhost:9/', 'x')], control }, world.context));
  assert.ok(error instanceof ProbeError);
});

test('a control that gets no answer is an error and no proof', async (world) => {
  const { steps } = echo(world);
  await world.probes.close();
  assert.ok((await errorOf(prove(echo(world), world.context))) instanceof ProbeError);
  const probes = openTestProbes(world.site.url);
  try {
    const control = [step('http://shop.localhost:9/', 'x')];
    assert.ok((await errorOf(prove({ steps, control }, { ...world.context, ...probes }))) instanceof ProbeError);
  } finally {
    await probes.close();
  }
});

test('an experiment without steps, control or claims proves nothing', async (world) => {
  const { steps, control } = echo(world);
  const claimless = control.map((each) => ({ ...each, expect: [] }));
  for (const experiment of [
    { steps: [], control },
    { steps, control: [] },
    { steps, control: claimless },
  ])
    assert.ok((await errorOf(prove(experiment, world.context))) instanceof ProofError);
  assert.is(world.site.requests.length, 0);
});

test('a captured value is used by later steps, and in claims and patterns for itself', async (world) => {
  world.answer = ({ path, query }) =>
    path === '/form'
      ? html('key=<b>a+b.c</b>')
      : html(query.get('key') === 'a+b.c' ? 'a+b.c is right' : 'aab-c is wrong');
  const { url } = world.site;
  const experiment: Experiment = {
    steps: [
      step(`${url}/form`, 'key', { capture: [{ name: 'key', subject: 'body', pattern: '<b>([^<]+)' }] }),
      {
        http: { url: `${url}/use?key=‹encode:key›` },
        note: 'It is used.',
        expect: [claim('body', 'matches', '‹key› is right')],
      },
    ],
    control: [
      { http: { url: `${url}/use?key=other` }, note: 'Another.', expect: [claim('body', 'matches', '‹key› is right')] },
    ],
  };
  const verdict = await prove(experiment, world.context);
  assert.ok(verdict.proven);
  assert.is(verdict.proven && verdict.captured.key, 'a+b.c');
});

test('nothing to capture refutes', async (world) => {
  const { steps, control } = echo(world);
  const capture: CaptureRule[] = [{ name: 'x', subject: 'body', pattern: 'nowhere (.)' }];
  assert.match(
    await reasonOf({ steps: steps.map((s) => ({ ...s, capture })), control }, world.context),
    /nothing to capture as x/,
  );
});

test('a session is attached when a step is sent, and never stored', async (world) => {
  world.answer = ({ cookies, headers }) =>
    html(
      cookies.sid === 'session-1234567' && headers['x-tenant'] === 'tenant-7654321'
        ? 'welcome, sid session-1234567'
        : 'sign in',
    );
  const jar = world.probes.http.newJar();
  jar.set(world.site.url, 'sid', 'session-1234567');
  const identities = { A: { jar, headers: [['X-Tenant', 'tenant-7654321']] as const } };
  const experiment = {
    steps: [step(`${world.site.url}/me`, 'welcome', { identity: 'A' })],
    control: [step(`${world.site.url}/me`, 'welcome')],
  };
  const proof = await proofOf(experiment, { ...world.context, identities });
  const kept = Buffer.from(toBinary(ProofSchema, proof)).toString('latin1');
  assert.not.match(kept, /session-1234567|tenant-7654321/);
  assert.match(proof.curl, /-H "X-Tenant: \$\{X_TENANT_A:\?\}" -H "Cookie: \$\{COOKIE_A:\?\}"/);
});

test('what a message of another request disturbed in a session is tried once more, and what changes something is not', async (world) => {
  const jar = world.probes.http.newJar();
  const user = { name: 'A', role: 'user', jar, headers: [], checkUrl: `${world.site.url}/me`, marker: 'welcome' };
  const context: ProofContext = { ...world.context, identities: { A: user } };
  let asked = 0;
  world.answer = ({ query }) => {
    asked += 1;
    return html(asked === 1 ? 'Another message.' : (query.get('q') ?? ''));
  };
  const { steps, control } = echo(world);
  const asUser = (given: Step[]): Step[] => given.map((each) => ({ ...each, identity: 'A' }));
  assert.is((await prove({ steps: asUser(steps), control: asUser(control) }, context)).proven, true);
  asked = 0;
  assert.is((await prove({ steps, control }, context)).proven, false, 'nobody has no session');
  asked = 0;
  const writing = steps.map((each) => ('http' in each ? { ...each, http: { ...each.http, logIn: 'A' } } : each));
  assert.is((await prove({ steps: asUser(writing), control }, context).catch(() => undefined))?.proven ?? false, false);
});

test('a step of an identity that is not logged in is an error', async (world) => {
  const { steps, control } = echo(world);
  const error = await errorOf(prove({ steps: steps.map((s) => ({ ...s, identity: 'B' })), control }, world.context));
  assert.match(String(error), /no session of identity "B"/);
});

/** A site that gives each login a session of its own, and says whose it is. */
function withLogins(world: World): ProofContext {
  let count = 0;
  world.answer = ({ cookies }) => html(cookies.sid ? `Hello from ${cookies.sid}` : 'sign in');
  const logIn: ProofContext['logIn'] = async (identity, jar) => {
    jar.set(world.site.url, 'sid', `session-${identity}-${++count}`);
    return { headers: [], answer: await world.probes.http.get(`${world.site.url}/`, { jar }) };
  };
  return { ...world.context, logIn };
}

const inOwnSession = ({ site }: World): Experiment => ({
  steps: [
    {
      http: { method: 'POST', url: `${site.url}/login`, logIn: 'A', headers: [['Cookie', 'sid=before; lang=en']] },
      session: 'own',
      note: 'It logs in.',
      expect: [claim('status', 'equals', '200')],
    },
    step(`${site.url}/me`, 'Hello from session-A-', {
      session: 'own',
      capture: [{ name: 'cookies', subject: 'request:cookie', pattern: '^.+$', secret: true }],
    }),
    { ...step('', 'Hello'), http: { url: `${site.url}/me`, headers: [['Cookie', '‹cookies›']] } },
  ],
  control: [step(`${site.url}/me`, 'Hello')],
});

test('a session of a trial’s own is made anew in each, by a browser that has cookies already', async (world) => {
  const seen: string[] = [];
  const context = withLogins(world);
  const answer = world.answer;
  world.answer = (request) => {
    if (request.path === '/me') seen.push(request.headers.cookie ?? '');
    return answer(request);
  };
  await proofOf(inOwnSession(world), context);
  const both = (number: number) => `sid=session-A-${number}; lang=en`;
  assert.equal(seen, [both(1), both(1), '', both(2), both(2), '']);
});

test('what a trial’s own session holds is never stored, nor how it was made; so the proof cannot be run again', async (world) => {
  const proof = await proofOf(inOwnSession(world), withLogins(world));
  assert.not.match(Buffer.from(toBinary(ProofSchema, proof)).toString('latin1'), /session-A-\d/);
  assert.equal(
    proof.steps.map(({ identity }) => identity),
    ['A', 'A', ''],
  );
  assert.ok('notReplayable' in experimentOf(proof));
  assert.match(proof.curl, /-H "Cookie: \$\{COOKIES:\?\}"/);
});

test('a session that no step has made, and a login where nobody can log in, are errors', async (world) => {
  const { steps, control } = inOwnSession(world);
  const unmade = { steps: steps.slice(1), control };
  assert.match(String(await errorOf(prove(unmade, withLogins(world)))), /no step has logged in/);
  assert.match(String(await errorOf(prove({ steps, control }, world.context))), /nobody can log in/);
  const unnamed = steps.map(({ session, ...each }) => each);
  assert.match(String(await errorOf(prove({ steps: unnamed, control }, withLogins(world)))), /without naming/);
});

test('a canceled run sends nothing more', async (world) => {
  const signal = AbortSignal.abort(new Error('canceled'));
  assert.match(String(await errorOf(prove(echo(world), { ...world.context, signal }))), /canceled/);
  assert.is(world.site.requests.length, 0);
});

test('a stored proof can be run again, and refutes when the weakness is gone', async (world) => {
  const stored = fromBinary(ProofSchema, toBinary(ProofSchema, await proofOf(echo(world), world.context)));
  const experiment = experimentOf(stored);
  if ('notReplayable' in experiment) throw new Error(experiment.notReplayable);
  assert.ok((await prove(experiment, world.context)).proven);
  world.answer = () => html('fixed');
  assert.match(await reasonOf(experiment, world.context), /does not hold/);
});

test('a proof that needs a secret says that it cannot be run again', async (world) => {
  const { control } = echo(world);
  const headers = [['Authorization', 'Bearer forged-token-123']] as const;
  const steps = [
    { ...step('', 'word'), http: { url: `${world.site.url}/echo?q=word`, headers, secrets: ['forged-token-123'] } },
  ];
  const proof = await proofOf({ steps, control }, world.context);
  assert.ok('notReplayable' in experimentOf(proof));
  assert.match(proof.curl, /-H "Authorization: Bearer \$\{SECRET_1:\?\}"/);
});

test('the template and what was sent and seen are both kept', async (world) => {
  const {
    steps: [first],
  } = await proofOf(echo(world), world.context);
  assert.match(first?.action.case === 'http' ? first.action.value.url : '', /q=word-‹nonce›$/);
  const values = Object.fromEntries((first?.observation?.values ?? []).map(({ name, value }) => [name, value]));
  assert.match(values['request:url'] ?? '', /q=word-[a-z][a-z0-9]{9}$/);
  assert.equal(first?.observation?.marks, [`word-${values['‹nonce›']}`]);
  assert.ok(first?.observation?.excerpt.includes(`word-${values['‹nonce›']}`));
});

test('a step stays below 16 KiB, with the part that decides in its excerpt', async (world) => {
  const filler = 'lorem ipsum '.repeat(40_000);
  const headers = Object.fromEntries(Array.from({ length: 90 }, (_, index) => [`X-H${index}`, 'v'.repeat(100)]));
  world.answer = ({ query }) => html(`${filler}${query.get('q')}${filler}`, 200, headers);
  const {
    steps: [first],
  } = await proofOf(echo(world), world.context);
  if (!first) throw new Error('no step');
  assert.ok(toBinary(ProofStepSchema, first).length <= 16 * 1024);
  assert.ok((first.observation?.excerpt.length ?? 0) <= 4_096);
  assert.match(first.observation?.excerpt ?? '', /word-/);
});

test('a step that sends much stays below 16 KiB, and says that it cannot be run again', async (world) => {
  world.answer = ({ query }) => html(`${query.get('q')}`, 200, { 'X-Long': 'v'.repeat(8_000) });
  const headers = Array.from({ length: 30 }, (_, index) => [`X-H${index}`, 'v '.repeat(200)] as const);
  const { control } = echo(world);
  const http = { method: 'POST', url: `${world.site.url}/echo?q=word-‹nonce›`, headers, body: 'b '.repeat(5_000) };
  const context = { ...world.context, http: world.probes.licensed('write') };
  const proof = await proofOf({ steps: [{ ...step('', 'word-‹nonce›'), http }], control }, context);
  const [first] = proof.steps;
  assert.ok(first && toBinary(ProofStepSchema, first).length <= 16 * 1024);
  assert.ok('notReplayable' in experimentOf(proof));
});

test('bytes that are no text are shown as such', async (world) => {
  world.answer = ({ query }) => ({ body: Buffer.from(`\0\u0007${query.get('q')}\u0080\xff`, 'latin1') });
  const {
    steps: [first],
  } = await proofOf(echo(world), world.context);
  assert.match(first?.observation?.excerpt ?? '', /^␀␇word-/);
});

test('a secret that is captured anew by each step is masked each time', async (world) => {
  const given: string[] = [];
  world.answer = () => {
    given.push(`token-${makeNonce()}`);
    return html(`<p>${given.at(-1)}</p>`);
  };
  const page = step(`${world.site.url}/`, 'token-', {
    capture: [{ name: 'token', subject: 'body', pattern: 'token-[a-z0-9]+', secret: true }],
  });
  const last = step(`${world.site.url}/?q=‹nonce›`, 'nothing');
  const proof = await proofOf(
    { steps: [page, page], control: [{ ...last, expect: [claim('body', 'contains', 'nothing')] }] },
    world.context,
  );
  assert.is(given.length, 6);
  const kept = JSON.stringify(proof, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  assert.equal(
    given.slice(3, 5).filter((token) => kept.includes(token)),
    [],
  );
});

test.run();
