import * as assert from 'uvu/assert';
import { privateKey } from '../../../../workflows/checks/exposure/private-key.check.ts';
import { privatePem } from '../../../fixtures/exposed/files.ts';
import { keySamples } from '../../../fixtures/exposed/keys.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import { further } from '../../../support/further.ts';
import { certificateFor } from '../../probe/support.ts';
import { runOn, stored } from '../harness.ts';
import { exposedSuite } from './exposed-suite.ts';

const test = exposedSuite(privateKey, keySamples);

/** A site over HTTPS that gives this file away, or its own key. */
async function findingFor(file: string, key?: string) {
  const tls = await certificateFor('shop.localhost');
  const site = await startSite(
    ({ path }) => (path === '/' ? html('hello') : path === file ? { body: key ?? tls.key } : undefined),
    { tls },
  );
  try {
    return await runOn(site.url, privateKey);
  } finally {
    await site.close();
  }
}

further(test)("the key of the site's own certificate is grave, and shown to be that", async () => {
  const found = await findingFor('/server.key');
  const [finding] = found.findings;
  assert.equal([found.outcome.kind, finding?.cvss?.score], ['found', 7.5], found.outcome.reason);
  assert.match(finding?.description ?? '', /is the key of the certificate of shop\.localhost/);
  assert.not.match(stored(found), /PRIVATE KEY-----\\n[\w+/]/);
});

further(test)('another key on such a site is medium, and said to be another', async () => {
  const [finding] = (await findingFor('/key.pem', privatePem('ec'))).findings;
  assert.is(finding?.cvss?.score, 5.3);
  assert.match(finding?.description ?? '', /not the key of the site’s certificate/);
});

test.run();
