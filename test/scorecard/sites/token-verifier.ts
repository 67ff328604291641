import { createHmac, createPublicKey, createSign, createVerify, generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { html, startSite } from '../../fixtures/site.ts';
import type { TestIdentity } from '../../workflows/checks/harness.ts';
import type { ScoreSite } from '../case.ts';

export type Header = { alg: string; kid?: string; jwk?: object };
export type Verify = (header: Header, signed: string, signature: Buffer) => boolean;

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = String(publicKey.export({ type: 'spki', format: 'pem' }));
const secret = randomBytes(32);
const hmac = (key: string | Buffer, signed: string) => createHmac('sha256', key).update(signed).digest();
const byRsa = (key: Parameters<ReturnType<typeof createVerify>['verify']>[0], signed: string, signature: Buffer) =>
  createVerify('sha256').update(signed).verify(key, signature);

const database = new DatabaseSync(':memory:');
database.exec('CREATE TABLE keys (kid TEXT, value TEXT)');
database.prepare('INSERT INTO keys VALUES (?, ?)').run('one', secret.toString('hex'));
const keyOf = (statement: string): string =>
  (database.prepare(statement).get() as { value: string } | undefined)?.value ?? '-';

export const rsa: Header = { alg: 'RS256' };
export const named: Header = { alg: 'HS256', kid: 'one' };
export const byName: Verify = ({ kid }, signed, signature) => kid === 'one' && hmac(secret, signed).equals(signature);

const quietly = (verify: () => boolean): boolean => {
  try {
    return verify();
  } catch {
    return false;
  }
};

/** Verifiers that come to a key by the token, each with the tokens of its site. */
export const weakVerifiers = {
  'a public key as a secret': [
    rsa,
    ({ alg }, signed, signature) =>
      alg === 'HS256' ? hmac(pem, signed).equals(signature) : byRsa(pem, signed, signature),
  ],
  'a file as a key': [
    named,
    ({ kid = '' }, signed, signature) =>
      quietly(() => hmac(kid === 'one' ? secret : readFileSync(join('/srv/keys', kid)), signed).equals(signature)),
  ],
  'a key from a statement': [
    named,
    ({ kid = '' }, signed, signature) =>
      quietly(() => {
        const value = keyOf(`SELECT value FROM keys WHERE kid='${kid}'`);
        return hmac(kid === 'one' ? secret : value, signed).equals(signature);
      }),
  ],
  'a key in the token': [
    rsa,
    ({ jwk }, signed, signature) =>
      quietly(() => byRsa(jwk ? createPublicKey({ key: jwk as never, format: 'jwk' }) : pem, signed, signature)),
  ],
} satisfies Record<string, [Header, Verify]>;
export const byOneKey: Verify = (_header, signed, signature) => byRsa(pem, signed, signature);

/** A site whose session is a token, and how it verifies that. @param published where everybody reads its public key */
export async function startVerifier(
  header: Header,
  verify: Verify,
  published: 'in a list' | 'in a linked file' | 'in a listed folder' = 'in a list',
): Promise<ScoreSite & { options: { depth: 'deep'; identities: TestIdentity[] } }> {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part({ typ: 'JWT', ...header })}.${part({ sub: 'dora', exp: Math.floor(Date.now() / 1000) + 3600 })}`;
  const signature =
    header.alg === 'RS256' ? createSign('sha256').update(signed).sign(privateKey) : hmac(secret, signed);
  const site = await startSite(({ path, headers }) => {
    if (path === '/') return html('<a href=/me>Me</a> <a href=/docs/tokens>Tokens</a>');
    if (published === 'in a linked file') {
      if (path === '/docs/tokens') return html('Verify them with <a href=/files/quay-2026.pem>our key</a>.');
      if (path === '/files/quay-2026.pem') return { headers: { 'content-type': 'application/x-pem-file' }, body: pem };
    } else if (published === 'in a listed folder') {
      if (path === '/keys/')
        return html(
          '<html><head><title>Index of /keys/</title></head><body><h1>Index of /keys/</h1><hr><pre><a href="../">../</a>\n<a href="quay.pub">quay.pub</a>\n</pre></body></html>',
        );
      if (path === '/keys/quay.pub') return { headers: { 'content-type': 'text/plain' }, body: pem };
    } else if (path === '/jwks.json')
      return {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ keys: [publicKey.export({ format: 'jwk' })] }),
      };
    if (path !== '/me') return undefined;
    const [head = '', body = '', sign = ''] = (headers.authorization ?? '').replace('Bearer ', '').split('.');
    try {
      const read = JSON.parse(Buffer.from(head, 'base64url').toString()) as Header;
      const isRight = verify(read, `${head}.${body}`, Buffer.from(sign, 'base64url'));
      return isRight ? html('Signed in as Dora Dean') : html('no', 401);
    } catch {
      return html('no', 401);
    }
  });
  const token = `${signed}.${signature.toString('base64url')}`;
  const dora = {
    ...{ name: 'A', checkPath: '/me', marker: 'Signed in as Dora Dean' },
    headers: [['Authorization', `Bearer ${token}`]] as [string, string][],
  };
  return { ...site, options: { depth: 'deep', identities: [dora] } };
}
