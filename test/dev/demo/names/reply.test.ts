import { decode } from 'dns-packet';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { encodeReply, type Reply } from '../../../../dev/demo/names/reply.ts';
import { questionFor } from './ask.ts';

const reply = suite('a reply of the name server');

const name = 'shop.localhost';
/** Text records of 100 bytes. */
const texts = (count: number): Reply => ({
  rcode: 'NOERROR',
  answers: Array.from({ length: count }, () => ({ name, type: 'TXT' as const, ttl: 1, data: ['x'.repeat(73)] })),
});

for (const [what, count, maxBytes, transport, isCut] of [
  ['that fits', 4, undefined, 'udp', false],
  ['that is longer than 512 bytes', 6, undefined, 'udp', true],
  ['that a client with EDNS takes', 6, 1_232, 'udp', false],
  ['that is longer than such a client takes', 6, 520, 'udp', true],
  ['that is longer than passes unfragmented, whatever the client takes', 20, 4_096, 'udp', true],
  ['to a client that names a smaller limit than the standard allows', 4, 100, 'udp', false],
  ['over TCP', 200, undefined, 'tcp', false],
] as const) {
  reply(`one ${what} is ${isCut ? 'cut' : 'whole'}`, () => {
    const packet = decode(encodeReply(decode(questionFor(name, 'TXT', maxBytes)), texts(count), transport));
    assert.equal([packet.flag_tc, packet.answers?.length], [isCut, isCut ? 0 : count]);
    assert.is(packet.questions?.[0]?.name, name);
    assert.is(packet.additionals?.length, maxBytes === undefined ? 0 : 1);
  });
}

reply.run();
