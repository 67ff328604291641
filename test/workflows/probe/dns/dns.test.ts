import { decode, encode } from 'dns-packet';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type DnsBehaviour, type DnsData, startDnsServer } from '../dns-server.ts';
import { codeOf, openFor } from '../support.ts';

const dns = suite('the DNS instrument');

async function withServer(
  records: Record<string, DnsData[]>,
  behaviour: DnsBehaviour,
  work: (
    query: (name: string, type: string) => ReturnType<ReturnType<typeof openFor>['dns']['query']>,
  ) => Promise<void>,
): Promise<void> {
  const server = await startDnsServer(records, behaviour);
  const probes = openFor('http://shop.localhost/', { guard: { allow: [], dnsServer: server.address } });
  try {
    await work(probes.dns.query);
  } finally {
    await Promise.all([probes.close(), server.close()]);
  }
}

dns('gives records in the text form of zone files, TXT strings joined', () =>
  withServer(
    {
      'a.example A': ['192.0.2.1', '192.0.2.2'],
      'a.example TXT': [['v=spf1 ', '-all'] as unknown as DnsData],
      'a.example MX': [{ preference: 10, exchange: 'mail.example' }],
      'a.example CAA': [{ flags: 0, tag: 'issue', value: 'ca.example' }],
      'a.example NS': ['ns1.example'],
      'a.example SRV': [{ priority: 1, weight: 2, port: 443, target: 'srv.example' }],
      'a.example DS': [{ keyTag: 1, algorithm: 13, digestType: 2, digest: Buffer.from('abcd', 'hex') }],
    },
    {},
    async (query) => {
      const data = async (type: string) => (await query('a.example', type)).answers.map((answer) => answer.data);
      assert.equal(await data('A'), ['192.0.2.1', '192.0.2.2']);
      assert.equal(await data('TXT'), ['v=spf1 -all']);
      assert.equal(await data('MX'), ['10 mail.example']);
      assert.equal(await data('CAA'), ['0 issue "ca.example"']);
      assert.equal(await data('NS'), ['ns1.example']);
      assert.equal(await data('SRV'), ['1 2 443 srv.example']);
      assert.equal(await data('DS'), ['1 13 2 abcd']);
      assert.is((await query('A.EXAMPLE.', 'A')).rcode, 'NOERROR');
      assert.is((await query('none.example', 'A')).rcode, 'NXDOMAIN');
    },
  ),
);

dns('asks again when an answer is lost', () =>
  withServer({ 'a.example A': ['192.0.2.1'] }, { drop: 1 }, async (query) => {
    assert.is((await query('a.example', 'A')).answers.length, 1);
  }),
);

dns('asks over TCP when the answer was cut', () =>
  withServer({ 'a.example TXT': ['x'.repeat(200)] }, { truncate: true }, async (query) => {
    assert.is((await query('a.example', 'TXT')).answers[0]?.data.length, 200);
  }),
);

dns('does not believe answers with another id, question or form', () => {
  const forged = (right: Buffer) => {
    const packet = decode(right);
    const [question] = packet.questions ?? [];
    const evil = [{ type: 'A' as const, name: 'a.example', ttl: 60, data: '6.6.6.6' }];
    return [
      encode({ ...packet, id: ((packet.id ?? 0) + 1) % 0x10000, answers: evil }),
      encode({ ...packet, questions: [{ type: 'A', name: 'b.example' }], answers: evil }),
      encode({ ...packet, type: 'query', questions: question ? [question] : [], answers: evil }),
      Buffer.from('not a packet'),
    ];
  };
  return withServer({ 'a.example A': ['192.0.2.1'] }, { forged }, async (query) => {
    assert.equal(
      (await query('a.example', 'A')).answers.map(({ data }) => data),
      ['192.0.2.1'],
    );
  });
});

dns('gives up on a resolver that never answers', () =>
  withServer({}, { drop: 100 }, async (query) => {
    const startMs = performance.now();
    assert.is(await codeOf(query('a.example', 'A')), 'timeout');
    assert.ok(performance.now() - startMs < 8_000);
  }),
);

dns.run();
