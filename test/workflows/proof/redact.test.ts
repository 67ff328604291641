import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { threadMs } from '../../../workflows/probe/thread-time.ts';
import { createRedactor, isSecretHeader, looksSecret } from '../../../workflows/proof/redact.ts';

const test = suite('redaction');
const { text, header } = createRedactor();

const letters = (count: number) => 'aB3xK9qLmZ7tR2wYp5Vn'.repeat(20).slice(0, count);

/** What it is, a text with it, the part that must be gone. */
const secrets: [string, string, string][] = [
  ['a JSON Web Token', 'token is eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJlLW9mLWl0 here', 'eyJhbGci'],
  ['a private key', '-----BEGIN RSA PRIVATE KEY-----\nMIIEabc+/=\nDEF\n-----END RSA PRIVATE KEY-----', 'MIIEabc'],
  ['a private key that was cut', '-----BEGIN PRIVATE KEY-----\nMIIEabc', 'MIIEabc'],
  ['a cloud key', `id AKIA${'ABCDEFGH12345678'} end`, 'ABCDEFGH12345678'],
  ['a code host’s token', `ghp_${letters(36)}`, letters(36)],
  ['a payment key', `sk_live_${letters(24)}`, letters(24)],
  ['a chat token', 'xoxb-123456789012-abcdefghij', '123456789012'],
  ['a map key', `AIza${letters(35)}`, letters(35)],
  ['a key of this service', `sa_abcd1234_${letters(38)}`, letters(38)],
  ['a mail address', 'write to ann.archer+x@northwind.example today', 'ann.archer'],
  ['credentials in a URL', 'postgres://app:hunter2@db.internal/x', 'hunter2'],
  ['a bearer token', 'Authorization: Bearer abc123def456', 'abc123def456'],
  ['a password in settings', 'DB_PASSWORD=hunter2', 'hunter2'],
  ['a password that begins as a word of settings does', 'DB_PASSWORD=true-hunter2', 'hunter2'],
  ['a quoted secret in code', "const jwtSecret = 'hunter2hunter2'", 'hunter2'],
  ['a token in JSON', '{"access_token": "hunter2hunter2", "n": 1}', 'hunter2'],
  ['a key in YAML', 'api-key: hunter2hunter2', 'hunter2'],
  ['a token in a query', '/reset?token=hunter2hunter2&x=1', 'hunter2'],
  ['a password of several words in JSON', '{"password": "correct horse battery", "n": 1}', 'horse'],
  ['a quoted password with marks of the syntax around it', 'DB_PASSWORD="a;b c,d&e{f"', 'd&e'],
  ['a quoted password with a quote of the other kind', "db_password => 'a\"b horse'", 'horse'],
  ['a password in JSON that has an escaped quote', '{"password":"ab\\"horse"}', 'horse'],
  ['a password in JSON that stands in a text', '"{\\"password\\":\\"hunter2\\"}"', 'hunter2'],
  ['a password in JSON that stands in a page', '<p data-x="{&quot;password&quot;:&quot;hunter2&quot;}">', 'hunter2'],
  ['a field of a form', '<input type="hidden" name="csrf_token" value="hunter2hunter2">', 'hunter2'],
];

for (const [what, whole, secret] of secrets) {
  test(`${what} is masked, and masking again changes nothing`, () => {
    const masked = text(whole);
    assert.not.ok(masked.includes(secret), masked);
    assert.match(masked, /\[masked, \d+ characters\]/);
    assert.is(text(masked), masked);
  });
}

for (const plain of [
  '<p>Results for lamps, page 2 of 7</p>',
  'commit 214␀tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  "default-src 'self'; script-src 'nonce-abc123abc'",
  'the monkey is at the keyboard: 12345678',
  '/find?q=‹nonce›&token=‹nonce›',
  'request.withCredentials = true; {"credentials": false, "token": null}',
  'v=spf1 include:_spf.example.com -all',
]) {
  test(`"${plain}" is left as it is`, () => assert.is(text(plain), plain));
}

test('a known secret is masked as forms send it and as pages show it', () => {
  const redactor = createRedactor(['p&ss "w/ord\'s<1>']);
  for (const spelling of [
    'p%26ss+%22w%2Ford%27s%3C1%3E',
    'p&amp;ss &quot;w/ord&#39;s&lt;1&gt;',
    'p&amp;ss &#34;w/ord&#x27;s&lt;1&gt;',
    'p&amp;ss "w/ord\'s&lt;1&gt;',
    'p\\u0026ss \\"w\\/ord\'s\\u003C1\\u003E',
  ])
    assert.match(redactor.text(`<a>${spelling}</a>`), /^<a>\[masked, \d+ characters\]<\/a>$/, spelling);
});

test('known secrets are masked in every spelling, the longest first', () => {
  const known = createRedactor(['geheim', 'geheim & more', 'x']);
  assert.is(
    known.text('geheim & more geheim%20%26%20more geheim x'),
    '[masked, 13 characters] [masked, 19 characters] [masked, 6 characters] x',
  );
});

test('headers are masked by what they are for', () => {
  const masked = [
    header('Set-Cookie', 'sid=abc123; Path=/; HttpOnly'),
    header('set-cookie', 'novalue'),
    header('Cookie', 'a=1234; b=5678'),
    header('Authorization', 'Bearer abc'),
    header('Proxy-Authorization', 'secret'),
    header('X-Api-Key', 'abc'),
    header('X-CSRF-Token', 'abc'),
    header('X-Frame-Options', 'DENY'),
    header('Authorization', 'Bearer ‹token›'),
    header('Cookie', 'sid=‹sid›'),
  ];
  assert.equal(masked, [
    'sid=[masked, 6 characters]; Path=/; HttpOnly',
    '[masked, 7 characters]',
    'a=[masked, 4 characters]; b=[masked, 4 characters]',
    'Bearer [masked, 3 characters]',
    '[masked, 6 characters]',
    '[masked, 3 characters]',
    '[masked, 3 characters]',
    'DENY',
    'Bearer ‹token›',
    'sid=‹sid›',
  ]);
});

test('hostile text takes time that grows with its length and no faster', () => {
  const bits = [
    'a',
    'eyJ',
    'eyJ-',
    'a@',
    'a.',
    'pass',
    '://',
    'token ',
    'Bearer ',
    'name="token ',
    '-----BEGIN PRIVATE KEY-----',
  ];
  for (const bit of bits) {
    const startMs = threadMs();
    text(bit.repeat(1_000_000 / bit.length));
    assert.ok(threadMs() - startMs < 1_500, bit);
  }
});

test('a known secret is found in every spelling, and nothing else is', () => {
  const known = createRedactor(['geheim & more']);
  assert.equal(
    ['x=geheim & more', 'x=geheim%20%26%20more', 'geheim'].map((each) => known.holds(each)),
    [true, true, false],
  );
});

test('what lets somebody in looks secret; what is about a person does not', () => {
  for (const [, whole] of secrets.filter(([what]) => what !== 'a mail address')) assert.ok(looksSecret(whole), whole);
  for (const whole of [
    '{"mail":"ann@northwind.example","street":"14 Harbour Lane"}',
    'csrf=‹encode:token1›&street=Lane',
  ])
    assert.not.ok(looksSecret(whole), whole);
});

test('headers that carry a session are secret whatever they hold', () => {
  for (const name of ['Cookie', 'set-cookie', 'Authorization', 'X-CSRF-Token', 'x-api-key'])
    assert.ok(isSecretHeader(name, 'x'), name);
  assert.ok(isSecretHeader('X-Other', 'Bearer abcdefgh'));
  for (const name of ['Content-Type', 'Origin', 'Referer'])
    assert.not.ok(isSecretHeader(name, 'https://shop.example/account'));
});

test('the value of a header that is secret is masked in that header, however short', () => {
  const known = createRedactor([], [['X-Staging', 'dev']]);
  assert.is(known.header('x-staging', 'dev'), '[masked, 3 characters]');
  assert.is(known.header('X-Other', 'dev'), 'dev');
  assert.is(known.header('X-Staging', '‹nonce›.example'), '‹nonce›.example', 'a step’s own');
  assert.is(known.header('x-staging', known.header('x-staging', 'dev')), '[masked, 3 characters]');
});

test('a short value of such a header is masked where a page repeats it beside its name, and nowhere else', () => {
  const known = createRedactor([], [['X-Staging-Door', 'dev']]);
  const masked = '[masked, 3 characters]';
  for (const [shown, kept] of [
    ['X-Staging-Door: dev', `X-Staging-Door: ${masked}`],
    ['{"x-staging-door":"dev"}', `{"x-staging-door":"${masked}"}`],
    ['{"name":"X-Staging-Door","value":"dev"}', `{"name":"X-Staging-Door","value":"${masked}"}`],
    ['&quot;x-staging-door&quot;: &quot;dev&quot;', `&quot;x-staging-door&quot;: &quot;${masked}&quot;`],
    [
      '<td>HTTP_X_STAGING_DOOR </td><td class="v">dev</td>',
      `<td>HTTP_X_STAGING_DOOR </td><td class="v">${masked}</td>`,
    ],
    ["'HTTP_X_STAGING_DOOR' => 'dev'", `'HTTP_X_STAGING_DOOR' => '${masked}'`],
  ] as const) {
    assert.is(known.text(shown), kept);
    assert.is(known.text(kept), kept, 'twice is as once');
  }
  for (const other of ['/dev/null is a device', 'X-Staging-Door: devices', 'X-Staging-Door is for the dev team'])
    assert.is(known.text(other), other);
});

test('a longer value of such a header is masked wherever it stands', () => {
  const known = createRedactor([], [['X-Pass', 'open sesame']]);
  assert.is(known.text('You said open%20sesame.'), 'You said [masked, 13 characters].');
});

test('credentials that a proof has made up are shown, encoded or not, and others beside them are masked', () => {
  const redactor = createRedactor(['harbour-71-quiet'], [], ["own' OR 1", 'nonce@nonce.example']);
  const shown = `name=nonce@nonce.example&password=own'%20OR%201&token=hunter2hunter2&password=harbour-71-quiet`;
  assert.is(
    redactor.text(shown),
    `name=nonce@nonce.example&password=own'%20OR%201&token=[masked, 14 characters]&password=[masked, 16 characters]`,
  );
});

test.run();
