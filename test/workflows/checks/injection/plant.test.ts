import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { plant, type Sends, unlessRefused } from '../../../../workflows/checks/injection/plant.ts';
import type { Omitted } from '../../../../workflows/model/omission.ts';
import { ChangedMeanwhile, ProofError } from '../../../../workflows/proof/proof-error.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import { further } from '../../../support/further.ts';
import { openAudit } from '../harness.ts';

const test = suite('planting of values');

async function planted(failure: Error) {
  const site = await startSite(() => html('<h1>Profile</h1>'));
  const audit = await openAudit(site.url, { depth: 'deep', writes: 'create' });
  const left: Omitted[] = [];
  const url = `${site.url}/profile`;
  const input = {
    ...{ method: 'POST', url, route: '/profile', parameter: 'motto', in: 'body' as const, sample: 'a' },
    others: [],
  };
  const form = { identity: '', pageUrl: url, addresses: {}, inputs: [input] };
  const context = {
    ...audit.context,
    store: () => Promise.reject(failure),
    leave: (omitted: Omitted) => left.push(omitted),
  };
  const sends: Sends = new Map();
  try {
    const seen = await unlessRefused(() =>
      plant(context, { form, sends }, new Map([['motto', 'b']]), () => Promise.resolve('seen')),
    );
    return { seen, left };
  } finally {
    await Promise.all([audit.close(), site.close()]);
  }
}

further(test)('what another change has changed meanwhile costs its own form alone, and is counted', async () => {
  const { seen, left } = await planted(new ChangedMeanwhile('the motto is another one now'));
  assert.equal([seen, left.map(({ code }) => code)], [undefined, ['would_write']]);
});

test('what could not be taken back ends the check', async () => {
  try {
    await planted(new ProofError('what was stored could not be taken back'));
    assert.unreachable();
  } catch (error) {
    assert.instance(error, ProofError);
  }
});

test.run();
