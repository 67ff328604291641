import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { jwtChosenKey } from '../../../../workflows/checks/auth/jwt-chosen-key.check.ts';
import { startCallbacks } from '../../../fixtures/callbacks.ts';
import {
  byName,
  byOneKey,
  type Header,
  named,
  rsa,
  startVerifier,
  type Verify,
  weakVerifiers,
} from '../../../scorecard/sites/token-verifier.ts';
import { further } from '../../../support/further.ts';
import { runOn } from '../harness.ts';
import { startKeyLists } from './key-lists.ts';

const test = suite('auth.jwt-chosen-key');

async function countOn(header: Header, verify: Verify, ...published: ['in a linked file'?]): Promise<number> {
  const site = await startVerifier(header, verify, ...published);
  try {
    return (await runOn(site.url, jwtChosenKey, site.options)).findings.length;
  } finally {
    await site.close();
  }
}

for (const [what, [header, verify]] of Object.entries(weakVerifiers))
  test(`${what} is found`, async () => assert.is(await countOn(header, verify), 1));

further(test)('a public key as a secret, which a page links to, is found', async () => {
  const [header, verify] = weakVerifiers['a public key as a secret'];
  assert.is(await countOn(header, verify, 'in a linked file'), 1);
  assert.is(await countOn(rsa, byOneKey, 'in a linked file'), 0);
});

const clean: [what: string, header: Header, verify: Verify][] = [
  ['one algorithm and one key', rsa, byOneKey],
  ['a key of a list', named, byName],
  ['no signature is verified, which is another weakness', named, () => true],
];
for (const [what, header, verify] of clean)
  test(`${what}: nothing is found`, async () => assert.is(await countOn(header, verify), 0));

for (const [what, isTrusted, count] of [
  ['that the token names is found', () => true, 1],
  ['of the site alone is clean', (jku: string, own: string) => jku.startsWith(own), 0],
] as const)
  further(test)(`a list of keys at an address ${what}`, async () => {
    const callbacks = await startCallbacks();
    const site = await startKeyLists(isTrusted);
    try {
      const found = await runOn(site.url, jwtChosenKey, { ...site.options, callbacks: callbacks.probe });
      assert.equal(found.findings.length, count, found.outcome.reason);
    } finally {
      await site.close();
      await callbacks.close();
    }
  });

test.run();
