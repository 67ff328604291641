import { setTimeout as sleep } from 'node:timers/promises';
import { cancellationSignal, heartbeat, activityInfo as info } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Omission } from '../../workflows/model/omission.ts';
import type { ChainStepInput, FamilyInput, FinishInput, PartInput, PlanInput } from '../../workflows/model/tasks.ts';
import { further } from '../support/further.ts';
import { sideBySide } from '../support/side-by-side.ts';
import { openStage, type Stage, type Started } from './support/temporal.ts';

const scans = suite<{ stage: Stage }>('scan workflow');
scans.before(async (context) => {
  context.stage = await openStage();
});
scans.after(({ stage }) => stage.close());
// Retries and timers are what they wait for.
const together = sideBySide(scans, 6);

const outcomeOf = (scan: Started) => (scan.of('finishRun') as FinishInput[]).map(({ outcome }) => outcome);
const failureOf = (scan: Started) => {
  const [finish] = scan.of('finishRun') as FinishInput[];
  return finish?.outcome === 'failed' ? finish.failure : undefined;
};
const freeOf = (finish: unknown) => (finish as { isFree?: true }).isFree;
const fail = (type: string, message = type): never => {
  throw ApplicationFailure.create({ type, message });
};
const step = (actionId: string) => ({ key: `${actionId} f1`, actionId, factIds: ['f1'] });

together('a standard scan surveys, runs each family and completes', async ({ stage }) => {
  const scan = await stage.start({ depth: 'standard' }, {});
  await scan.ended();
  assert.equal(scan.calls[0]?.name, 'beginRun');
  assert.equal((scan.of('runFamily') as FamilyInput[]).map(({ family }) => family).sort(), ['headers', 'tls']);
  assert.equal(scan.of('proveLogin'), []);
  assert.equal(scan.of('undoWrites'), []);
  assert.equal(outcomeOf(scan), ['completed']);
});

together('forms are observed as each visitor who saw them, before anything probes them', async ({ stage }) => {
  const scan = await stage.start({ depth: 'deep' }, {});
  await scan.ended();
  const names = scan.calls.map(({ name }) => name);
  assert.ok(names.indexOf('observeForms') > names.indexOf('survey'));
  assert.ok(names.indexOf('observeForms') < names.indexOf('runFamily'));
  assert.equal(
    (scan.of('observeForms') as { identity: string }[]).map(({ identity }) => identity),
    ['', 'a'],
  );
});

together('an observation that is lost is a gap in the coverage, and the scan goes on', async ({ stage }) => {
  const observeForms = async () => fail('crash', 'boom');
  const scan = await stage.start({ depth: 'standard' }, { observeForms });
  await scan.ended();
  const [part] = scan.of('recordPart') as PartInput[];
  assert.is(part?.part, 'observation');
  assert.equal(outcomeOf(scan), ['completed']);
  assert.is(scan.of('runFamily').length, 2);
});

together('what an observation sends is taken from the budget of the checks', async ({ stage }) => {
  const scan = await stage.start({ depth: 'standard' }, { observeForms: async () => ({ requests: 990 }) });
  await scan.ended();
  const [first] = scan.of('runFamily') as FamilyInput[];
  assert.is(first?.share.maxRequests, 4_000 / 2);
});

together(
  'the connections and the rate of the host are divided among families that run beside each other',
  async ({ stage }) => {
    const scan = await stage.start({ depth: 'standard' }, {});
    await scan.ended();
    const shares = (scan.of('runFamily') as FamilyInput[]).map(({ share }) => share);
    assert.is(shares.reduce((sum, { maxConnections }) => sum + maxConnections, 0) <= 5, true);
    assert.is(shares.reduce((sum, { requestsPerSecond }) => sum + requestsPerSecond, 0) <= 100, true);
    assert.is(
      shares.every(({ maxRequests }) => maxRequests <= 4_990 / 2),
      true,
    );
  },
);

together('a family that is not done after its slice goes on with what the others left', async ({ stage }) => {
  const done = { checkId: 'tls.a', kind: 'clean' as const, reason: '', omitted: [], refuted: 0 };
  const scan = await stage.start(
    { depth: 'standard' },
    {
      runFamily: async ({ family, before }) =>
        family === 'tls' && before.outcomes.length === 0
          ? { outcomes: [done], requests: 100, done: false }
          : { ...before, requests: before.requests + 10, done: true },
    },
  );
  await scan.ended();
  const slices = (scan.of('runFamily') as FamilyInput[]).filter(({ family }) => family === 'tls');
  assert.is(slices.length, 2);
  assert.equal(slices[1]?.before, { outcomes: [done], requests: 100 });
  assert.is(slices[1]?.share.maxConnections, 5);
  assert.is(slices[1]?.share.maxRequests, 5_000 - 10 - 100 - 10);
  assert.is(slices[1]?.sliceMs, undefined);
});

together('what was cut short waits for all others, and then shares what they left', async ({ stage }) => {
  const scan = await stage.start(
    { depth: 'standard' },
    {
      beginRun: async () => ({ standard: ['headers', 'tls', 'dns'], deep: [], logins: [], requestsPerSecond: 100 }),
      async runFamily({ family, before }) {
        const requests = before.requests + 100;
        const times = requests / 100;
        if (family === 'dns') return { ...before, requests, done: times === 3 };
        return times === 1
          ? { ...before, requests, cut: ['x'], done: false, isCut: true }
          : { ...before, requests, done: true };
      },
    },
  );
  await scan.ended();
  const slices = (scan.of('runFamily') as FamilyInput[]).slice(3);
  assert.equal(
    slices.slice(0, 2).map(({ family }) => family),
    ['dns', 'dns'],
  );
  assert.equal(
    slices
      .slice(2)
      .map(({ family }) => family)
      .sort(),
    ['headers', 'tls'],
  );
  const last = slices.slice(2).map(({ share, before, sliceMs }) => [share.maxRequests, before.cut, sliceMs]);
  assert.equal(last, [
    [(5_000 - 10 - 500) / 2, ['x'], undefined],
    [5_000 - 10 - 600, ['x'], undefined],
  ]);
  assert.equal(outcomeOf(scan), ['completed']);
});

together('a family that fails twice succeeds at the third attempt', async ({ stage }) => {
  const scan = await stage.start(
    { depth: 'standard' },
    {
      runFamily: async ({ family, before }) =>
        family === 'tls' && info().attempt < 3 ? fail('crash') : { ...before, done: true },
    },
  );
  await scan.ended();
  assert.is((scan.of('runFamily') as FamilyInput[]).filter(({ family }) => family === 'tls').length, 3);
  assert.equal(scan.of('recordLostFamily'), []);
  assert.equal(outcomeOf(scan), ['completed']);
});

together('a family that fails for good is reported in the coverage and does not fail the scan', async ({ stage }) => {
  const scan = await stage.start(
    { depth: 'standard' },
    { runFamily: async ({ family, before }) => (family === 'tls' ? fail('crash', 'boom') : { ...before, done: true }) },
  );
  await scan.ended();
  const [lost] = scan.of('recordLostFamily') as { lost: Omission }[];
  assert.equal(lost?.lost, { code: 'family_lost', subject: 'tls', count: 1, text: 'boom' });
  assert.equal(outcomeOf(scan), ['completed']);
});

/** Says nothing for longer than a worker may, as one that has crashed does, or whose event loop stands still. */
const silence = async (): Promise<never> => {
  await sleep(13_000, undefined, { ref: false });
  return fail('crash', 'nobody waits for this any more');
};

further(together)(
  'families that are lost with their worker run once more, each alone, after the others',
  async ({ stage }) => {
    let running = 0;
    const beside: number[] = [];
    const scan = await stage.start(
      { depth: 'standard' },
      {
        beginRun: async () => ({ standard: ['headers', 'tls', 'dns'], deep: [], logins: [], requestsPerSecond: 100 }),
        async runFamily({ family, before, sliceMs }) {
          if (family !== 'dns' && sliceMs !== undefined) return silence();
          beside.push(running);
          running += 1;
          await sleep(200);
          running -= 1;
          return { ...before, requests: before.requests + 5, done: true };
        },
      },
    );
    await scan.ended();
    const last = (scan.of('runFamily') as FamilyInput[]).slice(-2);
    assert.equal(last.map(({ family }) => family).sort(), ['headers', 'tls']);
    assert.ok(last.every(({ share }) => share.maxConnections === 5 && share.maxRequests > 100));
    assert.equal(beside, [0, 0, 0]);
    assert.equal(scan.of('recordLostFamily'), []);
    assert.equal(scan.of('finishRun').map(freeOf), [undefined]);
  },
);

together('one that is lost again is tried no further, and the scan costs nothing', async ({ stage }) => {
  const done = { checkId: 'tls.a', kind: 'clean', reason: '', refuted: 0 } as const;
  const scan = await stage.start(
    { depth: 'standard' },
    {
      async runFamily({ family, before }) {
        if (family !== 'tls') return { ...before, done: true };
        heartbeat({ outcomes: [done], requests: 7 });
        return silence();
      },
    },
  );
  await scan.ended();
  const tries = (scan.of('runFamily') as FamilyInput[]).filter(({ family }) => family === 'tls');
  assert.is(tries.length, 4);
  assert.equal(tries[3]?.before, { outcomes: [done], requests: 7 });
  const [lost] = scan.of('recordLostFamily') as { family: string; lost: Omission }[];
  assert.equal([lost?.family, lost?.lost.code], ['tls', 'family_lost']);
  assert.is(lost?.lost.text, 'the worker did not answer in time');
  assert.equal(outcomeOf(scan), ['completed']);
  assert.equal(scan.of('finishRun').map(freeOf), [true]);
});

for (const [type, code, attempts] of [
  ['dns_failed', 'dns_failed', 3],
  ['unreachable', 'unreachable', 3],
  ['forbidden_address', 'forbidden_address', 1],
  ['ownership_lost', 'ownership_lost', 1],
  ['SyntaxError', 'internal', 3],
] as const) {
  together(
    `a survey that fails with ${type} is tried ${attempts} time(s) and fails the scan as ${code}`,
    async ({ stage }) => {
      const scan = await stage.start({ depth: 'standard' }, { survey: async () => fail(type, 'secret detail') });
      await scan.ended();
      assert.is(scan.of('survey').length, attempts);
      assert.is(failureOf(scan)?.code, code);
      assert.is(failureOf(scan)?.detail.includes('secret'), code !== 'internal');
      assert.equal(scan.of('runFamily'), []);
    },
  );
}

together(
  'a domain that is no longer verified when the run begins fails the scan as ownership_lost',
  async ({ stage }) => {
    const scan = await stage.start({ depth: 'standard' }, { beginRun: async () => fail('DOMAIN_NOT_VERIFIED') });
    await scan.ended();
    assert.is(failureOf(scan)?.code, 'ownership_lost');
  },
);

together('a run that core has ended already is left alone', async ({ stage }) => {
  const scan = await stage.start({ depth: 'deep' }, { runFamily: async () => fail('RUN_NOT_RUNNING') });
  await scan.ended();
  assert.equal(scan.of('finishRun'), []);
  assert.equal(scan.of('recordLostFamily'), []);
});

together('core being away while the run ends does not lose the end', async ({ stage }) => {
  const scan = await stage.start(
    { depth: 'standard' },
    { finishRun: async () => (info().attempt < 4 ? fail('Unavailable') : undefined) },
  );
  await scan.ended();
  assert.is(scan.of('finishRun').length, 4);
});

together('progress that cannot be reported does not hold up the scan', async ({ stage }) => {
  const scan = await stage.start({ depth: 'standard' }, { reportProgress: async () => fail('Unavailable') });
  await scan.ended();
  assert.equal(outcomeOf(scan), ['completed']);
});

together('progress never goes back and stays within 0 and 1', async ({ stage }) => {
  const scan = await stage.start({ depth: 'deep' }, { planNext: async () => ({ steps: [], stateRef: 's' }) });
  await scan.ended();
  const progress = (scan.of('reportProgress') as { progress: number }[]).map((report) => report.progress);
  assert.equal(
    progress,
    progress.toSorted((a, b) => a - b),
  );
  assert.is(
    progress.every((value) => value >= 0 && value <= 1),
    true,
  );
});

scans('cancelling ends activities in progress, undoes writes and finishes as canceled', async ({ stage }) => {
  const scan = await stage.start(
    { depth: 'deep' },
    {
      runFamily: async () => {
        const pulse = setInterval(() => heartbeat(), 200);
        try {
          await sleep(60_000, undefined, { signal: cancellationSignal() }).catch(() => {});
          cancellationSignal().throwIfAborted();
          return fail('not_canceled');
        } finally {
          clearInterval(pulse);
        }
      },
    },
  );
  while (scan.of('runFamily').length < 2) await sleep(20);
  const canceledAt = Date.now();
  await scan.handle.cancel();
  await scan.ended();
  assert.is(Date.now() - canceledAt < 3_000, true, `took ${Date.now() - canceledAt} ms`);
  assert.equal(outcomeOf(scan), ['canceled']);
  const names = scan.calls.map(({ name }) => name);
  assert.is(names.indexOf('undoWrites') > 0 && names.indexOf('undoWrites') < names.indexOf('finishRun'), true);
  assert.equal(scan.of('recordLostFamily'), []);
});

together(
  'a deep scan logs in, surveys as the identity and runs the deep families on their queue',
  async ({ stage }) => {
    const queues: string[] = [];
    const scan = await stage.start(
      { depth: 'deep' },
      {
        runFamily: async ({ family, before }) => {
          queues.push(`${family} ${info().taskQueue.split('.').at(-1)}`);
          return { ...before, done: true };
        },
      },
    );
    await scan.ended();
    assert.equal(queues.sort(), ['deep/access deep', 'headers standard', 'tls standard']);
    assert.equal(
      (scan.of('survey') as { identity: string }[]).map(({ identity }) => identity),
      ['', 'a'],
    );
    assert.is(scan.of('undoWrites').length, 1);
  },
);

together('logins are proven before any check could try wrong passwords', async ({ stage }) => {
  const scan = await stage.start({ depth: 'deep' }, {});
  await scan.ended();
  const names = scan.calls.map(({ name }) => name);
  assert.ok(names.indexOf('proveLogin') < names.indexOf('runFamily'));
});

together('an identity whose login is not proven is not surveyed', async ({ stage }) => {
  const scan = await stage.start({ depth: 'deep' }, { proveLogin: async () => ({ proven: false, requests: 4 }) });
  await scan.ended();
  assert.equal(
    (scan.of('survey') as { identity: string }[]).map(({ identity }) => identity),
    [''],
  );
});

together('a login that fails for good is reported in the coverage and does not fail the scan', async ({ stage }) => {
  const scan = await stage.start({ depth: 'deep' }, { proveLogin: async () => fail('unreachable', 'gone') });
  await scan.ended();
  const [part] = scan.of('recordPart') as PartInput[];
  assert.equal(part?.omissions, [{ code: 'unreachable', subject: 'login:a', count: 1, text: 'gone' }]);
  assert.equal(outcomeOf(scan), ['completed']);
});

together('accounts that are found are proven, surveyed, and looked at as', async ({ stage }) => {
  const gained = { logins: ['shown_1'], visitors: { shown_1: ['injection:shown_1'] }, weights: {}, requests: 3 };
  const scan = await stage.start({ depth: 'deep' }, { gainLogins: async () => gained });
  await scan.ended();
  assert.equal(
    (scan.of('proveLogin') as { login: string }[]).map(({ login }) => login),
    ['a', 'shown_1'],
  );
  assert.ok((scan.of('survey') as { identity: string }[]).some(({ identity }) => identity === 'shown_1'));
  assert.ok((scan.of('runFamily') as FamilyInput[]).some(({ family }) => family === 'injection:shown_1'));
});

together('accounts that cannot be looked for are a gap in the coverage, and the scan goes on', async ({ stage }) => {
  const scan = await stage.start({ depth: 'deep' }, { gainLogins: async () => fail('unreachable', 'gone') });
  await scan.ended();
  const [part] = scan.of('recordPart') as PartInput[];
  assert.equal(part?.omissions, [{ code: 'unreachable', subject: 'accounts', count: 1, text: 'gone' }]);
  assert.is(scan.of('proveLogin').length, 1);
  assert.equal(outcomeOf(scan), ['completed']);
});

together('the planner is asked again with its state until it has no more steps', async ({ stage }) => {
  const answers = [
    { steps: [step('chains.a'), step('chains.b')], stateRef: 's1' },
    { steps: [step('chains.c')], stateRef: 's2' },
  ];
  const scan = await stage.start(
    { depth: 'deep' },
    {
      planNext: async ({ stateRef }) =>
        answers[stateRef === undefined ? 0 : stateRef === 's1' ? 1 : 2] ?? { steps: [], stateRef: 's3' },
    },
  );
  await scan.ended();
  assert.equal(
    (scan.of('planNext') as PlanInput[]).map(({ stateRef }) => stateRef),
    [undefined, 's1', 's2'],
  );
  assert.equal(
    (scan.of('runChainStep') as ChainStepInput[]).map((input) => input.step.actionId),
    ['chains.a', 'chains.b', 'chains.c'],
  );
  assert.is(scan.of('reportChains').length, 1);
});

together('what may close an account runs after the chains', async ({ stage }) => {
  const begun: string[] = [];
  const scan = await stage.start(
    { depth: 'deep' },
    {
      beginRun: async () => ({ standard: [], deep: ['deep/lockout', 'deep/auth'], logins: [], requestsPerSecond: 100 }),
      runFamily: async ({ family, before }) => {
        begun.push(family);
        return { ...before, done: true };
      },
      planNext: async () => {
        begun.push('chains');
        return { steps: [], stateRef: 's' };
      },
    },
  );
  await scan.ended();
  assert.equal(begun, ['deep/auth', 'chains', 'deep/lockout']);
});

together('steps that only look run beside each other, those that change the target alone', async ({ stage }) => {
  const begun: string[] = [];
  let running = 0;
  const aloneWith = new Map<string, number>();
  const scan = await stage.start(
    { depth: 'deep' },
    {
      planNext: async ({ stateRef }) => ({
        steps: stateRef ? [] : ['chains.w1', 'chains.a', 'chains.w2', 'chains.b', 'chains.c'].map(step),
        stateRef: 's',
        writing: ['chains.w1', 'chains.w2'],
      }),
      runChainStep: async ({ step: { actionId } }) => {
        begun.push(actionId);
        running += 1;
        const isWriting = actionId.startsWith('chains.w');
        if (isWriting) aloneWith.set(actionId, running);
        // None ends before all three are at work.
        else while (begun.length < 3) await sleep(20);
        running -= 1;
        return { requests: 7 };
      },
    },
  );
  await scan.ended();
  assert.equal(begun.slice(0, 3).sort(), ['chains.a', 'chains.b', 'chains.c']);
  assert.equal(begun.slice(3), ['chains.w1', 'chains.w2']);
  assert.equal([...aloneWith.values()], [1, 1]);
  const shares = (scan.of('runChainStep') as ChainStepInput[]).map(({ share }) => share);
  assert.equal(
    shares.map(({ maxConnections }) => maxConnections),
    [1, 1, 1, 5, 5],
  );
  const [part] = scan.of('recordPart') as PartInput[];
  assert.is(part?.requests, 5 * 7 + 6);
});

together('one that is lost beside others costs all that it was allowed, and the others go on', async ({ stage }) => {
  const scan = await stage.start(
    { depth: 'deep' },
    {
      planNext: async ({ stateRef }) => ({
        steps: stateRef ? [] : [step('chains.a'), step('chains.b')],
        stateRef: 's',
        writing: [],
      }),
      runChainStep: async (input) => (input.step.actionId === 'chains.a' ? fail('crash', 'boom') : { requests: 1 }),
    },
  );
  await scan.ended();
  const [part] = scan.of('recordPart') as PartInput[];
  assert.equal(part?.omissions, [{ code: 'family_lost', subject: 'chains.a', count: 1, text: 'boom' }]);
  assert.is(part?.requests, 1_000 + 1 + 6);
});

together('a chain step that fails for good is reported in the coverage and the others still run', async ({ stage }) => {
  const scan = await stage.start(
    { depth: 'deep' },
    {
      planNext: async ({ stateRef }) => ({
        steps: stateRef ? [] : [step('chains.a'), step('chains.b')],
        stateRef: 's',
      }),
      runChainStep: async (input) => (input.step.actionId === 'chains.a' ? fail('crash', 'boom') : { requests: 1 }),
    },
  );
  await scan.ended();
  const [part] = scan.of('recordPart') as PartInput[];
  assert.equal(part?.omissions, [{ code: 'family_lost', subject: 'chains.a', count: 1, text: 'boom' }]);
  assert.is((scan.of('runChainStep') as ChainStepInput[]).at(-1)?.step.actionId, 'chains.b');
});

together('what the last plan and the replays left out is reported in the coverage', async ({ stage }) => {
  const gap = (subject: string): Omission => ({
    code: 'too_many',
    subject,
    count: 1,
    text: 'there was too much of it',
  });
  const scan = await stage.start(
    { depth: 'deep' },
    {
      planNext: async ({ stateRef }) => ({
        steps: stateRef ? [] : [step('chains.a')],
        stateRef: 's',
        omissions: stateRef ? [gap('chains.a:untried')] : [gap('chains.a:untried'), gap('chains.b:untried')],
      }),
      reportChains: async () => ({ requests: 7, omissions: [gap('chains:replays')] }),
    },
  );
  await scan.ended();
  const [part] = scan.of('recordPart') as PartInput[];
  assert.equal(
    part?.omissions.map(({ subject }) => subject),
    ['chains.a:untried', 'chains:replays'],
  );
});

further(together)(
  'a planner without an end is stopped, and the history stays below 1,000 events',
  async ({ stage }) => {
    const scan = await stage.start(
      { depth: 'deep' },
      {
        planNext: async () => ({
          steps: Array.from({ length: 20 }, (_, index) => step(`chains.s${index}`)),
          stateRef: 's',
        }),
      },
    );
    await scan.ended();
    assert.is(scan.of('runChainStep').length, 60);
    const { events = [] } = await scan.handle.fetchHistory();
    assert.is((events ?? []).length < 1_000, true, `${events?.length} events`);
    assert.equal(outcomeOf(scan), ['completed']);
  },
);

together('the families that are likely to send most begin first, with the largest shares', async ({ stage }) => {
  const scan = await stage.start(
    { depth: 'standard' },
    {
      beginRun: async () => ({
        standard: ['access', 'cookies', 'exposure', 'tls'],
        deep: [],
        weights: { access: 50, cookies: 50, exposure: 400, tls: 100 },
        logins: [],
        requestsPerSecond: 100,
      }),
      survey: async () => ({ requests: 200 }),
    },
  );
  await scan.ended();
  const begun = (scan.of('runFamily') as FamilyInput[]).map(({ family, share }) => [
    family,
    share.maxConnections,
    Math.round(share.requestsPerSecond),
    share.maxRequests,
  ]);
  assert.equal(
    begun.find(([family]) => family === 'exposure'),
    ['exposure', 2, 67, 3_200],
  );
  assert.equal(
    begun.find(([family]) => family === 'tls'),
    ['tls', 1, 17, 800],
  );
  assert.equal(begun.length, 4);
});

together('families that change the target run one after the other, after those that look', async ({ stage }) => {
  let running = 0;
  const beside: Record<string, number> = {};
  const scan = await stage.start(
    { depth: 'deep' },
    {
      beginRun: async () => ({
        standard: [],
        deep: ['deep/access', 'deep/auth', 'deep/cookies', 'deep/data'],
        writing: ['deep/access', 'deep/auth'],
        logins: [],
        requestsPerSecond: 100,
      }),
      runFamily: async ({ family, before }) => {
        running += 1;
        await sleep(300);
        beside[family] = running;
        running -= 1;
        return { ...before, requests: before.requests + 1_000, done: true };
      },
    },
  );
  await scan.ended();
  const families = scan.of('runFamily') as FamilyInput[];
  assert.equal(families.map(({ family }) => family).slice(2), ['deep/access', 'deep/auth']);
  assert.equal([beside['deep/access'], beside['deep/auth']], [1, 1]);
  const [, , access, auth] = families.map(({ share }) => share);
  // What each of them may use leaves the other one its part.
  assert.ok((access?.maxRequests ?? 0) <= 25_000 && (auth?.maxRequests ?? 0) > 25_000, JSON.stringify([access, auth]));
  assert.ok((access?.deadlineMs ?? 0) < (auth?.deadlineMs ?? 0));
});

together(
  'what a canceled scan changed is not taken back before the activity that changes has ended',
  async ({ stage }) => {
    const ends: string[] = [];
    const scan = await stage.start(
      { depth: 'deep' },
      {
        runFamily: async ({ family, before }) => {
          if (family !== 'deep/access') return { ...before, done: true };
          const pulse = setInterval(() => heartbeat(), 200);
          await sleep(60_000, undefined, { signal: cancellationSignal() }).catch(() => {});
          // A request is on its way.
          await sleep(1_000);
          clearInterval(pulse);
          ends.push('family');
          cancellationSignal().throwIfAborted();
          return fail('not_canceled');
        },
        undoWrites: async () => {
          ends.push('undo');
          return { requests: 0 };
        },
      },
    );
    const isDeep = ({ family }: FamilyInput) => family === 'deep/access';
    while (!(scan.of('runFamily') as FamilyInput[]).some(isDeep)) await sleep(20);
    await scan.handle.cancel();
    await scan.ended();
    assert.equal([outcomeOf(scan), ends], [['canceled'], ['family', 'undo']]);
  },
);

together('a deep scan that fails takes back what it wrote before it ends', async ({ stage }) => {
  const scan = await stage.start({ depth: 'deep' }, { planNext: async () => fail('forbidden_address') });
  await scan.ended();
  const names = scan.calls.map(({ name }) => name);
  assert.equal(outcomeOf(scan), ['failed']);
  assert.ok(names.indexOf('undoWrites') > 0 && names.indexOf('undoWrites') < names.indexOf('finishRun'));
});

together('writes that cannot be undone are reported in the coverage and the scan ends', async ({ stage }) => {
  const scan = await stage.start({ depth: 'deep' }, { undoWrites: async () => fail('unreachable', 'gone') });
  await scan.ended();
  assert.equal((scan.of('recordPart') as PartInput[]).at(-1)?.omissions, [
    { code: 'undo_failed', subject: 'undo', count: 1, text: 'gone' },
  ]);
  assert.equal(outcomeOf(scan), ['completed']);
});

scans.run();
