import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ProofSchema } from '../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { makeNonce } from '../../../workflows/activities/audit-context.ts';
import { claim, type Experiment, type Step } from '../../../workflows/model/experiment.ts';
import type { BrowserPool } from '../../../workflows/probe/browser/launch.ts';
import { prove } from '../../../workflows/proof/prove.ts';
import { experimentOf } from '../../../workflows/proof/stored.ts';
import type { ProofContext } from '../../../workflows/proof/trial.ts';
import { startSite } from '../../fixtures/site.ts';
import { further } from '../../support/further.ts';
import { testBrowsers } from '../checks/harness.ts';
import { openFor } from '../probe/support.ts';

const test = suite<{ browsers: BrowserPool }>('an experiment with a page of our own');
test.before((world) => {
  world.browsers = testBrowsers();
});
test.after(({ browsers }) => browsers.close());

/** The page asks for an address of the host and says in a dialog whether it may read the answer. */
const asks = (url: string): Step => ({
  browser: {
    url: 'http://‹nonce›.invalid/',
    page: `<script>
      const request = new XMLHttpRequest();
      try {
        request.open('GET', '${url}?‹nonce›', false);
        request.send();
        alert(request.responseText + ' ‹nonce›');
      } catch { alert('refused') }
    </script>`,
  },
  note: 'A page of another site reads the answer.',
  expect: [claim('browser:dialogs', 'equals', 'public ‹nonce›')],
});

async function onSite(
  browsers: BrowserPool,
  work: (world: { url: string; context: ProofContext; requests: string[] }) => Promise<void>,
) {
  const site = await startSite(({ path }) => ({
    headers: path === '/open' ? { 'access-control-allow-origin': '*' } : {},
    body: 'public',
  }));
  const probes = openFor(site.url, { browsers });
  const context: ProofContext = {
    ...probes,
    identities: {},
    nonce: () => makeNonce(),
    now: () => new Date(),
    signal: new AbortController().signal,
  };
  try {
    await work({ url: site.url, context, requests: site.requests });
  } finally {
    await probes.close();
    await site.close();
  }
}

const experiment = (url: string): Experiment => ({ steps: [asks(`${url}/open`)], control: [asks(`${url}/closed`)] });

test('is stored with its page as it is written, and can be run again from that', async ({ browsers }) => {
  await onSite(browsers, async ({ url, context, requests }) => {
    const verdict = await prove(experiment(url), context);
    if (!verdict.proven) throw new Error(verdict.reason);
    const stored = fromBinary(ProofSchema, toBinary(ProofSchema, verdict.proof));
    const { action } = stored.steps[0] ?? {};
    assert.is(action?.case, 'browser');
    assert.match(action?.case === 'browser' ? action.value.page : '', /'GET', 'http.*\/open\?‹nonce›'/);
    const again = experimentOf(stored);
    if ('notReplayable' in again) throw new Error(again.notReplayable);
    assert.is((await prove(again, context)).proven, true);
    // Each of the four trials asks once for either, under a name of its own.
    assert.is(requests.length, 8);
    assert.is(new Set(requests).size, 8);
  });
});

further(test)('gives no command: the page is not at the address that it is opened under', async ({ browsers }) => {
  await onSite(browsers, async ({ url, context }) => {
    const verdict = await prove(experiment(url), context);
    assert.is(verdict.proven && verdict.proof.curl, '');
  });
});

test.run();
