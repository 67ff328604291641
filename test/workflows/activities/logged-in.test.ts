import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runLoggedIn, withoutGuests } from '../../../workflows/activities/logged-in.ts';
import type { Check } from '../../../workflows/checks/contract.ts';
import type { CheckResult } from '../../../workflows/checks/run-check.ts';
import { LoginError } from '../../../workflows/model/login-error.ts';
import type { TaskOutcome } from '../../../workflows/model/tasks.ts';
import { checkLike } from '../support/checks.ts';

const test = suite('checks in sessions');

const check = checkLike({ id: 'access.test', depth: 'deep' });
const { signal } = new AbortController();

/** How a run of the check ends, with what it found. */
const result = (kind: TaskOutcome['kind'], ...found: string[]): CheckResult => ({
  outcome: { checkId: check.id, kind, reason: '', omitted: [], refuted: 0 },
  findings: found.map((fingerprint) => ({ fingerprint })),
  facts: found.map((id) => ({ id, kind: 'k', subject: 's', attributes: {}, parents: [], actionId: check.id })),
  places: new Map(found.map((id) => [id, { location: { url: `https://example.com/${id}` } }])),
});

/** @param lost who was logged out, each time that somebody looks @param results of the runs, in order */
async function play(lost: (string[] | Error)[], results: CheckResult[], played: Check = check) {
  const looks = [...lost];
  const runs = [...results];
  const renew = async () => {
    const next = looks.shift() ?? [];
    if (next instanceof Error) throw next;
    return next;
  };
  const run = async () => runs.shift() ?? result('not-run');
  const { outcome, findings, facts } = await runLoggedIn({ renew }, played, run, signal);
  const ids = findings.map(({ fingerprint }) => fingerprint);
  assert.equal(
    facts.map(({ id }) => id),
    ids,
  );
  return { kind: outcome.kind, reason: outcome.reason, ids, runs: results.length - runs.length };
}

test('a check whose sessions live runs once', async () => {
  assert.equal(await play([[], []], [result('clean')]), { kind: 'clean', reason: '', ids: [], runs: 1 });
});

test('what a check ends by logging out is renewed, and its answer counts', async () => {
  const ends = checkLike({ id: check.id, depth: 'deep', endsSessions: true });
  assert.equal(await play([[], ['a'], []], [result('clean'), result('clean')], ends), {
    kind: 'clean',
    reason: '',
    ids: [],
    runs: 1,
  });
});

test('sessions that are dead before it are renewed first', async () => {
  assert.is((await play([['a'], []], [result('clean')])).runs, 1);
});

test('what a dead session was shown does not count', async () => {
  const played = await play([[], ['a'], []], [result('clean'), result('found', 'f1')]);
  assert.equal(played, { kind: 'found', reason: '', ids: ['f1'], runs: 2 });
});

test('what was proven before the session ended stays proven, each thing once', async () => {
  const played = await play([[], ['a'], []], [result('found', 'f1', 'f2'), result('found', 'f2', 'f3')]);
  assert.is(played.kind, 'found');
  assert.equal(played.ids.toSorted(), ['f1', 'f2', 'f3']);
  assert.is((await play([[], ['a'], []], [result('found', 'f1'), result('clean')])).kind, 'found');
});

test('after three runs with a session that ends each time the check has not looked', async () => {
  const played = await play(
    [[], ['a'], ['a'], ['a']],
    [result('clean'), result('clean'), result('clean'), result('clean')],
  );
  assert.equal(played, { kind: 'not-run', reason: 'the session of a ended on the way, 3 times', ids: [], runs: 3 });
});

test('what it found all the same is kept, with the remark that not everything was looked at', async () => {
  const played = await play([[], ['a'], ['a'], ['a']], [result('found', 'f1'), result('clean'), result('clean')]);
  assert.equal([played.kind, played.ids], ['found', ['f1']]);
  assert.match(played.reason, /ended on the way/);
});

test('a session that does not come back is reported, and nothing is run in its place', async () => {
  const gone = new LoginError('locked', 'the login of "a" no longer works: the account is locked');
  assert.equal(await play([gone], [result('clean')]), { kind: 'not-run', reason: gone.message, ids: [], runs: 0 });
  const after = await play([[], gone], [result('found', 'f1')]);
  assert.equal([after.kind, after.reason, after.ids], ['found', gone.message, ['f1']]);
});

test('a canceled scan ends at once', async () => {
  const stop = new AbortController();
  stop.abort(new Error('canceled'));
  const renew = async () => {
    throw new Error('the socket was closed');
  };
  const ending = runLoggedIn({ renew }, check, async () => result('clean'), stop.signal).catch(String);
  assert.is(await ending, 'Error: canceled');
});

test('a session that a page gives to whoever asks may end', async () => {
  const { renew } = withoutGuests({ renew: async () => ['guest_1', 'a'] });
  assert.equal(await renew(), ['a']);
});

test.run();
