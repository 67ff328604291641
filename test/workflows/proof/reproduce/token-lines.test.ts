import { createHmac } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ForgedToken } from '../../../../workflows/model/experiment.ts';
import { createNames } from '../../../../workflows/proof/reproduce/names.ts';
import type { ShellSession } from '../../../../workflows/proof/reproduce/shell-sessions.ts';
import { wordOf } from '../../../../workflows/proof/reproduce/text.ts';
import { tokenLines } from '../../../../workflows/proof/reproduce/token-lines.ts';
import { runIn } from './shell.ts';

const part = (json: string) => Buffer.from(json).toString('base64url');
const claims = { sub: 7, name: 'Dora Grün', role: 'user', groups: ['a/b', 'user'], exp: 1 };
const own = `${part('{"alg":"HS256","typ":"JWT"}')}.${part(JSON.stringify(claims))}.${part('signature-of-the-site')}`;

const session: ShellSession = {
  words: [],
  keeping: [],
  printCookie: () => 'printf %s "$COOKIE"',
  header: () => ({ variable: 'HEADER_TOKEN' }),
};

async function forge(
  forged: Omit<ForgedToken, 'token' | 'identity' | 'carrier'>,
  key = 'supersecret',
  inHeader = false,
) {
  const carrier = inHeader
    ? ({ in: 'header', name: 'Authorization' } as const)
    : ({ in: 'cookie', name: 'sid' } as const);
  const { lines, reference } = tokenLines({ ...forged, token: '', identity: 'a', carrier }, session, 0, createNames());
  const script = [...lines, `printf %s ${wordOf([reference])}`].join('\n');
  const variables = { SIGNING_KEY: key, [inHeader ? 'HEADER_TOKEN' : 'COOKIE']: own };
  const { stdout, stderr } = await runIn('sh', script, variables);
  assert.is(stderr, '', script);
  const [header = '', body = '', signature = ''] = stdout.split('.');
  return { header, body, signature, claims: JSON.parse(Buffer.from(body, 'base64url').toString()) };
}

const mac = (hash: string, key: string | Buffer, { header, body }: { header: string; body: string }) =>
  createHmac(hash, key).update(`${header}.${body}`).digest('base64url');

const test = suite('tokens that a script makes');

test('are signed with the key, in each of its spellings and with each hash', async () => {
  const bytes = Buffer.from('a key of bytes: \u0001\u00ff, of any length', 'latin1');
  const keys = { text: 'it’s "a" $key\\', hex: bytes.toString('hex'), base64: bytes.toString('base64') };
  for (const [key, written] of Object.entries(keys) as ['text' | 'hex' | 'base64', string][])
    for (const hash of ['sha256', 'sha384', 'sha512'] as const) {
      const made = await forge({ signature: { hash, key } }, written);
      assert.is(made.signature, mac(hash, key === 'text' ? written : bytes, made), `${key} ${hash}`);
      assert.equal(made.claims, claims);
    }
});

test('have other claims and another header', async () => {
  const made = await forge({
    header: '{"typ":"JWT","alg":"HS256"}',
    claims: [
      { name: 'role', from: '"user"', to: '"admin/&\\\\"' },
      { name: 'groups', from: '["a/b","user"]', to: '["admin"]' },
      { name: 'is_admin', to: 'true' },
    ],
    signature: { hash: 'sha256', key: 'text' },
  });
  assert.equal(made.claims, { ...claims, role: 'admin/&\\', groups: ['admin'], is_admin: true });
  assert.is(made.header, part('{"typ":"JWT","alg":"HS256"}'));
  assert.is(made.signature, mac('sha256', 'supersecret', made));
});

test('are cut from a cookie in which a scheme stands before them', async () => {
  const forged = {
    token: '',
    identity: 'a',
    signature: 'none',
    carrier: { in: 'cookie', name: 'sid', prefix: 'Bearer%20' },
  } as const;
  const { lines, reference } = tokenLines(forged, session, 0, createNames());
  const script = [...lines, `printf %s ${wordOf([reference])}`].join('\n');
  const { stdout } = await runIn('sh', script, { COOKIE: `Bearer%20${own}` });
  assert.is(stdout, own.replace(/[^.]*$/, ''));
});

test('have no signature, or one of random bytes', async () => {
  const bare = await forge({ header: '{"alg":"none"}', signature: 'none' }, '', true);
  assert.equal([bare.header, bare.signature, bare.claims], [part('{"alg":"none"}'), '', claims]);
  const random = await forge({ signature: 'random' }, '');
  assert.is(`${random.header}.${random.body}.`, own.replace(/[^.]*$/, ''));
  assert.is(Buffer.from(random.signature, 'base64url').length, 32);
  assert.is.not(random.signature, (await forge({ signature: 'random' }, '')).signature);
});

test.run();
