import { createPublicKey, createSign, createVerify, generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestIdentity } from '../harness.ts';

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const read = (text = '') => JSON.parse(Buffer.from(text, 'base64url').toString());

/** A site that verifies tokens with the list of keys that they name. @param isTrusted whether it goes to an address, by its own */
export async function startKeyLists(isTrusted: (jku: string, own: string) => boolean) {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1' }];
  const server = createServer(async (request, response) => {
    const answer = (status: number, body: string) =>
      response.writeHead(status, { 'content-type': body.startsWith('{') ? 'application/json' : 'text/html' }).end(body);
    if (request.url === '/keys.json') return answer(200, JSON.stringify({ keys }));
    if (request.url === '/') return answer(200, '<a href=/me>Me</a>');
    if (request.url !== '/me') return answer(404, 'Nothing here');
    try {
      const [head = '', claims = '', signature = ''] = (request.headers.authorization ?? '').slice(7).split('.');
      const { jku, kid } = read(head) as { jku: string; kid: string };
      if (!isTrusted(jku, own)) return answer(401, 'no');
      const list = (await (await fetch(jku)).json()) as { keys: (JsonWebKey & { kid: string })[] };
      const key = createPublicKey({ key: list.keys.find((each) => each.kid === kid) ?? {}, format: 'jwk' });
      const isRight = createVerify('sha256').update(`${head}.${claims}`).verify(key, signature, 'base64url');
      return isRight ? answer(200, `Signed in as ${read(claims).name}`) : answer(401, 'no');
    } catch {
      return answer(401, 'no');
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = own.replace('127.0.0.1', 'shop.localhost');
  const claims = { sub: 'dora', name: 'Dora Dean', exp: Math.floor(Date.now() / 1000) + 3600 };
  const signed = `${part({ alg: 'RS256', kid: 'k1', jku: `${own}/keys.json` })}.${part(claims)}`;
  const token = `${signed}.${createSign('sha256').update(signed).sign(privateKey, 'base64url')}`;
  const dora: TestIdentity = {
    ...{ name: 'A', checkPath: '/me', marker: 'Signed in as Dora Dean' },
    headers: [['Authorization', `Bearer ${token}`]],
  };
  return {
    url,
    options: { depth: 'deep' as const, identities: [dora] },
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
