import { decode, encode } from 'dns-packet';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseAllowRules } from '../../../../workflows/probe/guard/allow.ts';
import { startNameServer, type Transfer, type Zone } from '../../../fixtures/name-server.ts';
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

dns('does not ask the system about names of this machine', async () => {
  const probes = openFor('http://shop.localhost/', { guard: { allow: [] } });
  try {
    for (const name of ['localhost', 'shop.localhost.', 'A.B.LocalHost'])
      assert.is((await probes.dns.query(name, 'TXT')).rcode, 'NXDOMAIN');
    assert.is(probes.recorder.requests(), 0);
  } finally {
    await probes.close();
  }
});

dns.run();

const transfers = suite('the zone transfer');

const zone: Zone = {
  'a.example SOA': [{ mname: 'ns', rname: 'root', serial: 1, refresh: 1, retry: 1, expire: 1, minimum: 1 }],
  'a.example NS': ['ns1.a.example'],
  'ns1.a.example A': ['127.0.0.1'],
  'ns2.a.example A': ['10.0.0.1'],
};
for (let index = 0; index < 5_000; index++) zone[`host-${index}.a.example TXT`] = [[`number ${index}`]];

async function withTransfer(
  transfer: Transfer | undefined,
  work: (probes: ReturnType<typeof openFor>, asked: () => string[]) => Promise<void>,
  timeMs = 60_000,
): Promise<void> {
  const server = await startNameServer(zone, {}, [], transfer ? { 'a.example': transfer } : {});
  const probes = openFor('http://shop.localhost/', {
    guard: { allow: parseAllowRules(['*.a.example=127.0.0.0/8']), dnsServer: server.address },
    share: { deadlineMs: Date.now() + timeMs },
  });
  try {
    await work(probes, server.asked);
  } finally {
    await probes.close();
    server.close();
  }
}

for (const transfer of ['whole', 'record by record', 'first half'] as const) {
  transfers(`takes the first hundred records of a zone that is given (${transfer}), and no more`, () =>
    withTransfer(transfer, async (probes) => {
      const { rcode, answers, server } = await probes.dns.transfer('a.example', 'ns1.a.example');
      assert.equal([rcode, answers.length, answers[0]?.type], ['NOERROR', 100, 'SOA']);
      assert.match(server, /^127\.0\.0\.1:\d+$/);
      assert.is(probes.requests(), 1);
    }),
  );
}

transfers('distinguishes a refusal, and a server that hangs up, from a zone', async () => {
  const reported = async (transfer?: Transfer) => {
    let reply: unknown;
    await withTransfer(transfer, async ({ dns }) => {
      const { rcode, answers } = await dns.transfer('a.example', 'ns1.a.example');
      reply = [rcode, answers.length];
    });
    return reply;
  };
  assert.equal(await reported(), ['REFUSED', 0]);
  assert.equal(await reported('hangs up'), ['', 0]);
  assert.equal(await reported('head alone'), ['NOERROR', 2]);
});

transfers('fails when the server answers with something else, or not in time', async () => {
  await withTransfer('garbage', async ({ dns }) => {
    assert.is(await codeOf(dns.transfer('a.example', 'ns1.a.example')), 'protocol_error');
  });
  const silent = async ({ dns }: ReturnType<typeof openFor>) => {
    assert.is(await codeOf(dns.transfer('a.example', 'ns1.a.example')), 'timeout');
  };
  await withTransfer('silent', silent, 1_500);
});

transfers('asks nobody whom the guard does not let pass, and nobody who has no address', () =>
  withTransfer('whole', async ({ dns }, asked) => {
    assert.is(await codeOf(dns.transfer('a.example', 'ns2.a.example')), 'forbidden_address');
    assert.is(await codeOf(dns.transfer('a.example', '127.0.0.1')), 'forbidden_address');
    assert.is(await codeOf(dns.transfer('a.example', 'ns3.a.example')), 'dns_failed');
    assert.not.ok(asked().some((question) => question.endsWith('AXFR')));
  }),
);

transfers('ends when the scan is canceled', () =>
  withTransfer('silent', async (probes) => {
    const ended = codeOf(probes.dns.transfer('a.example', 'ns1.a.example'));
    setTimeout(() => probes.close(), 100);
    assert.is(await ended, 'canceled');
  }),
);

transfers.run();
