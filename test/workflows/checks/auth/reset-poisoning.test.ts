import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { resetPoisoning } from '../../../../workflows/checks/auth/reset-poisoning.check.ts';
import type { Check } from '../../../../workflows/checks/contract.ts';
import { startCallbacks, type TestCallbacks } from '../../../fixtures/callbacks.ts';
import { forgetful, mailed, type ResettingSite, sent, startResetting } from '../../../scorecard/sites/resetting.ts';
import { firstRows } from '../../../support/further.ts';
import { sideBySide } from '../../../support/side-by-side.ts';
import { check, openAudit } from '../harness.ts';

const suiteOfAll = suite('links of a password reset that lead to a host of the request');
const test = sideBySide(suiteOfAll, 8);
let callbacks: Promise<TestCallbacks> | undefined;
const listener = () => {
  callbacks ??= startCallbacks();
  return callbacks;
};
suiteOfAll.after(async () => (await callbacks)?.close());

type Listening = { callbacks?: TestCallbacks; writes?: 'create' | 'reversible' };

async function audit(resetting: ResettingSite, { callbacks, writes = 'create' }: Listening) {
  const site = await startResetting(resetting);
  const listening = callbacks ? { callbacks: callbacks.probe } : {};
  const opened = await openAudit(site.url, { depth: 'deep', writes, identities: [forgetful], ...listening });
  try {
    const { findings, outcome } = await check(opened, resetPoisoning as Check);
    const posted = site.requests.filter((request) => request.startsWith('POST /reset-password'));
    return { places: findings.map(({ description }) => description ?? ''), outcome, posted };
  } finally {
    await opened.close();
    await site.close();
  }
}

const ownHost = () => 'shop.localhost';
const vulnerable: [header: string, hostIn: Parameters<typeof mailed>[0]][] = [
  ['X-Forwarded-Host', (headers) => headers['x-forwarded-host'] ?? headers.host],
  ['Forwarded', ({ forwarded, host }) => /host="([^"]+)"/.exec(String(forwarded))?.[1] ?? host],
  ['Host', ({ host }) => host],
];
for (const [header, hostIn] of firstRows(vulnerable, 2))
  test(`a host in ${header} is found, and no password is set`, async () => {
    const { places, posted, outcome } = await audit({ answer: mailed(hostIn) }, { callbacks: await listener() });
    assert.is(places.length, 1, outcome.reason);
    assert.ok(places[0]?.includes(` ${header} named`), places[0]);
    assert.equal(posted, []);
  });

const clean: [what: string, site: ResettingSite][] = [
  ['a configured host', { answer: mailed(ownHost) }],
  ['a page that shows its form for any token', { answer: mailed(({ host }) => host), shows: 'for-any-token' }],
  ['a link without the token', { answer: mailed(({ host }) => host, '/reset-password?token=hidden#') }],
  [
    'hosts in any header',
    {
      answer: (token, headers) => {
        for (const [name, value] of Object.entries(headers))
          if (name.startsWith('x-')) mailed(() => value)(token, headers);
        return sent;
      },
    },
  ],
];
for (const [what, site] of firstRows(clean, 1))
  test(`${what} is not`, async () => {
    const { places, outcome } = await audit(site, { callbacks: await listener() });
    assert.equal([outcome.kind, places], ['clean', []], outcome.reason);
  });

test('without a listener, and where nothing may stay, it is not run and says why', async () => {
  const site = { answer: mailed(({ host }) => host) };
  for (const [given, code] of [
    [{}, 'no_callback_listener'],
    [{ callbacks: await listener(), writes: 'reversible' }, 'would_write'],
  ] as const) {
    const { outcome } = await audit(site, given);
    assert.equal([outcome.kind, outcome.omitted.map((each) => each.code)], ['not-run', [code]]);
  }
});

suiteOfAll.run();
