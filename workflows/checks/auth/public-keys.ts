import { createPublicKey, type JsonWebKey, type KeyObject, X509Certificate } from 'node:crypto';
import { parseJson } from '../../model/json.ts';
import { ProbeError } from '../../model/probe-error.ts';
import type { CheckContext } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import { listingOf } from '../pages/listing.ts';

/** Where sites publish the keys that verify their tokens. Sources: RFC 8414 §2, OpenID Connect Discovery 1.0 §3, libraries' guides. */
const paths = [
  '/.well-known/jwks.json',
  '/jwks.json',
  '/.well-known/openid-configuration',
  '/api/jwks',
  '/oauth/jwks',
  '/public.pem',
  '/public.key',
  '/publickey.pem',
  '/keys/',
] as const;
const maxKeys = 3;
/** What pages link to as a key, for whoever verifies tokens. */
const keyName = /\.(?:pem|pub|crt|cer)$|jwks|(?:public|verif\w*|signing|rsa|jwt)[-_.]?(?:key|cert)|\/certs\/?$/i;
const maxLinked = 4;
const pem = /-----BEGIN (?:(?:RSA )?PUBLIC KEY|CERTIFICATE)-----[\s\S]{40,4000}?-----END [A-Z ]+-----/;

/** The public keys that a site publishes, each in the spellings in which a program may have it as text. */
export async function publishedKeys(context: CheckContext): Promise<string[]> {
  const { http, surface } = context;
  const found: string[] = [];
  const linked = [...surface.pages, ...surface.skipped].map(({ url }) => url).filter((url) => isKey(url, surface.url));
  const urls: string[] = [
    ...new Set([
      ...likeliest(context, [...new Set(linked)], maxLinked, 'addresses of published keys'),
      ...paths.map((path) => new URL(path, surface.url).href),
    ]),
  ];
  for (const url of urls) {
    const answer = await http.get(url);
    const { status, text } = answer;
    if (status !== 200) continue;
    const written = pem.exec(text)?.[0];
    const root = parseJson(text);
    const { keys, jwks_uri: named } = Object(root) as { keys?: unknown; jwks_uri?: unknown };
    if (typeof named === 'string' && isHere(named, surface.url) && !urls.includes(named)) urls.push(named);
    const listed = url.endsWith('/') ? (listingOf(url, answer)?.entries ?? []) : [];
    const ofFolder = listed
      .map((entry) => entry.url)
      .filter((each) => isKey(each, surface.url) && !urls.includes(each));
    urls.push(...likeliest(context, ofFolder, maxLinked, 'addresses of published keys'));
    const own = Array.isArray(keys) ? likeliest(context, keys, maxKeys, 'published keys').flatMap(spellingsOfJwk) : [];
    found.push(...(written === undefined ? [] : [`${written}\n`, written]), ...own);
    if (found.length > 0) break;
  }
  return [...new Set(found)];
}

const isKey = (address: string, base: string): boolean =>
  isHere(address, base) && keyName.test(new URL(address).pathname);

const isHere = (address: string, base: string): boolean => URL.parse(address)?.origin === new URL(base).origin;

function spellingsOfJwk(jwk: unknown): string[] {
  if (typeof jwk !== 'object' || jwk === null) return [];
  const key = readKey(() => createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' }));
  const [first] = 'x5c' in jwk && Array.isArray(jwk.x5c) ? jwk.x5c : [];
  const certified =
    key ??
    (typeof first === 'string'
      ? readKey(() => new X509Certificate(Buffer.from(first, 'base64')).publicKey)
      : undefined);
  return certified ? spellingsOf(certified) : [];
}

function readKey(read: () => KeyObject): KeyObject | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof ProbeError) throw error;
    return undefined;
  }
}

/** With and without the newline at its end, and as older programs write keys of RSA. */
function spellingsOf(key: KeyObject): string[] {
  const spki = String(key.export({ type: 'spki', format: 'pem' }));
  const old = key.asymmetricKeyType === 'rsa' ? [String(key.export({ type: 'pkcs1', format: 'pem' }))] : [];
  return [spki, spki.trimEnd(), ...old];
}
