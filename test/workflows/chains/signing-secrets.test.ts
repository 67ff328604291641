import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findSigningSecrets } from '../../../workflows/chains/signing-secrets.ts';
import { firstMatch } from '../../../workflows/proof/pattern.ts';

const test = suite('signing secrets in source');

const key = 'q8Zr4vT1xLw9YbN6sKd2';
const none = () => false;
const valuesIn = (path: string, text: string, isKey: (value: string) => boolean = none) =>
  findSigningSecrets(path, text, isKey).map(({ value }) => value);

const holding: [string, string][] = [
  ['.env', `JWT_SECRET=${key}`],
  ['.env.production', `A=1\nexport SESSION_SECRET='${key}'\nB=2`],
  ['config/application.properties', `app.jwt.secret-key = ${key}`],
  ['config/secrets.yml', `production:\n  secret_key_base: ${key}\n`],
  ['config.json', `{"token": {"signingKey": "${key}"}}`],
  ['app.js', `app.use(session({ secret: '${key}', resave: false }))`],
  ['auth.js', `const token = jwt.sign({ id: user.id }, "${key}", { expiresIn: '1h' })`],
  ['auth.ts', `const secret = process.env.JWT_SECRET || '${key}'`],
  ['auth.ts', `export const jwtSecret = process.env.JWT_SECRET ?? "${key}"`],
  ['settings.py', `SECRET_KEY = "${key}"`],
  ['settings.py', `SECRET_KEY = os.environ.get("SECRET_KEY", "${key}")`],
  ['tokens.py', `return jwt.encode(claims, '${key}', algorithm='HS256')`],
  ['config.php', `define('JWT_SECRET', '${key}');`],
  ['config/auth.php', `'jwt_secret' => '${key}',`],
  ['Tokens.java', `private static final String JWT_SECRET = "${key}";`],
  ['Tokens.java', `Keys.hmacShaKeyFor("${key}".getBytes())`],
  ['auth.go', `var jwtKey = []byte("${key}")`],
  ['sign.js', `crypto.createHmac('sha256', '${key}').update(body)`],
];

for (const [path, text] of holding) {
  test(`the key in ${path}, ${JSON.stringify(text.replace(key, '…'))}, is found, with a pattern that has nothing of it`, () => {
    const [found] = findSigningSecrets(path, text, none);
    assert.is(found?.value, key);
    assert.not.ok(found?.pattern.includes(key));
    assert.is(firstMatch(found?.pattern ?? '', text)?.groups[0], key);
  });
}

const clean: [string, string][] = [
  ['.env', 'JWT_SECRET=change-me-0123456789'],
  ['.env.example', 'JWT_SECRET=your-256-bit-secret-here'],
  ['config.yml', 'secret_key_base: <%= ENV["SECRET_KEY_BASE"] %>'],
  ['app.js', 'session({ secret: config.session.secret.current })'],
  ['app.js', "const secretName = 'the-name-of-the-secret'"],
  ['app.js', `const publicKey = '${key}'`],
  ['app.js', `const password = '${key}'`],
  ['docs.js', "jwt.sign(payload, 'shhhhhhhh')"],
];

for (const [path, text] of clean) {
  test(`${JSON.stringify(text)} in ${path} holds none`, () => assert.equal(valuesIn(path, text), []));
}

test('a value that signed a session is a key, however plain it looks', () => {
  assert.equal(
    valuesIn('app.js', "jwt.sign(payload, 'shhhhhhhh')", (value) => value === 'shhhhhhhh'),
    ['shhhhhhhh'],
  );
});

test('a hostile file takes little time', () => {
  for (const bit of ['secret', 'jwt.sign(', 'secret = ', 'a.', '"secret"', 'token secret ']) {
    const startMs = performance.now();
    findSigningSecrets('.env', bit.repeat(262_144 / bit.length), none);
    assert.ok(performance.now() - startMs < 2_000, `${bit} ${performance.now() - startMs}`);
  }
});

test.run();
