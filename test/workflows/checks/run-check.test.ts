import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Severity } from '../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { type Check, notApplicable, notRun } from '../../../workflows/checks/contract.ts';
import { runCheck } from '../../../workflows/checks/run-check.ts';
import type { Candidate } from '../../../workflows/model/candidate.ts';
import { ProbeError } from '../../../workflows/model/probe-error.ts';
import type { OpenProbes } from '../../../workflows/probe/open.ts';
import { further } from '../../support/further.ts';
import { bodyHas, checkLike, openTestProbes, testContext, testProver } from '../support/checks.ts';
import { openSite, page, type Site } from '../support/site.ts';

const runs = suite<{ site: Site; url: string; probes: OpenProbes }>('run check');
runs.before(async (context) => {
  context.site = await openSite(({ url = '' }, response) => {
    if (url.startsWith('/slow')) return;
    page(response, url.startsWith('/weak') ? 'a secret word' : 'nothing here', url.startsWith('/weak') ? 200 : 404);
  });
  context.url = `http://site.localhost:${context.site.port}`;
});
runs.before.each((context) => {
  context.probes = openTestProbes(context.url);
});
runs.after.each(({ probes }) => probes.close());
runs.after(({ site }) => site.close());

const at = (url: string, more: Partial<Candidate> = {}): Candidate => ({ location: { url }, ...more });

function run(
  { url, probes }: { url: string; probes: OpenProbes },
  given: Partial<Check>,
  timeoutMs = 10_000,
  signal = new AbortController().signal,
) {
  const context = testContext(url, probes, signal);
  return runCheck(checkLike(given), context, testProver(context), { timeoutMs, signal });
}

runs('a candidate that the experiment proves is a finding with its severity computed', async (world) => {
  const { outcome, findings } = await run(world, {
    detect: () => [at(`${world.url}/weak`, { detail: 'Seen on a page.' })],
    confirm: (_context, { location }) => bodyHas(location.url, 'secret'),
  });
  assert.equal(outcome, { checkId: 'test.weakness', kind: 'found', reason: '', omitted: [], refuted: 0 });
  assert.is(findings.length, 1);
  assert.is(findings[0]?.severity, Severity.MEDIUM);
  assert.is(findings[0]?.cvss?.score, 5.3);
  assert.is(findings[0]?.description, 'Seen on a page. D.');
  assert.is(findings[0]?.category, 'test');
  assert.is(findings[0]?.location?.method, 'GET');
});

runs('a candidate that the experiment refutes is counted and no finding', async (world) => {
  const { outcome, findings } = await run(world, {
    detect: () => [at(`${world.url}/fine`)],
    confirm: (_context, { location }) => bodyHas(location.url, 'secret'),
  });
  assert.equal([outcome.kind, outcome.refuted, findings.length], ['clean', 1, 0]);
});

runs('a candidate that a closer look refutes needs no experiment', async (world) => {
  const { outcome } = await run(world, { detect: () => [at(`${world.url}/fine`)], confirm: () => undefined });
  assert.equal([outcome.kind, outcome.refuted], ['clean', 1]);
});

runs('no candidate is clean', async (world) => {
  assert.is((await run(world, { detect: () => [] })).outcome.kind, 'clean');
});

runs('what does not apply and what could not be looked at are distinguished, each with its reason', async (world) => {
  const none = await run(world, { detect: () => notApplicable('no forms') });
  const blind = await run(world, { detect: () => notRun('browser_unavailable', 'no browser') });
  assert.equal([none.outcome.kind, none.outcome.reason], ['not-applicable', 'no forms']);
  assert.equal([blind.outcome.kind, blind.outcome.reason], ['not-run', 'no browser']);
  assert.equal(blind.outcome.omitted, [{ code: 'browser_unavailable', count: 1, text: 'no browser' }]);
});

runs('a check that crashes is not run, with the fault named', async (world) => {
  const { outcome } = await run(world, {
    detect: () => {
      throw new TypeError('x is not a function');
    },
  });
  assert.equal([outcome.kind, outcome.reason], ['not-run', 'the check failed: x is not a function']);
});

runs('a host that does not answer leaves the check not run, not clean', async (world) => {
  const { outcome } = await run(world, {
    detect: () => [at('http://site.localhost:9/')],
    confirm: (_context, { location }) => bodyHas(location.url, 'secret'),
  });
  assert.is(outcome.kind, 'not-run');
  assert.match(outcome.reason, /at http:\/\/site\.localhost:9\//);
});

runs('a place that could not be looked at does not hide what was found elsewhere, and is reported', async (world) => {
  const { outcome, findings } = await run(world, {
    detect: () => [at('http://site.localhost:9/'), at(`${world.url}/weak`)],
    confirm: (_context, { location }) => bodyHas(location.url, 'secret'),
  });
  assert.is(outcome.kind, 'found');
  assert.is(findings.length, 1);
  assert.match(outcome.reason, /site\.localhost:9/);
});

runs('a check that takes too long is not run, and sends nothing more', async (world) => {
  const requestsBefore = world.site.requests.length;
  const { outcome } = await run(
    world,
    {
      detect: async ({ http }) => {
        for (let count = 0; count < 100; count += 1) {
          await http.get(`${world.url}/fine?${count}`);
          await sleep(50);
        }
        return [];
      },
    },
    300,
  );
  assert.equal([outcome.kind, outcome.reason], ['not-run', 'not finished after 300 ms']);
  await sleep(200);
  const sent = world.site.requests.length;
  await sleep(300);
  assert.is(world.site.requests.length, sent);
  assert.ok(sent - requestsBefore < 20);
});

runs('what a check has proven before its time was up is found, and the rest is reported', async (world) => {
  const { outcome, findings } = await run(
    world,
    {
      detect: () => [at(`${world.url}/weak`), at(`${world.url}/slow`)],
      confirm: (_context, { location }) => bodyHas(location.url, 'secret'),
    },
    1_000,
  );
  assert.equal([outcome.kind, outcome.reason, findings.length], ['found', 'not finished after 1000 ms', 1]);
  assert.equal(outcome.omitted, [{ code: 'time', count: 1, text: 'not finished after 1000 ms' }]);
});

runs('a place that gave no answer in time is tried once more, after the others', async (world) => {
  const tried: string[] = [];
  const late = new ProbeError('timeout', 'no answer in 10 s');
  const confirm: Check['confirm'] = (_context, { location: { url } }) => {
    tried.push(url.slice(world.url.length));
    if (url.endsWith('/never') || tried.length === 1) throw late;
    return bodyHas(url, 'secret');
  };
  const detect = () => ['/weak/late', '/weak/never', '/weak'].map((path) => at(`${world.url}${path}`));
  const { outcome, findings } = await run(world, { detect, confirm });
  assert.equal(tried, ['/weak/late', '/weak/never', '/weak', '/weak/late', '/weak/never']);
  assert.equal([findings.length, outcome.omitted.map(({ count }) => count)], [2, [1]]);
});

runs('a check that hangs and does not notice is left behind', async (world) => {
  const { outcome } = await run(world, { detect: () => new Promise(() => {}) }, 100);
  assert.is(outcome.kind, 'not-run');
});

runs('a canceled run ends the check with the reason of the cancellation', async (world) => {
  const canceling = new AbortController();
  const detect: Check['detect'] = async ({ http }) => {
    await http.get(`${world.url}/slow`);
    return [];
  };
  const running = run(world, { detect }, 10_000, canceling.signal);
  await sleep(50);
  canceling.abort(new Error('canceled by the test'));
  await running.then(
    () => assert.unreachable(),
    (error: Error) => assert.is(error.message, 'canceled by the test'),
  );
});

further(runs)('the same weakness on many pages is one finding that names at most ten of them', async (world) => {
  const pages = Array.from({ length: 25 }, (_, index) => at(`${world.url}/weak/${index}`, { route: '*' }));
  const { findings } = await run(world, {
    detect: () => pages,
    confirm: (_context, { location }) => bodyHas(location.url, 'secret'),
  });
  assert.is(findings.length, 1);
  assert.is(findings[0]?.locations?.length, 10);
});

runs('the worst place of a finding gives its vector and stands first', async (world) => {
  const grave = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
  const { findings } = await run(world, {
    detect: () => [at(`${world.url}/weak/1`), at(`${world.url}/weak/2`, { cvss: grave })],
    confirm: (_context, { location }) => bodyHas(location.url, 'secret'),
  });
  assert.is(findings[0]?.cvss?.vector, grave);
  assert.is(findings[0]?.location?.url, `${world.url}/weak/2`);
});

runs('a vector that a candidate got wrong costs the check, not its family', async (world) => {
  const { outcome } = await run(world, {
    detect: () => [at(`${world.url}/weak`, { cvss: 'high' })],
    confirm: (_context, { location }) => bodyHas(location.url, 'secret'),
  });
  assert.is(outcome.kind, 'not-run');
  assert.match(outcome.reason, /not a CVSS 3\.1 base vector/);
});

runs('a check with thousands of places says how many it left out', async (world) => {
  const many = Array.from({ length: 250 }, (_, index) => at(`${world.url}/fine/${index}`));
  const { outcome } = await run(world, { detect: () => many, confirm: () => undefined });
  assert.is(outcome.kind, 'not-run');
  assert.match(outcome.reason, /50 of 250 places were left out/);
});

runs('a proof gives facts with an id that is the same each time', async (world) => {
  const check: Partial<Check> = {
    detect: () => [at(`${world.url}/weak`)],
    confirm: (_context, { location }) => bodyHas(location.url, 'secret'),
    gives: {
      kinds: ['word'],
      facts: (candidate) => [{ kind: 'word', subject: candidate.location.url, attributes: { b: '2', a: '1' } }],
    },
  };
  const [first, second] = [await run(world, check), await run(world, check)];
  assert.is(first.facts.length, 1);
  assert.is(first.facts[0]?.id, second.facts[0]?.id);
  assert.is(first.facts[0]?.fingerprint, first.findings[0]?.fingerprint);
});

const letters = [...'abcdefghijklmnopqrstuvwxyz'];
const words = [1, 2, 3, 4].flatMap((times) => letters.map((letter) => letter.repeat(times)));

const inputs = (url: string, count: number, parameter: string): Candidate[] =>
  words.slice(0, count).map((word) =>
    at(`${url}/weak/${word}`, {
      location: { url: `${url}/weak/${word}`, parameter, parameterIn: 'query' },
    }),
  );

runs('a parameter of programs of their own has a finding for each', async (world) => {
  const { findings } = await run(world, {
    detect: () => inputs(world.url, 8, 'text').map((candidate) => ({ ...candidate, isApart: true as const })),
    confirm: (_context, { location }) => bodyHas(location.url, 'secret'),
  });
  assert.is(findings.length, 8);
});

further(runs)(
  'a parameter that is weak on many routes is one finding, whose remark counts only what was tried',
  async (world) => {
    const confirm = (_context: unknown, { location }: Candidate) => bodyHas(location.url, 'secret');
    const many = await run(world, { detect: () => inputs(world.url, 104, 'q'), confirm });
    assert.is(many.findings.length, 1);
    assert.is(many.findings[0]?.locations?.length, 100);
    assert.match(many.findings[0]?.description ?? '', /it was proven at 100 of them\./);
    assert.equal(
      many.outcome.omitted.map(({ code, count }) => [code, count]),
      [['alike', 4]],
    );
    const fewer = await run(world, { detect: () => inputs(world.url, 12, 'q'), confirm });
    assert.is(fewer.findings[0]?.fingerprint, many.findings[0]?.fingerprint);
  },
);

runs('a parameter that is weak on a few routes is a finding on each, and so is another parameter', async (world) => {
  const { findings } = await run(world, {
    detect: () => [...inputs(world.url, 5, 'q'), ...inputs(world.url, 2, 'page')],
    confirm: (_context, { location }) => bodyHas(location.url, 'secret'),
  });
  assert.is(findings.length, 7);
});

further(runs)('many places on one route leave no other route out', async (world) => {
  const places = Array.from({ length: 42 }, (_, index) => ({
    location: { url: `${world.url}/weak?n=${index}`, parameter: 'q', parameterIn: 'query' as const },
  }));
  const { findings } = await run(world, {
    detect: () => [...places, ...inputs(world.url, 1, 'q')],
    confirm: (_context, { location }) => bodyHas(location.url, 'secret'),
  });
  assert.equal(
    findings.map(({ locations }) => locations?.length),
    [40, 1],
  );
});

runs.run();
