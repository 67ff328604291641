import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Depth, OutcomeKind, type Scan, ScanStatus } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import type { CheckContext } from '../../../workflows/checks/contract.ts';
import { inputAction } from '../../../workflows/checks/inputs/input-request.ts';
import { inputsToProbe, loginNames } from '../../../workflows/checks/inputs/probe-inputs.ts';
import { registryOf } from '../../../workflows/checks/registry.ts';
import type { InputSurface } from '../../../workflows/model/surface.ts';
import type { BrowserPool } from '../../../workflows/probe/browser/launch.ts';
import { dora } from '../../fixtures/logins/people.ts';
import { sessionSite } from '../../fixtures/logins/session-sites.ts';
import { startSite } from '../../fixtures/site.ts';
import { testBrowsers } from '../checks/harness.ts';
import { checkLike } from '../support/checks.ts';
import { hasEnded } from '../support/installation.ts';
import { openWorkbench, type Workbench } from '../support/workbench.ts';

const maxWrong = 12;

/** Sends each of these more wrong logins than the site takes. */
async function tryLogins({ http }: CheckContext, inputs: readonly InputSurface[]): Promise<number> {
  for (const input of inputs)
    for (let count = 0; count <= maxWrong; count += 1) {
      const { url, method = 'POST', headers = [], body = '' } = inputAction(input, `nobody${count}`);
      await http.send({ url, method, headers, body, fresh: true });
    }
  return inputs.length;
}

/** Looks for injection, in logins too. */
const prober = (tried: number[]) =>
  checkLike({
    ...{ id: 'injection.prober', visitors: 'each' },
    async detect(context) {
      const { surface } = context;
      tried.push(await tryLogins(context, [...loginNames(surface), ...inputsToProbe(surface)]));
      return [];
    },
  });

/** Its name is before that of the check that logs in. */
const guesser = checkLike({
  ...{ id: 'auth.guesser', depth: 'deep', triesLogins: true },
  async detect(context) {
    await tryLogins(context, loginNames(context.surface));
    return [];
  },
});

/** What ends a session has one of its own, and so does what looks into its cookies. */
const ownSessions = ['auth.own-session', 'sessions.own'].map((id) =>
  checkLike({
    ...{ id, depth: 'deep' },
    async detect({ logIn }) {
      await logIn('a');
      return [];
    },
  }),
);

type World = { bench: Workbench; browsers: BrowserPool; tried: number[] };
const test = suite<World>('a site that counts refused logins');

test.before(async (world) => {
  world.tried = [];
  world.browsers = testBrowsers();
  world.bench = await openWorkbench(registryOf([prober(world.tried), guesser, ...ownSessions], []), world.browsers);
});
test.after(async ({ bench, browsers }) => {
  await bench.close();
  await browsers.close();
});

const outcomesOf = ({ coverage }: Scan, checkId: string) =>
  coverage?.families.flatMap(({ outcomes }) => outcomes.filter((each) => each.checkId === checkId)) ?? [];

test('lets the checks log in that need a session: logins are tried when they have ended', async ({ bench, tried }) => {
  const site = await startSite(sessionSite({ maxWrong, pages: {} }).handler, { host: bench.host });
  try {
    const form = { url: new URL('/login', site.url).href, ...dora };
    await bench.domains.putLogin({ domain: bench.host, name: 'a', login: { kind: { case: 'form', value: form } } });
    const { runId } = await bench.scans.startScan({ url: site.url, depth: Depth.DEEP });
    const record = await bench.until(runId, hasEnded, 200_000);
    assert.is(record.status, ScanStatus.COMPLETED, record.failure?.detail);
    for (const { id } of ownSessions)
      assert.equal(
        outcomesOf(record, id).map(({ outcome, reason }) => [outcome, reason]),
        [[OutcomeKind.CLEAN, '']],
        id,
      );
    assert.equal(tried, [0, 0, 1]);
  } finally {
    await site.close();
  }
});

test.run();
