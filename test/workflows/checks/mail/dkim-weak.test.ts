import { generateKeyPairSync } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Severity } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { dkimWeak } from '../../../../workflows/checks/mail/dkim-weak.check.ts';
import type { Zone } from '../../../fixtures/name-server.ts';
import { firstRows, further } from '../../../support/further.ts';
import { namedBy, resultOf } from '../named-site.ts';

const test = suite('mail.dkim-weak');

const name = (selector: string, domain = 'northwind.shop') => `${selector}._domainkey.${domain}`;
const place = (selector: string) => `dns:${name(selector)}?type=TXT`;

function rsa(bits: number, type: 'spki' | 'pkcs1' = 'spki'): string {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: bits });
  return publicKey.export({ type, format: 'der' }).toString('base64');
}
const [short, middle, long] = [rsa(512), rsa(1024), rsa(2048)];

/** As a name server gives it: in strings of at most 255 characters. */
const keys = (texts: Record<string, string>): Zone =>
  Object.fromEntries(
    Object.entries(texts).map(([selector, text]) => [`${name(selector)} TXT`, [text.match(/.{1,255}/g)]]),
  );

for (const [what, selector, text] of [
  ['a key of 512 bits', 'default', `v=DKIM1; k=rsa; p=${short}`],
  ['a key without version and kind', 'selector1', `p=${short}`],
  ['a key with spaces in it, for tests', 's1', `v=DKIM1;t=y; k=rsa ;p= ${short.slice(0, 20)} ${short.slice(20)};`],
  ['a key of 1,023 bits', 'mail', `v=DKIM1; h=sha256; p=${rsa(1023)}`],
  ['a key in the form of the standard', 'k1', `v=DKIM1; p=${rsa(768, 'pkcs1')}`],
] as const) {
  test(`${what} is found`, async () => {
    const { outcome, findings } = await resultOf(dkimWeak, keys({ [selector]: text }));
    assert.is(outcome.kind, 'found', outcome.reason);
    assert.equal([findings[0]?.location?.url, findings[0]?.severity], [place(selector), Severity.MEDIUM]);
  });
}

test('a key that nobody is known to have broken is reported for information', async () => {
  const { findings } = await resultOf(dkimWeak, keys({ google: `v=DKIM1; k=rsa; p=${middle}` }));
  assert.is(findings[0]?.severity, Severity.INFO);
  assert.match(findings[0]?.description ?? '', '"google" of northwind.shop has 1024 bits');
});

test('several keys are one finding, as grave as the shortest', async () => {
  const { findings } = await resultOf(dkimWeak, keys({ google: `p=${middle}`, k1: `p=${short}`, k2: `p=${long}` }));
  assert.is(findings.length, 1);
  assert.equal(
    findings[0]?.locations?.map(({ url }) => url),
    [place('k1'), place('google')],
  );
  assert.is(findings[0]?.severity, Severity.MEDIUM);
});

test('a key that is kept with a mail service is found behind its alias', async () => {
  const alias = { alias: 'northwind.dkim.service.example' };
  const zone = { [`${name('selector2')} TXT`]: [alias, [`v=DKIM1; p=${short}`]] };
  // The fixture answers records in the name that was asked for, as if the alias had been followed.
  assert.equal(await namedBy(dkimWeak, zone), ['found', place('selector2')]);
});

for (const [what, selector, text] of [
  ['a key of 2,048 bits', 'default', `v=DKIM1; k=rsa; p=${long}`],
  ['a key of 2,048 bits in the form of the standard', 'default', `v=DKIM1; p=${rsa(2048, 'pkcs1')}`],
] as const) {
  test(`${what} is clean`, async () => {
    assert.equal(await namedBy(dkimWeak, keys({ [selector]: text })), ['clean']);
  });
}

for (const [what, zone] of firstRows(
  [
    ['no keys', {}],
    ['a key that was revoked', keys({ default: 'v=DKIM1; p=' })],
    ['a key of another kind', keys({ default: 'v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=' })],
    ['a key of another version', keys({ default: `v=DKIM2; p=${short}` })],
    ['something that is no key', keys({ default: 'v=DKIM1; k=rsa; p=not+a+key', mail: 'v=spf1 -all' })],
    [
      'two records, of which nobody can know which one counts',
      { [`${name('mail')} TXT`]: [[`p=${short}`], [`p=${middle}`]] },
    ],
    ['a key under a selector of its own', keys({ 'jx-7': `p=${short}` })],
  ] as const,
  2,
)) {
  test(`${what}: nothing to judge`, async () => {
    assert.equal(await namedBy(dkimWeak, zone), ['not-applicable']);
  });
}

further(test)('a key that stands under every name, put there by a wildcard, is refuted', async () => {
  const { outcome } = await resultOf(dkimWeak, keys({ '*': `p=${short}` }));
  assert.is(outcome.kind, 'clean');
  assert.ok(outcome.refuted > 0);
});

test('what a failing name server has is not known', async () => {
  const failing = { [`${name('mail')} TXT`]: 'SERVFAIL' } as const;
  const { outcome } = await resultOf(dkimWeak, {}, { failing });
  assert.is(outcome.kind, 'not-run');
  assert.match(outcome.reason, /SERVFAIL for mail\._domainkey/);
  assert.equal(await namedBy(dkimWeak, keys({ k1: `p=${short}` }), { failing }), ['found', place('k1')]);
});

test.run();
