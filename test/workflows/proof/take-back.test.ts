import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { makeNonce } from '../../../workflows/activities/audit-context.ts';
import {
  type CaptureRule,
  claim,
  type Experiment,
  type HttpAction,
  type Step,
  type WritePlan,
} from '../../../workflows/model/experiment.ts';
import { ProbeError } from '../../../workflows/model/probe-error.ts';
import type { OpenProbes } from '../../../workflows/probe/open.ts';
import type { PlannedWrite } from '../../../workflows/proof/planned-write.ts';
import { ProofError } from '../../../workflows/proof/proof-error.ts';
import { prove } from '../../../workflows/proof/prove.ts';
import { storeAndLook } from '../../../workflows/proof/store-and-look.ts';
import type { ProofContext } from '../../../workflows/proof/trial.ts';
import { type Answer, html, json, type Request, type Site, startSite } from '../../fixtures/site.ts';
import { openTestProbes } from '../support/checks.ts';

type World = {
  site: Site;
  probes: OpenProbes;
  context: ProofContext;
  /** What the site has under each path. */
  values: Map<string, string>;
  /** Answers in place of the site. */
  instead: (request: Request) => Answer | undefined;
  recorded: PlannedWrite[];
  undone: PlannedWrite[];
  /** Those of them that no read had shown. */
  unseen: PlannedWrite[];
};

const start = 'as before';
const test = suite<World>('taking writes back');

test.before.each(async (world) => {
  world.values = new Map();
  world.recorded = [];
  world.undone = [];
  world.unseen = [];
  world.instead = () => undefined;
  world.site = await startSite((request) => world.instead(request) ?? store(world, request));
  world.probes = openTestProbes(world.site.url);
  world.context = {
    ...world.probes,
    identities: {},
    nonce: () => makeNonce(),
    now: () => new Date(),
    signal: new AbortController().signal,
    recordWrite: async (write) => void world.recorded.push(write),
    recordUndone: async (write, isSeen) => {
      world.undone.push(write);
      if (!isSeen) world.unseen.push(write);
    },
  };
});
test.after.each(async ({ site, probes }) => {
  await probes.close();
  await site.close();
});

/** Keeps what is put, and shows it. */
function store({ values }: World, { path, method, body }: Request): Answer {
  if (method === 'PUT') values.set(path, body);
  return json({ value: values.get(path) ?? start });
}

const shows = (value: string) => claim('body:json:/value', 'equals', JSON.stringify(value));

const planFor = (url: string): WritePlan => ({
  description: 'The value is changed.',
  undo: { method: 'PUT', url, body: start },
  verify: { url, expect: [shows(start)] },
});

const writing = (url: string, more: Partial<HttpAction> = {}, plan: Partial<WritePlan> = {}): Step => ({
  http: { method: 'PUT', url, body: '‹nonce›', ...more, write: { ...planFor(url), ...plan } },
  note: 'It writes.',
  expect: [shows('‹nonce›')],
});

/** Writes, and shows that another path has not changed. */
const experiment = (url: string, step = writing(url)): Experiment => ({
  steps: [step],
  control: [{ http: { url: `${url}/other` }, note: 'Another has not changed.', expect: [shows('‹nonce›')] }],
});

const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

const putsOf = ({ site }: World): string[] => site.requests.filter((request) => request.startsWith('PUT'));

test('a write is recorded before it is sent, and after each trial the value from before is there again', async (world) => {
  const seen: { sent: number; value: string | undefined }[] = [];
  const recordWrite = async () => void seen.push({ sent: putsOf(world).length, value: world.values.get('/a') });
  const context = { ...world.context, recordWrite };
  const { proven } = await prove(experiment(`${world.site.url}/a`), context);
  assert.is(proven, true);
  assert.equal(seen, [
    { sent: 0, value: undefined },
    { sent: 2, value: start },
  ]);
  assert.equal([world.values.get('/a'), world.undone.length], [start, 2]);
});

test('what cannot be recorded is not sent', async (world) => {
  const failing = { ...world.context, recordWrite: () => Promise.reject(new Error('no ledger')) };
  assert.match(String(await errorOf(prove(experiment(`${world.site.url}/a`), failing))), /no ledger/);
  const { recordWrite: _, ...without } = world.context;
  assert.ok((await errorOf(prove(experiment(`${world.site.url}/a`), without))) instanceof ProofError);
  assert.equal(putsOf(world), []);
});

test('where the value from before cannot be read, nothing is recorded or sent', async (world) => {
  world.instead = ({ method }) => (method === 'GET' ? html('<h1>Please log in</h1>') : undefined);
  const error = await errorOf(prove(experiment(`${world.site.url}/a`), world.context));
  assert.ok(error instanceof ProofError);
  assert.match(error.message, /nothing was sent/);
  assert.equal([world.recorded.length, putsOf(world)], [0, []]);
});

test('a read that claims only what lacks, as any error page would, shows nothing', async (world) => {
  const url = `${world.site.url}/a`;
  const verify: WritePlan['verify'] = {
    url,
    expect: [claim('body', 'not-contains', '‹nonce›'), claim('header:x', 'absent')],
  };
  const error = await errorOf(prove(experiment(url, writing(url, {}, { verify })), world.context));
  assert.ok(error instanceof ProofError);
  assert.equal(putsOf(world), []);
});

test('what is refuted after its writes takes them back at once, the last first', async (world) => {
  const { url } = world.site;
  const steps = [writing(`${url}/a`), writing(`${url}/b`), { http: { url }, note: 'No.', expect: [shows('another')] }];
  const verdict = await prove({ ...experiment(`${url}/a`), steps }, world.context);
  assert.is(verdict.proven, false);
  assert.equal(putsOf(world), ['PUT /a', 'PUT /b', 'PUT /b', 'PUT /a']);
  assert.equal([...world.values.values()], [start, start]);
});

test('a change that its control has put back is read, and not sent once more', async (world) => {
  const url = `${world.site.url}/a`;
  const back = writing(url, { body: start });
  const control = [
    { ...back, expect: [shows(start)] },
    { http: { url }, note: 'It is back.', expect: [shows('‹nonce›')] },
  ];
  assert.ok((await prove({ steps: [writing(url)], control }, world.context)).proven);
  assert.is(putsOf(world).length, 4);
  assert.is(world.undone.length, 4);
});

/** The page that shows what is undone never shows what is written. */
const elsewhere = (world: World) => {
  const kept: string[] = [];
  world.instead = ({ method, path, body }) => {
    if (method === 'PUT') kept.push(body);
    return path === '/a' ? json({ value: method === 'PUT' ? body : start }) : undefined;
  };
  return kept;
};

test('a change that its page never shows is taken back all the same, and does not count as seen', async (world) => {
  const kept = elsewhere(world);
  assert.ok((await prove(experiment(`${world.site.url}/a`), world.context)).proven);
  assert.is(kept.at(-1), start);
  assert.equal([world.undone.length, world.unseen.length, kept.length], [2, 2, 4]);
});

test('so does one that a check stores and looks at', async (world) => {
  const kept = elsewhere(world);
  const url = `${world.site.url}/a`;
  const http = { method: 'PUT', url, body: 'a word', write: planFor(url) };
  const licensed: OpenProbes['licensed'] = (licence) => world.probes.licensed(licence);
  await storeAndLook({ ...world.context, licensed }, '', http, async () => undefined);
  assert.equal([kept, world.unseen.length], [['a word', start], 1]);
});

test('a change that a step of the trial has read counts as seen without a look of its own', async (world) => {
  const url = `${world.site.url}/a`;
  const read: Step = { http: { url }, note: 'It is there.', expect: [shows('‹nonce›')] };
  assert.ok((await prove({ ...experiment(url), steps: [writing(url), read] }, world.context)).proven);
  assert.equal([world.undone.length, world.unseen.length], [2, 0]);
});

test('an error page is no change', async (world) => {
  const kept = elsewhere(world);
  const { instead } = world;
  let reads = 0;
  world.instead = (request) =>
    request.method === 'GET' && request.path === '/a' && ++reads === 2 ? html('oops', 500) : instead(request);
  const url = `${world.site.url}/a`;
  await prove({ ...experiment(url), steps: [writing(url)] }, world.context);
  assert.equal([world.unseen.length, kept.at(-1)], [2, start]);
});

test('a site without the route has nothing to take back: the read says so, not what the undo was answered', async (world) => {
  world.instead = ({ method }) => (method === 'PUT' ? html('no such route', 405) : undefined);
  const verdict = await prove(experiment(`${world.site.url}/a`), world.context);
  assert.is(verdict.proven, false);
  assert.equal([world.recorded.length, world.undone.length, world.unseen.length], [1, 1, 0]);
});

test('a site that answers 200 and keeps the value is tried a few times; then it is reported, and no more is written', async (world) => {
  world.instead = ({ method, path, body }) => {
    if (method === 'PUT' && body !== start) world.values.set(path, body);
    return json({ value: world.values.get(path) ?? start });
  };
  const error = await errorOf(prove(experiment(`${world.site.url}/a`), world.context));
  assert.ok(error instanceof ProofError);
  assert.match(error.message, /trial 1 changed could not be taken back: the undo was answered 200, .* tried 4 times/);
  assert.not.match(error.message, /as before"|"as before/);
  assert.equal([world.recorded.length, world.undone.length, putsOf(world).length], [1, 0, 5]);
});

test('an undo that is answered 500 at first is sent again', async (world) => {
  let failures = 1;
  world.instead = ({ method, body }) =>
    method === 'PUT' && body === start && failures-- > 0 ? html('oops', 500) : undefined;
  assert.ok((await prove(experiment(`${world.site.url}/a`), world.context)).proven);
  assert.equal([world.values.get('/a'), world.undone.length], [start, 2]);
});

test('a site that is down after the write is waited for longer than one that keeps the value', async (world) => {
  let failuresLeft = 0;
  world.instead = ({ path }) => {
    if (failuresLeft > 0) {
      failuresLeft -= 1;
      return html('down', 503);
    }
    // The last request of the first trial: a look and four attempts fail.
    if (path === '/a/other' && world.undone.length === 0) failuresLeft = 9;
    return undefined;
  };
  assert.ok((await prove(experiment(`${world.site.url}/a`), world.context)).proven);
  assert.equal([world.values.get('/a'), world.undone.length], [start, 2]);
});

test('a session that is lost before the undo is renewed for it', async (world) => {
  let alive = 'first';
  const session = { jar: world.probes.http.newJar(), headers: [['x-session', alive]] as [string, string][] };
  world.instead = ({ headers, method, body }) => {
    if (headers['x-session'] !== alive) return html('Please log in', 401);
    if (method === 'PUT' && body !== start && alive === 'first') alive = 'second';
    return undefined;
  };
  const renewSessions = async () => Object.assign(session, { headers: [['x-session', alive]] });
  const context = { ...world.context, identities: { a: session }, renewSessions };
  const step = { ...writing(`${world.site.url}/a`), identity: 'a' };
  const { steps, control } = experiment(`${world.site.url}/a`, step);
  await prove({ steps, control: control.map((each) => ({ ...each, identity: 'a' })) }, context);
  assert.equal([alive, world.values.get('/a')], ['second', start]);
  assert.is(world.undone.length, world.recorded.length);
});

test('a change whose answer is lost is taken back, and left to the end of the run all the same', async (world) => {
  const licensed: OpenProbes['licensed'] = (licence) => {
    const http = world.probes.licensed(licence);
    const send: typeof http.send = async (request) => {
      const exchange = await http.send(request);
      if (licence === 'write') throw new ProbeError('timeout', 'the answer is lost');
      return exchange;
    };
    return { ...http, send };
  };
  const error = await errorOf(prove(experiment(`${world.site.url}/a`), { ...world.context, licensed }));
  assert.ok(error instanceof ProbeError);
  assert.equal([world.values.get('/a'), world.recorded.length, world.undone.length], [start, 1, 0]);
});

test('a token of the form is read right before the undo, and stored nowhere', async (world) => {
  let token = '';
  world.instead = ({ method, path, body }) => {
    if (method === 'GET' && path === '/form') {
      token = makeNonce();
      return html(`<form method=post action=/a><input type=hidden name=csrf value=${token}></form>`);
    }
    const fields = new URLSearchParams(body);
    if (method !== 'POST' || fields.get('csrf') !== token) return method === 'POST' ? html('stale', 403) : undefined;
    world.values.set('/a', fields.get('value') ?? '');
    return json({ value: fields.get('value') });
  };
  const url = `${world.site.url}/a`;
  const capture: CaptureRule[] = [{ name: 'csrf', subject: 'body:form:/a csrf', pattern: '.+', secret: true }];
  const load: Step = {
    http: { url: `${world.site.url}/form` },
    note: 'The form.',
    expect: [claim('status', 'equals', '200')],
    capture,
  };
  const undo = {
    method: 'POST',
    url,
    body: `csrf=‹encode:csrf›&value=${encodeURIComponent(start)}`,
    fresh: { url: `${world.site.url}/form`, capture },
  };
  const step = writing(url, { method: 'POST', body: 'csrf=‹encode:csrf›&value=‹nonce›' }, { undo });
  const { control } = experiment(url);
  assert.ok((await prove({ steps: [load, step], control }, world.context)).proven);
  assert.equal([world.values.get('/a'), world.undone.length], [start, 2]);
  assert.match(world.recorded[0]?.undo.body ?? '', /^csrf=‹encode:csrf›&/);
  assert.match(world.recorded[0]?.request.body ?? '', /^csrf=\[masked, 10 characters\]&/);
});

test('what is recorded of a request holds no session, no captured secret and nothing that its check calls secret', async (world) => {
  const session = { jar: world.probes.http.newJar(), headers: [['authorization', 'Bearer session-of-ann-1']] as const };
  const more = {
    headers: [['Cookie', 'sid=session-of-ann-2']] as const,
    body: '‹nonce› 14 Harbour Lane',
    secrets: ['14 Harbour Lane'],
  };
  const step = { ...writing(`${world.site.url}/a`, more), identity: 'a', expect: [claim('status', 'equals', '200')] };
  await prove(experiment(`${world.site.url}/a`, step), { ...world.context, identities: { a: session } });
  const [recorded] = world.recorded;
  assert.is(recorded?.identity, 'a');
  assert.not.match(JSON.stringify(recorded), /session-of-ann|Harbour/);
  assert.match(recorded?.request.body ?? '', /^[a-z]\w{9} \[masked, 15 characters\]$/);
});

for (const [what, undo] of Object.entries({
  'a session in its body': { body: 'session=session-of-ann-1' },
  'a header that opens a session': { headers: [['Cookie', 'sid=1']] as const },
  'a password': { body: '{"password":"correct-horse-5"}' },
  'what a password of the run is': { body: 'value=amber-lantern-38' },
})) {
  test(`a write whose undo has ${what} is not sent`, async (world) => {
    const url = `${world.site.url}/a`;
    const session = {
      jar: world.probes.http.newJar(),
      headers: [['authorization', 'Bearer session-of-ann-1']] as const,
    };
    const step = writing(url, {}, { undo: { ...planFor(url).undo, ...undo } });
    const context = { ...world.context, identities: { a: session }, secrets: () => ['amber-lantern-38'] };
    assert.ok((await errorOf(prove(experiment(url, step), context))) instanceof ProofError);
    assert.equal([world.recorded.length, putsOf(world)], [0, []]);
  });
}

test('a run that is canceled after a write sends nothing more: its end takes it back', async (world) => {
  const controller = new AbortController();
  world.instead = ({ method }) => {
    if (method === 'PUT') controller.abort(new Error('canceled'));
    return undefined;
  };
  const error = await errorOf(
    prove(experiment(`${world.site.url}/a`), { ...world.context, signal: controller.signal }),
  );
  assert.match(String(error), /canceled/);
  assert.equal([putsOf(world).length, world.undone.length], [1, 0]);
});

test.run();
