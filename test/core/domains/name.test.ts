import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { coveringNames, domainToProve, parseDomain } from '../../../core/domains/name.ts';
import { Refusal } from '../../../core/errors.ts';

const test = suite('domain names');

const spellings: [string, string][] = [
  ['example.com', 'example.com'],
  [' Example.COM. ', 'example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['ｅｘａｍｐｌｅ.com', 'example.com'],
  ['_dmarc.example.com', '_dmarc.example.com'],
  ['shop.localhost', 'shop.localhost'],
  ['intranet', 'intranet'],
  ['127.1', '127.0.0.1'],
  ['0x7f000001', '127.0.0.1'],
  ['2001:DB8::1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['someone.github.io', 'someone.github.io'],
];
for (const [given, name] of spellings)
  test(`"${given}" is ${name}`, () => {
    assert.is(parseDomain('domain', given).name, name);
  });

const refused = [
  ...['', ' ', '.', 'a..b', '-a.example', 'a b.example', 'exa%6dple.com', 'example.com/x', 'https://example.com'],
  ...['example.com:443', 'user@example.com', '*.example.com', `${'a'.repeat(64)}.example`, 'a.'.repeat(130)],
  ...['com', 'co.uk', 'github.io', 'CO.UK.', 'xn--p1ai', '2001:db8::zz', '1.2.3.4.5.6'],
];
for (const given of refused)
  test(`"${given.slice(0, 30)}" is no domain to claim`, () => {
    assert.throws(
      () => parseDomain('domain', given),
      (error: unknown) => error instanceof Refusal && error.reason === 'INVALID_PARAMETER',
    );
  });

test('addresses and single labels are distinguished from names', () => {
  assert.equal(parseDomain('domain', '::1'), { name: '::1', isAddress: true, isSingleLabel: false });
  assert.equal(parseDomain('domain', 'localhost'), { name: 'localhost', isAddress: false, isSingleLabel: true });
});

test('a host is covered by itself and its parents, nearest first; an address by itself', () => {
  assert.equal(coveringNames('a.b.example.com'), ['a.b.example.com', 'b.example.com', 'example.com', 'com']);
  assert.equal(coveringNames('127.0.0.1'), ['127.0.0.1']);
  assert.equal(coveringNames('2001:db8::1'), ['2001:db8::1']);
});

test('what there is to prove is the registrable domain', () => {
  assert.is(domainToProve('a.b.example.co.uk'), 'example.co.uk');
  assert.is(domainToProve('x.someone.github.io'), 'someone.github.io');
  assert.is(domainToProve('127.0.0.1'), '127.0.0.1');
  assert.is(domainToProve('intranet'), 'intranet');
});

test.run();
