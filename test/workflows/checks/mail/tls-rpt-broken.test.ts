import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Severity } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { tlsRptBroken } from '../../../../workflows/checks/mail/tls-rpt-broken.check.ts';
import type { Zone } from '../../../fixtures/name-server.ts';
import { namedBy, resultOf } from '../named-site.ts';

const test = suite('mail.tls-rpt-broken');

const found = ['found', 'dns:_smtp._tls.northwind.shop?type=TXT'];
const asking = (...texts: string[]): Zone => ({ '_smtp._tls.northwind.shop TXT': texts.map((text) => [text]) });
const good = 'v=TLSRPTv1; rua=mailto:tls@northwind.shop';

for (const [what, texts] of [
  ['an address without its kind', ['v=TLSRPTv1; rua=tls@northwind.shop']],
  ['no address', ['v=TLSRPTv1;']],
  ['an empty address', ['v=TLSRPTv1; rua=']],
  ['an address of a kind that nobody sends to', ['v=TLSRPTv1; rua=http://northwind.shop/tls']],
  ['an address under another name', ['v=TLSRPTv1; ruf=mailto:tls@northwind.shop']],
  ['two records', [good, 'v=TLSRPTv1; rua=https://northwind.shop/tls']],
] as const) {
  test(`a record with ${what} is found, for information`, async () => {
    const { outcome, findings } = await resultOf(tlsRptBroken, asking(...texts));
    assert.equal([outcome.kind, findings[0]?.location?.url], found, outcome.reason);
    assert.is(findings[0]?.severity, Severity.INFO);
  });
}

for (const [what, texts] of [
  ['an address for mail', [good]],
  ['an address of a service', ['v=TLSRPTv1;rua=https://reports.example/tls']],
  ['several addresses, one of them good', ['v=TLSRPTv1; rua=tls@northwind.shop, MAILTO:tls@northwind.shop;']],
  ['other text beside it', [good, 'v=TLSRPTv2; rua=']],
] as const) {
  test(`a record with ${what} is clean`, async () => {
    assert.equal(await namedBy(tlsRptBroken, asking(...texts)), ['clean']);
  });
}

test('a domain that asks for no reports has nothing that is broken', async () => {
  assert.equal(await namedBy(tlsRptBroken, {}), ['not-applicable']);
});

test('a record that stands under every name is refuted', async () => {
  const { outcome } = await resultOf(tlsRptBroken, { '*._tls.northwind.shop TXT': [['v=TLSRPTv1;']] });
  assert.equal([outcome.kind, outcome.refuted], ['clean', 1]);
});

test('what a failing name server has is not known', async () => {
  const failing = { '_smtp._tls.northwind.shop TXT': 'REFUSED' } as const;
  assert.equal(await namedBy(tlsRptBroken, {}, { failing }), ['not-run']);
});

test.run();
