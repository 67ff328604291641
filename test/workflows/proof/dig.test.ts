import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { DnsReply } from '../../../workflows/model/dns.ts';
import { digCommand } from '../../../workflows/proof/dig.ts';

const test = suite('a question of the DNS as a command');

const reply = (server: string, rcode = 'NOERROR'): DnsReply => ({
  rcode,
  answers: [],
  authority: [],
  authenticated: false,
  authoritative: false,
  server,
});
const text = { name: 'a.example', type: 'TXT' };
const copy = { name: 'a.example', type: 'AXFR', server: 'ns1.a.example' };

for (const [question, answer, command] of [
  [text, undefined, 'dig +short TXT a.example'],
  [text, reply('192.0.2.53:53'), 'dig +short TXT a.example'],
  [text, reply('10.0.0.53:5353'), 'dig +short TXT a.example'],
  [text, reply('127.0.0.1:53'), 'dig +short TXT a.example'],
  [text, reply('127.0.0.1:24053'), 'dig @127.0.0.1 -p 24053 +short TXT a.example'],
  [text, reply('[::1]:24053'), 'dig @::1 -p 24053 +short TXT a.example'],
  [text, reply('192.0.2.53:53', 'NXDOMAIN'), 'dig TXT a.example'],
  [copy, reply('192.0.2.53:53'), 'dig @ns1.a.example AXFR a.example'],
  [copy, reply('127.0.0.1:24053'), 'dig @127.0.0.1 -p 24053 AXFR a.example'],
  [{ ...text, server: 'ns1.a.example' }, reply('192.0.2.53:53'), 'dig @ns1.a.example +norecurse TXT a.example'],
  [
    text,
    { ...reply('192.0.2.53:53'), dnssec: { status: 'bogus', zone: 'a.example', reason: '', source: 'servers' } },
    'dig +dnssec +cdflag +multiline TXT a.example',
  ],
  [{ name: "a'; id", type: 'TXT' }, undefined, `dig +short TXT 'a'\\''; id'`],
] as const) {
  test(`${question.type} ${question.name} answered by ${answer?.server} (${answer?.rcode}) is ${command}`, () => {
    assert.is(digCommand(question, answer), command);
  });
}

test.run();
