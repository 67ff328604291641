import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { secretsIn } from '../../../../workflows/checks/files/secret-formats.ts';

const test = suite('formats of secrets');

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const random = (length: number, characters = alphabet) =>
  [...randomBytes(length)].map((byte) => characters[byte % characters.length]).join('');

function checked(prefix: string): string {
  const text = random(30);
  let sum = '';
  for (let rest = crc32(text), place = 0; place < 6; place += 1, rest = Math.floor(rest / 62))
    sum = alphabet[rest % 62] + sum;
  return `${prefix}_${text}${sum}`;
}

const part = (claims: object) => Buffer.from(JSON.stringify(claims)).toString('base64url');
const jwt = (claims: object) => `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}.${random(43)}`;
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' })).trim();

const hexadecimal = '0123456789abcdef';

const genuine: Record<string, string> = {
  'a GitHub token': checked('ghp'),
  'an npm token': checked('npm'),
  'a secret key of Stripe': `sk_live_${random(24)}`,
  'a token of Slack': `xoxb-123456789012-123456789012-${random(24)}`,
  'a webhook of Slack': `https://hooks.slack.com/services/T0AB12CD3/B0AB12CD3/${random(24)}`,
  'an API key of SendGrid': `SG.${random(22)}.${random(43)}`,
  'an API key of OpenAI': `sk-proj-${random(40)}T3BlbkFJ${random(40)}`,
  'an API key of Anthropic': `sk-ant-api03-${random(93)}AA`,
  'an access token of Shopify': `shpat_${random(32, '0123456789abcdef')}`,
  'a token of DigitalOcean': `dop_v1_${random(64, '0123456789abcdef')}`,
  'a token that passes by the rules of the service': jwt({
    iss: 'supabase',
    role: 'service_role',
    ref: 'abcdefghij',
    exp: 2e9,
  }),
  'a fine-grained GitHub token': `github_pat_${random(22)}_${random(59)}`,
  'a GitLab token': `glpat-${random(20)}`,
  'a token of PyPI': `pypi-${Buffer.concat([Buffer.from('\x02\x01\x08pypi.org\x02', 'latin1'), randomBytes(90)]).toString('base64url')}`,
  'an API key of Mailchimp': `${random(32, hexadecimal)}-us12`,
  'a token of Hugging Face': `hf_${random(34, alphabet.slice(10))}`,
  'a token of a Telegram bot': `1234098765:AA${random(33)}`,
  'a token of a Discord bot': `${Buffer.from('812345678901234567').toString('base64url')}.${random(6)}.${random(38)}`,
  'a key of Azure Storage': `AccountKey=${random(86)}==`,
  'a token of Databricks': `dapi${random(32, hexadecimal)}`,
  'an API key of Postman': `PMAK-${random(24, hexadecimal)}-${random(34, hexadecimal)}`,
  'a secret key of age': 'AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX',
  'a URL of a database with its password': `mongodb+srv://shop:${random(14)}@cluster0.ab1cd.mongodb.net`,
  'a private key': pem.replaceAll('\n', '\\n'),
};

test('a password whose escaped bytes are no text is read as it stands', () => {
  const url = 'postgres://shop:%E4kT9vQ2mL8wRz@db.shop-data.net';
  assert.is(secretsIn(url).length, 1);
});

for (const [name, value] of Object.entries(genuine)) {
  test(`${name} is recognised by its form`, () => {
    const found = secretsIn(`const key = "${value}";`);
    assert.equal(
      found.map(({ format, value: seen }) => [format.name, seen]),
      [[name, value]],
    );
  });
}

const harmless: Record<string, string> = {
  'a GitHub token with a wrong check sum': `ghp_${'aB3dE6gH9kL2nP5rS8uV1xY4'.padEnd(36, 'Zq7')}`,
  'a publishable key of Stripe': `pk_live_${random(24)}`,
  'a test key of Stripe': `sk_test_${random(24)}`,
  'an example of Stripe': 'sk_live_xxxxxxxxxxxxxxxxxxxxxxxx',
  'a word instead of a key': 'sk_live_yourSecretKeyGoesHere0000000',
  "a browser key of Google's": `AIza${random(35)}`,
  'a Supabase key for browsers': jwt({ iss: 'supabase', role: 'anon' }),
  'a token of a session': jwt({ sub: '1', role: 'user' }),
  'a private key of nothing': `-----BEGIN PRIVATE KEY-----\\n${'A'.repeat(200)}\\n-----END PRIVATE KEY-----`,
  'the words around a private key': '"-----BEGIN PRIVATE KEY-----" + body + "-----END PRIVATE KEY-----"',
  'the same key of age with a letter changed':
    'AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEY',
  'a database of an example': 'postgres://user:password@localhost:5432/shop',
  'a database whose password is put in later': 'postgres://shop:{{DB_PASSWORD}}@db.northwind.shop/shop',
  'a publishable key of Supabase': `sb_publishable_${random(31)}`,
  'a public token of Mapbox': `pk.eyJ1IjoiYSJ9.${random(22)}`,
  'a Sentry address': `https://${random(32, hexadecimal)}@o12345.ingest.sentry.io/1`,
  'a Telegram bot of an example': `123456789:AA${'x'.repeat(33)}`,
  'a public key': '-----BEGIN PUBLIC KEY-----\\nMIIBIjANBg\\n-----END PUBLIC KEY-----',
  'a part of something longer': `x${checked('ghp')}`,
};

for (const [name, value] of Object.entries(harmless)) {
  test(`${name} is none`, () => assert.equal(secretsIn(`const key = "${value}";`), []));
}

test('a secret key of AWS is recognised by the key id beside it', () => {
  const secret = `aB3${random(37)}`;
  const values = (text: string) => secretsIn(text).map(({ value }) => value);
  assert.equal(values(`{accessKeyId:"AKIAQ3EGRTQ7Q2NDKLXM",secretAccessKey:"${secret}"}`), [secret]);
  assert.equal(values(`{accessKeyId:"AKIAIOSFODNN7EXAMPLE",secretAccessKey:"${secret}"}`), []);
  assert.equal(values(`{secret:"${secret}"}`), []);
  assert.equal(values(`{id:"AKIAQ3EGRTQ7Q2NDKLXM",commit:"${random(40, hexadecimal)}"}`), []);
});

test('a key without a form is recognised by a name that calls it secret', () => {
  const [key, token] = ['ik_live_3a7c90e5b1f4d2a86037', 'Qm4Zr8Lw2Xc7Tn5Vb9Kd3Hs6Jp1Gf0Yt'];
  const values = (text: string) => secretsIn(text).map(({ value }) => value);
  assert.equal(values(`export const INTERNAL_KEY = '${key}';`), [key]);
  assert.equal(values(`{"jwtSecret": "9x4${token}8b1"}`), [`9x4${token}8b1`]);
  for (const harmless of [
    `const apiKey = '${key}';`,
    `publicKey: "${key}"`,
    `applicationServerKey: "${key}"`,
    `clientSecret: "pi_3a7b1c9${token}_secret_${token}"`,
    'const SECRET_KEY = "put-your-own-words-here-please";',
    `secretKey = process.env.SECRET_KEY`,
  ])
    assert.equal(values(harmless), [], harmless);
});

test('an auth token of Twilio is recognised by the account beside it', () => {
  const [account, token] = [`AC${random(32, hexadecimal)}`, random(32, hexadecimal)];
  assert.equal(
    secretsIn(`twilio("${account}", "${token}")`).map(({ value }) => value),
    [token],
  );
  assert.equal(secretsIn(`etag("${token}")`), []);
});

test('a text made to take long is read in time', () => {
  const begin = performance.now();
  for (const start of ['sk-', 'eyJaaaaaaaaaa.eyJ', '-----BEGIN PRIVATE KEY-----', 'SG.', 'xoxb-1234567890-'])
    secretsIn(start.repeat(100_000));
  assert.ok(performance.now() - begin < 5_000);
});

test.run();
