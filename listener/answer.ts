import { callbackAnswer } from '../kit/callback-answer.ts';

type ListenerAnswer = { status: number; headers: Record<string, string>; body: string };

const plain = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };

/** What shows that a server follows redirects to itself: `/<token>/to/<port>/<path>`. To loopback alone, so it leads nobody else anywhere. */
const toLoopback = /\/to\/(\d{1,5})(\/[\x21-\x7e]{0,512})$/;

/** A list of one public key (RFC 7517 §5), whose modulus stands in the path: `/<token>/keys/<modulus>/.well-known/jwks.json`. */
const keyList = /\/keys\/([\w-]{300,700})\/\.well-known\/jwks\.json$/;
const keyOf = (n: string) => ({ kty: 'RSA', kid: 'own', use: 'sig', alg: 'RS256', n, e: 'AQAB' });

/** What is served to whoever asks; of the request nothing but the token's own word and the number of a key is in it. */
export function answerFor(token: string | undefined, path: string): ListenerAnswer {
  if (token === undefined)
    return {
      status: 404,
      headers: plain,
      body: 'This host receives callbacks of security audits. There is nothing else.\n',
    };
  const [, port, rest] = toLoopback.exec(path) ?? [];
  if (port !== undefined && rest !== undefined && Number(port) <= 65_535)
    return { status: 302, headers: { ...plain, location: `http://127.0.0.1:${port}${rest}` }, body: '' };
  const [, modulus] = keyList.exec(path) ?? [];
  if (modulus !== undefined) {
    const headers = { ...plain, 'content-type': 'application/json' };
    return { status: 200, headers, body: JSON.stringify({ keys: [keyOf(modulus)] }) };
  }
  return { status: 200, headers: plain, body: `${callbackAnswer(token)}\n` };
}
