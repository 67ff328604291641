import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseAllowRules } from '../../../../../workflows/probe/guard/allow.ts';
import { type Authority, type AuthorityOptions, startAuthority } from '../../../../fixtures/authority.ts';
import { type SignedTree, signedTree, type TreeOptions } from '../../../../fixtures/signed-tree.ts';
import { newZoneKey } from '../../../../fixtures/zone-keys.ts';
import { openFor } from '../../support.ts';

type Asked = readonly [name: string, type: string];

/** Opens a tree of zones and validates some of its names. @returns "status zone fault" of each */
async function verdicts(
  tree: SignedTree,
  questions: readonly Asked[],
  options: Partial<AuthorityOptions> = {},
  look: (server: Authority, sources: string[]) => void = () => {},
): Promise<string[]> {
  const server = await startAuthority({ zones: tree.zones, ...options });
  const allow = parseAllowRules(['127.0.0.1', '*.test', '*.shop'].map((host) => `${host}=127.0.0.0/8`));
  const guard = { allow, dnsServer: server.address, dnsAnchors: tree.anchors };
  const probes = openFor('http://www.northwind.shop/', { guard });
  try {
    const sources: string[] = [];
    const reported: string[] = [];
    for (const [name, type] of questions) {
      const { dnssec } = await probes.dns.validate(name, type);
      sources.push(dnssec.source);
      reported.push([dnssec.status, dnssec.zone, dnssec.fault].filter(Boolean).join(' '));
    }
    look(server, sources);
    return reported;
  } finally {
    await probes.close();
    server.close();
  }
}

const host: Asked = ['www.northwind.shop', 'A'];
const verdictOf = async (options: TreeOptions, question: Asked = host) =>
  (await verdicts(signedTree(options), [question]))[0] ?? '';

const good = suite('the validation of signed zones');

for (const denial of ['nsec', 'nsec3'] as const) {
  good(`holds for records, aliases, wildcards, and the absence of all of them (${denial})`, async () => {
    const tree = signedTree({
      zone: { denial },
      registry: { denial },
      records: {
        'shop.northwind.shop CNAME': ['www.northwind.shop'],
        '*.pages.northwind.shop A': ['127.0.0.1'],
        'deep.below.northwind.shop A': ['127.0.0.1'],
        'northwind.shop MX': [{ preference: 10, exchange: 'mail.northwind.shop' }],
      },
    });
    const questions: Asked[] = [
      host,
      ['northwind.shop', 'SOA'],
      ['northwind.shop', 'MX'],
      ['shop.northwind.shop', 'A'],
      ['one.pages.northwind.shop', 'A'],
      ['one.pages.northwind.shop', 'MX'],
      ['www.northwind.shop', 'MX'],
      ['below.northwind.shop', 'A'],
      ['none.northwind.shop', 'A'],
      ['none.deep.northwind.shop', 'A'],
      ['northwind.shop', 'DS'],
    ];
    const reported = await verdicts(tree, questions, {}, (_server, sources) =>
      assert.equal([...new Set(sources)], ['servers']),
    );
    assert.equal(reported, [...questions.slice(0, -1).map(() => 'secure northwind.shop.'), 'secure shop.'].map(bare));
  });
}

const bare = (text: string) => text.replace(/\.$/, '');

for (const algorithm of [8, 10, 13, 14, 15, 16]) {
  good(`knows algorithm ${algorithm}`, async () => {
    assert.is(await verdictOf({ algorithm }), 'secure northwind.shop');
  });
}

good('asks over TCP for what does not fit into a packet', async () => {
  const texts = Array.from({ length: 12 }, (_, index) => [`${index} ${'x'.repeat(200)}`]);
  assert.is(
    await verdictOf({ records: { 'northwind.shop TXT': texts } }, ['northwind.shop', 'TXT']),
    'secure northwind.shop',
  );
});

good.run();

const unsigned = suite('the validation of zones that are not signed');

const insecure = 'insecure northwind.shop unsigned-delegation';

unsigned('shows that nobody vouches for the zone, whatever the registry proves it with', async () => {
  for (const denial of ['nsec', 'nsec3', { iterations: 0, isOptOut: true }] as const)
    assert.is(await verdictOf({ isSigned: false, registry: { denial } }), insecure);
});

unsigned('takes a zone with an algorithm that nobody knows as one that is not signed', async () => {
  assert.is(await verdictOf({ algorithm: 12 }), 'insecure northwind.shop unsupported-algorithm');
});

unsigned('takes a zone that hashes its names too often as one that is not signed', async () => {
  const question: Asked = ['none.northwind.shop', 'A'];
  assert.match(
    await verdictOf({ zone: { denial: { iterations: 51 } } }, question),
    /^insecure \S+ too-many-iterations$/,
  );
  assert.match(await verdictOf({ zone: { denial: { iterations: 50 } } }, question), /^secure /);
});

unsigned.run();

const broken = suite('the validation of broken zones');

const yesterday = new Date(Date.now() - 3_600_000);
const longAgo = new Date(Date.now() - 40 * 86_400_000);
const tomorrow = new Date(Date.now() + 3_600_000);

const spoilt = (
  type: number,
  spoil: (signatures: Buffer[], data: Buffer[]) => Partial<{ signatures: Buffer[]; data: Buffer[] }>,
) => ({
  zone: {
    spoil: (set: { owner: readonly string[]; type: number; signatures: Buffer[]; data: Buffer[] }) => {
      // Its name servers have to be found all the same.
      if (set.type === type && set.owner[0] !== 'ns1') Object.assign(set, spoil(set.signatures, set.data));
    },
  },
});

for (const [what, options, fault] of [
  ['signatures that have ended', { zone: { from: longAgo, until: yesterday } }, 'expired-signature'],
  ['signatures that have not begun', { zone: { from: tomorrow } }, 'future-signature'],
  [
    'a zone above that vouches for another key',
    { signer: () => [newZoneKey().signer('northwind.shop')] },
    'ds-mismatch',
  ],
  ['keys that nobody has signed', spoilt(48, () => ({ signatures: [] })), 'missing-signature'],
  ['records without a signature', spoilt(1, () => ({ signatures: [] })), 'missing-signature'],
  ['records that were changed', spoilt(1, () => ({ data: [Buffer.from([6, 6, 6, 6])] })), 'wrong-signature'],
  ['a zone that shows no keys', { zone: { hidden: ['northwind.shop DNSKEY'] } }, 'missing-keys'],
  ['a denial that proves the contrary (NSEC)', { zone: { hidden: ['www.northwind.shop A'] } }, 'wrong-denial'],
  [
    'a denial that proves the contrary (NSEC3)',
    { zone: { hidden: ['www.northwind.shop A'], denial: 'nsec3' as const } },
    'wrong-denial',
  ],
] as const) {
  broken(`finds ${what} bogus`, async () => {
    assert.is(await verdictOf(options), `bogus northwind.shop ${fault}`);
  });
}

broken('finds an absence that is not proven bogus, by both kinds of proof', async () => {
  for (const [denial, type] of [
    ['nsec', 47],
    ['nsec3', 50],
  ] as const) {
    const { zone } = spoilt(type, () => ({ signatures: [], data: [] }));
    const question: Asked = ['none.northwind.shop', 'A'];
    assert.is(await verdictOf({ zone: { ...zone, denial } }, question), 'bogus northwind.shop missing-denial');
  }
});

broken('says which zone is at fault when the registry is', async () => {
  const registry = { from: longAgo, until: yesterday };
  assert.is(await verdictOf({ registry }), 'bogus shop expired-signature');
});

broken('is not misled by one server out of two that is behind', async () => {
  const servers = { 'ns1.northwind.shop': '127.0.0.1', 'ns2.northwind.shop': '127.0.0.2' };
  const tree = signedTree({ servers });
  const stale = signedTree({ servers, zone: { from: longAgo, until: yesterday } });
  const zones = [...tree.zones.slice(0, 2), ...stale.zones.slice(2)];
  const reported = await verdicts(tree, [host, host, host, host], { others: { '127.0.0.2': { zones } } });
  assert.equal(reported, Array(4).fill('secure northwind.shop'));
});

broken.run();

const remote = suite('the validation without the zones’ own servers');

const expired = { zone: { from: longAgo, until: yesterday } };

remote('is as good by the signatures that a resolver hands on', async () => {
  const reported = await verdicts(
    signedTree(),
    [host, ['none.northwind.shop', 'A']],
    { does: 'silent' },
    (_server, sources) => assert.equal(sources, ['resolver', 'resolver']),
  );
  assert.equal(reported, ['secure northwind.shop', 'secure northwind.shop']);
  assert.equal(await verdicts(signedTree({ isSigned: false }), [host], { does: 'refuses' }), [insecure]);
});

remote('finds bogus what a validating resolver keeps back and has, and nothing else', async () => {
  const does = 'refuses';
  const bogus = ['northwind.shop'];
  assert.equal(await verdicts(signedTree(expired), [host], { does, bogus }), [
    'bogus northwind.shop expired-signature',
  ]);
  assert.equal(await verdicts(signedTree(expired), [host], { does }), [
    'indeterminate northwind.shop expired-signature',
  ]);
});

remote('goes by the resolver’s word where signatures do not come through', async () => {
  const [does, strips] = ['no zone of its own', true] as const;
  const reported = (options: Partial<AuthorityOptions>) => verdicts(signedTree(), [host], { does, strips, ...options });
  assert.equal(await reported({ saysSecure: true }), ['secure www.northwind.shop']);
  assert.equal(await reported({ bogus: ['northwind.shop'] }), ['bogus www.northwind.shop resolver-refuses']);
  assert.match((await reported({}))[0] ?? '', /^indeterminate \. /);
});

for (const does of [
  'garbage',
  'wrong id',
  'wrong question',
  'cut, then drips',
  'cut, then huge',
  'cut, then hangs up',
] as const) {
  remote(`goes past servers that answer with nonsense (${does}), in a bounded time`, async () => {
    const startMs = performance.now();
    const reported = await verdicts(signedTree(), [host], { does });
    assert.equal(reported, ['secure northwind.shop']);
    assert.ok(performance.now() - startMs < 20_000);
  });
}

remote.run();
