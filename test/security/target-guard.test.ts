import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseAllowRules } from '../../workflows/probe/guard/allow.ts';
import { createGuard } from '../../workflows/probe/guard/guard.ts';
import { startDnsServer } from '../workflows/probe/dns-server.ts';
import { codeOf, httpTarget, openFor } from '../workflows/probe/support.ts';

/** First and last address of every block of the IANA special-purpose registries that is not ordinary unicast. */
const blocks: [name: string, first: string, last: string][] = [
  ['0.0.0.0/8 "this network"', '0.0.0.0', '0.255.255.255'],
  ['10.0.0.0/8 private', '10.0.0.0', '10.255.255.255'],
  ['100.64.0.0/10 shared', '100.64.0.0', '100.127.255.255'],
  ['127.0.0.0/8 loopback', '127.0.0.0', '127.255.255.255'],
  ['169.254.0.0/16 link-local', '169.254.0.0', '169.254.255.255'],
  ['172.16.0.0/12 private', '172.16.0.0', '172.31.255.255'],
  ['192.0.0.0/24 protocol assignments', '192.0.0.0', '192.0.0.255'],
  ['192.0.2.0/24 documentation', '192.0.2.0', '192.0.2.255'],
  ['192.31.196.0/24 AS112', '192.31.196.0', '192.31.196.255'],
  ['192.52.193.0/24 AMT', '192.52.193.0', '192.52.193.255'],
  ['192.88.99.0/24 6to4 relay', '192.88.99.0', '192.88.99.255'],
  ['192.168.0.0/16 private', '192.168.0.0', '192.168.255.255'],
  ['192.175.48.0/24 AS112', '192.175.48.0', '192.175.48.255'],
  ['198.18.0.0/15 benchmarking', '198.18.0.0', '198.19.255.255'],
  ['198.51.100.0/24 documentation', '198.51.100.0', '198.51.100.255'],
  ['203.0.113.0/24 documentation', '203.0.113.0', '203.0.113.255'],
  ['224.0.0.0/4 multicast', '224.0.0.0', '239.255.255.255'],
  ['240.0.0.0/4 reserved', '240.0.0.0', '255.255.255.254'],
  ['255.255.255.255/32 broadcast', '255.255.255.255', '255.255.255.255'],
  ['168.63.129.16/32 Azure', '168.63.129.16', '168.63.129.16'],
  ['::/128 and IPv4-compatible', '::', '::ffff:ffff'],
  ['::1/128 loopback', '::1', '::1'],
  ['::ffff:0:0/96 IPv4-mapped', '::ffff:0.0.0.0', '::ffff:255.255.255.255'],
  ['::ffff:0:0:0/96 IPv4-translated', '::ffff:0:0:0', '::ffff:0:ffff:ffff'],
  ['64:ff9b::/96 NAT64', '64:ff9b::', '64:ff9b::ffff:ffff'],
  ['64:ff9b:1::/48 local NAT64', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['100::/64 discard', '100::', '100::ffff:ffff:ffff:ffff'],
  ['100:0:0:1::/64 dummy', '100:0:0:1::', '100:0:0:1:ffff:ffff:ffff:ffff'],
  ['2001::/23 protocol assignments', '2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001::/32 Teredo', '2001:0:1::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:2::/48 benchmarking', '2001:2::', '2001:2:0:ffff:ffff:ffff:ffff:ffff'],
  ['2001:10::/28 ORCHID', '2001:10::', '2001:1f:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:20::/28 ORCHIDv2', '2001:20::', '2001:2f:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:db8::/32 documentation', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2002::/16 6to4', '2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2620:4f:8000::/48 AS112', '2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff'],
  ['3fff::/20 documentation', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['5f00::/16 segment routing', '5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fc00::/7 unique local', 'fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fe80::/10 link-local', 'fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fec0::/10 site-local', 'fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['ff00::/8 multicast', 'ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['4000::/2 and others that nobody was given', '4000::', 'bfff::1'],
];

/** Ways to write 127.0.0.1 and 169.254.169.254 that some resolver, browser or library understands. */
const spellings = [
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0X7F.0.0.1',
  '0x7f.1',
  '017700000001',
  '0177.0.0.1',
  '0177.0x0.0.1',
  '0300.0250.0.1',
  '2852039166',
  '0xa9fea9fe',
  '0251.0376.0251.0376',
  '169.254.43518',
  '①②⑦.⓪.⓪.①',
  '１２７.0.0.1',
  '127。0。0。1',
  '[::1]',
  '::1',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:127.0.0.1]',
  '[::127.0.0.1]',
  '[::7f00:1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2002:a9fe:a9fe::1]',
  '[2001:0:7f00:1::]',
  '[2001:0:4136:e378:8000:63bf:80ff:fffe]',
  '[2600::5efe:7f00:1]',
  '[2600::200:5efe:a9fe:a9fe]',
  '[::ffff:0:127.0.0.1]',
  '[fd00:ec2::254]',
  '[fe80::1%eth0]',
  'fe80::1%25eth0',
  '0',
  '0.0.0.0',
  '0x0',
];

/** Texts that are no host at all. */
const noHosts = [
  '',
  '.',
  ' ',
  '256.1.1.1',
  '08.1.1.1',
  '1.2.3.4.5',
  '[::1',
  'a/b',
  'a@127.0.0.1',
  'a b',
  'a\\b',
  '%31',
  '[127.0.0.1]',
];

const signal = new AbortController().signal;
const allowNothing = createGuard({ allow: [] });
const guard = suite('the target guard');

for (const [name, first, last] of blocks) {
  guard(`refuses ${name}, from its first to its last address`, async () => {
    for (const address of [first, last])
      assert.is(await codeOf(allowNothing.addresses(address, signal)), 'forbidden_address', address);
  });
}

guard('refuses loopback and metadata addresses in every spelling', async () => {
  for (const spelling of spellings)
    assert.is(await codeOf(allowNothing.addresses(spelling, signal)), 'forbidden_address', spelling);
});

guard('refuses what is no host', async () => {
  for (const text of noHosts)
    assert.is(await codeOf(allowNothing.addresses(text, signal)), 'forbidden_address', JSON.stringify(text));
});

guard('refuses names that are loopback by definition', async () => {
  for (const name of ['localhost', 'LOCALHOST.', 'shop.localhost', 'a.b.localhost'])
    assert.is(await codeOf(allowNothing.addresses(name, signal)), 'forbidden_address', name);
});

guard('takes them for loopback whatever a name server says', async () => {
  const server = await startDnsServer({ 'shop.localhost A': ['1.2.3.4'], 'shop.localhost AAAA': ['2606:4700::1'] });
  const own = createGuard({ allow: parseAllowRules(['shop.localhost=127.0.0.0/8']), dnsServer: server.address });
  const none = createGuard({ allow: [], dnsServer: server.address });
  try {
    assert.equal(await own.addresses('shop.localhost', signal), ['127.0.0.1']);
    assert.is(await codeOf(none.addresses('Shop.Localhost.', signal)), 'forbidden_address');
    assert.is(server.queries(), 0);
  } finally {
    await server.close();
  }
});

guard('lets ordinary public addresses pass', async () => {
  for (const address of [
    '1.1.1.1',
    '8.8.8.8',
    '223.255.255.255',
    '11.0.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '100.128.0.0',
  ])
    assert.equal(await allowNothing.addresses(address, signal), [address]);
  assert.equal(await allowNothing.addresses('[2606:4700:4700::1111]', signal), ['2606:4700:4700::1111']);
  assert.equal(await allowNothing.addresses('2600:5efe::1', signal), ['2600:5efe::1']);
});

guard('lets exactly the pairs of host and range pass that the operator allowed', async () => {
  const allow = parseAllowRules(['shop.localhost=127.0.0.0/8', '*.lab.localhost=::1/128', '10.1.2.3=10.1.2.0/24']);
  const some = createGuard({ allow });
  assert.equal(await some.addresses('Shop.Localhost.', signal), ['127.0.0.1']);
  assert.equal(await some.addresses('a.lab.localhost', signal), ['::1']);
  assert.equal(await some.addresses('10.1.2.3', signal), ['10.1.2.3']);
  for (const host of [
    'lab.localhost',
    'xlab.localhost',
    'other.localhost',
    'localhost',
    '127.0.0.1',
    '10.1.2.4',
    '10.1.3.3',
  ])
    assert.is(await codeOf(some.addresses(host, signal)), 'forbidden_address', host);
});

guard(
  'lets a rule for this machine stand for each of its names, and a rule for another one for none of them',
  async () => {
    const reached = async (rule: string, host: string) =>
      createGuard({ allow: parseAllowRules([rule]) })
        .addresses(host, signal)
        .then((addresses) => addresses.length > 0)
        .catch(() => false);
    for (const host of ['localhost', '127.0.0.1']) assert.ok(await reached('localhost=127.0.0.0/8', host), host);
    assert.not.ok(await reached('localhost=127.0.0.0/8', '127.0.0.2'));
    assert.not.ok(await reached('shop.localhost=127.0.0.0/8', '127.0.0.1'));
  },
);

guard('quotes a rule that it cannot read', () => {
  for (const rule of [
    'shop.localhost',
    'shop.localhost=',
    '=127.0.0.0/8',
    'a=127.0.0.1',
    'a=127.0.0.0/40',
    'a=b=c',
    'a b=::/0',
  ])
    assert.throws(() => parseAllowRules([rule]), /a host|use host=address/, rule);
});

guard('says nothing of what a refused name leads to: neither its addresses nor where they lie', async () => {
  const server = await startDnsServer({
    'inside.example A': ['10.20.30.40'],
    'inside.example AAAA': ['fd00::1234'],
    'metadata.example A': ['169.254.169.254'],
    'own.example A': ['127.0.0.1'],
  });
  const own = createGuard({ allow: [], dnsServer: server.address });
  const refusalOf = async (host: string) =>
    own.addresses(host, signal).then(
      () => '',
      (error: unknown) => String(error).replaceAll(host, 'HOST'),
    );
  try {
    const [first, ...others] = await Promise.all(['inside.example', 'metadata.example', 'own.example'].map(refusalOf));
    assert.match(first ?? '', 'HOST leads to no public address');
    assert.equal(others, [first, first]);
    assert.not.match(await refusalOf('10.20.30.40'), /private/i);
  } finally {
    await server.close();
  }
});

guard('resolves A and AAAA, follows aliases, and refuses forbidden ends of them', async () => {
  const server = await startDnsServer({
    'public.example A': ['203.0.113.1', '1.2.3.4'],
    'public.example AAAA': ['2606:4700::1', '::1'],
    'alias.example A': [{ alias: 'inside.example' }],
    'inside.example A': ['10.0.0.1'],
    'six.example AAAA': ['fd00::1'],
    'mapped.example AAAA': ['::ffff:127.0.0.1'],
    'loop.example A': [{ alias: 'pool.example' }],
    'pool.example A': [{ alias: 'loop.example' }],
    'split.example A': [{ alias: 'public.example' }],
  });
  const own = createGuard({ allow: [], dnsServer: server.address });
  try {
    assert.equal(await own.addresses('public.example', signal), ['1.2.3.4', '2606:4700::1']);
    assert.equal(await own.addresses('split.example', signal), ['1.2.3.4']);
    for (const host of ['alias.example', 'six.example', 'mapped.example'])
      assert.is(await codeOf(own.addresses(host, signal)), 'forbidden_address', host);
    assert.is(await codeOf(own.addresses('loop.example', signal)), 'dns_failed');
    assert.is(await codeOf(own.addresses('missing.example', signal)), 'dns_failed');
  } finally {
    await server.close();
  }
});

guard('connects to the address it checked, although the name changes right after (rebinding)', async () => {
  const trap = await httpTarget((_request, response) => response.end('trapped'), 'rebind.example');
  const first = await httpTarget((_request, response) => response.end('first'), 'rebind.example');
  const server = await startDnsServer({ 'rebind.example A': ['127.0.0.1'] });
  const probes = openFor(`http://rebind.example:${first.port}/`, {
    guard: { allow: parseAllowRules(['rebind.example=127.0.0.1/32']), dnsServer: server.address },
  });
  const before = openFor(`http://rebind.example:${trap.port}/`, {
    guard: { allow: parseAllowRules(['rebind.example=127.0.0.9/32']), dnsServer: server.address },
  });
  try {
    assert.is((await probes.http.get(`http://rebind.example:${first.port}/`)).text, 'first');
    const asked = server.queries();
    server.set('rebind.example A', ['127.0.0.9']);
    assert.is(
      (await probes.http.get(`http://rebind.example:${first.port}/`, { fresh: true })).remoteAddress,
      '127.0.0.1',
    );
    assert.is(server.queries(), asked);
    // The answer that is checked is the one that is used: nothing is asked between check and connection.
    server.set('rebind.example A', ['127.0.0.9', '127.0.0.1'], ['127.0.0.1']);
    await before.http.get(`http://rebind.example:${trap.port}/`).catch(() => {});
    assert.is(trap.connections(), 0);
  } finally {
    await Promise.all([probes.close(), before.close(), server.close(), first.close(), trap.close()]);
  }
});

guard('holds for every instrument, and for what a target redirects to', async () => {
  const inside = await httpTarget((_request, response) => response.end('inside'), '127.0.0.1');
  const target = await httpTarget((request, response) => {
    const to = request.url === '/name' ? `http://other.localhost:${inside.port}/` : `http://2130706433:${inside.port}/`;
    response.writeHead(302, { location: to }).end();
  });
  const probes = openFor(target.url);
  const literal = openFor(inside.url, { allow: [] });
  try {
    for (const path of ['/name', '/number']) {
      const exchange = await probes.http.get(target.url + path, { maxRedirects: 5 });
      assert.is(exchange.status, 302);
    }
    assert.is(await codeOf(literal.http.get(inside.url)), 'forbidden_address');
    assert.is(await codeOf(literal.tls.handshake({ host: '127.0.0.1', port: inside.port })), 'forbidden_address');
    assert.is(await codeOf(probes.tls.handshake({ host: '127.0.0.1', port: inside.port })), 'out_of_scope');
    for (const server of ['127.0.0.1', '2130706433', 'localhost', '169.254.169.254', '[::1]'])
      assert.is(await codeOf(literal.dns.transfer('shop.example', server)), 'forbidden_address', server);
    assert.is(inside.connections(), 0);
  } finally {
    await Promise.all([probes.close(), literal.close(), target.close(), inside.close()]);
  }
});

guard.run();
