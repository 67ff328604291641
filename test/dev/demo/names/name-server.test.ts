import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { decode } from 'dns-packet';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type NameServerOptions, startNameServer } from '../../../../dev/demo/names/name-server.ts';
import { asBuilt, patched } from '../../../../dev/demo/weaknesses.ts';
import { startNameServer as startUpstream, type Zone } from '../../../fixtures/name-server.ts';
import { withFolder } from '../../../support/folder.ts';
import { askOverTcp, askOverUdp, questionFor, sendPacket } from './ask.ts';

const names = suite('the name server of the demo');

/** Nobody to pass questions on to. */
const alone = { upstream: { servers: [] } };

async function withServer(
  options: Partial<NameServerOptions>,
  work: (address: string) => Promise<void>,
): Promise<void> {
  const server = await startNameServer({ weaknesses: patched, port: 0, ...options });
  try {
    await work(server.address);
  } finally {
    await server.close();
  }
}

const data = (answers: readonly unknown[] | undefined) =>
  answers?.map((answer) => (typeof answer === 'object' && answer && 'data' in answer ? answer.data : undefined));

names('gives the records of the shop over UDP and TCP alike, with authority', () =>
  withServer(alone, async (address) => {
    for (const ask of [askOverUdp, askOverTcp]) {
      const reply = await ask(address, 'shop.localhost', 'MX');
      assert.equal(data(reply.answers), [{ preference: 10, exchange: 'mail.shop.localhost' }]);
      assert.equal([reply.rcode, reply.flag_aa, reply.flag_rd, reply.id], ['NOERROR', true, true, 4_711]);
      assert.equal(data((await ask(address, 'mail.shop.localhost', 'A')).answers), ['127.0.0.1']);
    }
  }),
);

names('answers in the spelling of the question', () =>
  withServer(alone, async (address) => {
    const { questions, answers } = await askOverUdp(address, 'sHoP.LocalHost', 'A');
    assert.equal([questions?.[0]?.name, answers?.[0]?.name], ['sHoP.LocalHost', 'sHoP.LocalHost']);
  }),
);

names('distinguishes names that do not exist from names without records of a kind, with the head of the zone', () =>
  withServer(alone, async (address) => {
    for (const [name, type, rcode, zone] of [
      ['shop.localhost', 'AAAA', 'NOERROR', 'shop.localhost'],
      ['_tls.shop.localhost', 'TXT', 'NOERROR', 'shop.localhost'],
      ['shop.localhost', 'UNKNOWN_65', 'NOERROR', 'shop.localhost'],
      ['none.shop.localhost', 'A', 'NXDOMAIN', 'shop.localhost'],
      ['other.localhost', 'SOA', 'NXDOMAIN', 'localhost'],
      ['localhost', 'CAA', 'NOERROR', 'localhost'],
    ] as const) {
      const reply = await askOverUdp(address, name, type);
      assert.equal([reply.rcode, reply.answers?.length], [rcode, 0], `${name} ${type}`);
      assert.equal(
        reply.authorities?.map((each) => [each.name, each.type]),
        [[zone, 'SOA']],
        `${name} ${type}`,
      );
    }
  }),
);

names('cuts what is too long for UDP, and gives it over TCP', () =>
  withServer(alone, async (address) => {
    const name = 'default._domainkey.shop.localhost';
    const cut = await askOverUdp(address, name, 'TXT');
    assert.equal([cut.flag_tc, cut.answers?.length], [true, 0]);
    for (const whole of [await askOverUdp(address, name, 'TXT', 1_232), await askOverTcp(address, name, 'TXT')])
      assert.equal([whole.flag_tc, whole.answers?.length], [false, 1]);
  }),
);

names('copies the zone to nobody, and as built to everybody, over TCP alone', async () => {
  await withServer(alone, async (address) => {
    assert.is((await askOverTcp(address, 'shop.localhost', 'AXFR')).rcode, 'REFUSED');
  });
  await withServer({ ...alone, weaknesses: asBuilt }, async (address) => {
    const { rcode, answers = [] } = await askOverTcp(address, 'shop.localhost', 'AXFR');
    assert.is(rcode, 'NOERROR');
    assert.equal([answers.at(0)?.type, answers.at(-1)?.type], ['SOA', 'SOA']);
    assert.ok(answers.every(({ name }) => /(?:^|\.)shop\.localhost$/.test(name)));
    assert.is((await askOverUdp(address, 'shop.localhost', 'AXFR')).rcode, 'REFUSED');
    assert.is((await askOverTcp(address, 'localhost', 'AXFR')).rcode, 'NOTAUTH');
    assert.is((await askOverTcp(address, 'www.shop.localhost', 'AXFR')).rcode, 'NOTAUTH');
  });
});

const elsewhere: Zone = {
  'www.northwind.example A': ['192.0.2.7'],
  'northwind.example TXT': [['v=spf1 -all']],
};

names('passes questions for other names on, and their answers back, byte for byte', async () => {
  const upstream = await startUpstream(elsewhere);
  try {
    await withServer({ upstream: { servers: ['127.0.0.1:9', upstream.address] } }, async (address) => {
      for (const ask of [askOverUdp, askOverTcp]) {
        const reply = await ask(address, 'www.northwind.example', 'A');
        assert.equal([data(reply.answers), reply.flag_aa], [['192.0.2.7'], false]);
        assert.is((await ask(address, 'none.example', 'A')).rcode, 'NXDOMAIN');
      }
      const question = questionFor('northwind.example', 'TXT', 4_096);
      assert.equal(await sendPacket(address, question), await sendPacket(upstream.address, question));
    });
  } finally {
    upstream.close();
  }
});

names('asks nobody about the names that it has itself', async () => {
  const upstream = await startUpstream(elsewhere);
  try {
    await withServer({ upstream: { servers: [upstream.address] } }, async (address) => {
      for (const name of ['shop.localhost', 'none.shop.localhost', 'other.localhost', 'localhost'])
        await askOverUdp(address, name, 'TXT');
    });
    assert.equal(upstream.asked(), []);
  } finally {
    upstream.close();
  }
});

names('says that it failed when there is nobody to ask, or nobody answers', async () => {
  const silent = createSocket('udp4');
  silent.bind(0, '127.0.0.1');
  await once(silent, 'listening');
  try {
    for (const servers of [[], ['127.0.0.1:9'], [`127.0.0.1:${silent.address().port}`]])
      await withServer({ upstream: { servers, timeoutMs: 200 } }, async (address) => {
        assert.is((await askOverUdp(address, 'www.northwind.example', 'A')).rcode, 'SERVFAIL');
        assert.is((await askOverTcp(address, 'www.northwind.example', 'A')).rcode, 'SERVFAIL');
      });
  } finally {
    silent.close();
  }
});

names('passes no more questions on at a time than it may', async () => {
  let arrived = 0;
  const silent = createSocket('udp4');
  silent.on('message', () => {
    arrived += 1;
  });
  silent.bind(0, '127.0.0.1');
  await once(silent, 'listening');
  const servers = [`127.0.0.1:${silent.address().port}`];
  try {
    await withServer({ upstream: { servers, timeoutMs: 3_000, maxInFlight: 3 } }, async (address) => {
      const questions = Array.from({ length: 10 }, (_, index) => askOverUdp(address, `n${index}.example`, 'A'));
      const codes = (await Promise.all(questions)).map(({ rcode }) => rcode);
      assert.equal([...new Set(codes)], ['SERVFAIL']);
      assert.is(arrived, 3);
    });
  } finally {
    silent.close();
  }
});

names('does not take an answer to another question for one', async () => {
  const liar = createSocket('udp4');
  liar.on('message', (message, { port, address }) => {
    const other = questionFor('other.example', 'A');
    other.writeUInt16BE(message.readUInt16BE(0), 0);
    other.writeUInt16BE(0x8180, 2);
    for (const packet of [Buffer.from('nothing'), message, other]) liar.send(packet, port, address);
  });
  liar.bind(0, '127.0.0.1');
  await once(liar, 'listening');
  try {
    await withServer(
      { upstream: { servers: [`127.0.0.1:${liar.address().port}`], timeoutMs: 200 } },
      async (address) => {
        assert.is((await askOverUdp(address, 'www.northwind.example', 'A')).rcode, 'SERVFAIL');
      },
    );
  } finally {
    liar.close();
  }
});

names('gives the addresses of the hosts file, as the system does, and asks nobody then', () =>
  withFolder(async (folder) => {
    const hostsFile = join(folder, 'hosts');
    await writeFile(
      hostsFile,
      '# local\n127.0.0.9\tstaging.example  App.Example # ours\n::9 app.example\nbad app.example\n',
    );
    const upstream = await startUpstream({ 'app.example A': ['192.0.2.1'], 'app.example TXT': [['there']] });
    try {
      await withServer({ hostsFile, upstream: { servers: [upstream.address] } }, async (address) => {
        assert.equal(data((await askOverUdp(address, 'APP.example', 'A')).answers), ['127.0.0.9']);
        assert.equal(data((await askOverUdp(address, 'app.example', 'AAAA')).answers), ['::9']);
        const none = await askOverUdp(address, 'staging.example', 'AAAA');
        assert.equal([none.rcode, none.answers?.length], ['NOERROR', 0]);
        assert.equal(upstream.asked(), []);
        assert.equal((await askOverUdp(address, 'app.example', 'TXT')).answers?.length, 1);
      });
    } finally {
      upstream.close();
    }
  }),
);

names('answers something unreadable with a format error, does not answer answers, and goes on', () =>
  withServer(alone, async (address) => {
    const question = questionFor('shop.localhost', 'A');
    const cut = question.subarray(0, 20);
    const answer = Buffer.from(question);
    answer.writeUInt16BE(0x8180, 2);
    const update = Buffer.from(question);
    update.writeUInt16BE(5 << 11, 2);
    const none = Buffer.from(question);
    none.writeUInt16BE(0, 4);
    const codeOf = async (packet: Buffer) => {
      const reply = await sendPacket(address, packet);
      return reply && (decode(reply) as { rcode?: string }).rcode;
    };
    assert.equal([await codeOf(cut), await codeOf(none), await codeOf(update)], ['FORMERR', 'FORMERR', 'NOTIMP']);
    for (const packet of [Buffer.alloc(0), Buffer.from('hello'), answer])
      assert.is(await sendPacket(address, packet, 150), undefined);
    assert.is((await askOverUdp(address, 'shop.localhost', 'A')).rcode, 'NOERROR');
  }),
);

names('ends a connection that sends more than any question is', () =>
  withServer(alone, async (address) => {
    const socket = connect({ host: '127.0.0.1', port: Number(address.split(':')[1]) });
    socket.on('error', () => {});
    socket.write(Buffer.concat([Buffer.from([0xff, 0xff]), Buffer.alloc(100)]));
    await once(socket, 'close');
    assert.is((await askOverTcp(address, 'shop.localhost', 'A')).rcode, 'NOERROR');
  }),
);

names('names a port that is taken, and ends connections when it is closed', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const taken = server.address();
  const port = typeof taken === 'object' && taken ? taken.port : 0;
  try {
    const error = await startNameServer({ weaknesses: patched, port }).catch((failure) => failure);
    assert.is(error.code, 'EADDRINUSE');
  } finally {
    server.close();
  }
  const udp = createSocket('udp4');
  udp.bind(0, '127.0.0.1');
  await once(udp, 'listening');
  try {
    const error = await startNameServer({ weaknesses: patched, port: udp.address().port }).catch((failure) => failure);
    assert.is(error.code, 'EADDRINUSE');
  } finally {
    udp.close();
  }
  const own = await startNameServer({ weaknesses: patched, port: 0, ...alone });
  const socket = connect({ host: '127.0.0.1', port: Number(own.address.split(':')[1]) });
  socket.on('error', () => {});
  await once(socket, 'connect');
  await Promise.all([own.close(), once(socket, 'close')]);
});

names.run();
