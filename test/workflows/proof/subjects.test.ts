import { deflateSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { makeExchange } from '../../../workflows/probe/http/exchange.ts';
import type { BrowserResult, TlsHandshake } from '../../../workflows/probe/types.ts';
import { type Observed, subjectValue, UnknownSubject } from '../../../workflows/proof/subjects.ts';

const exchange = (headers: [string, string][], body: string | Uint8Array = ''): Observed => ({
  kind: 'http',
  exchange: makeExchange({
    request: { method: 'GET', url: 'https://shop.example/a/b?c', headers: [['Cookie', 'sid=1']], body: '' },
    status: 302,
    httpVersion: '1.1',
    headers,
    body: Buffer.from(body),
    truncated: false,
    remoteAddress: '192.0.2.1',
    elapsedMs: 1,
    redirects: [],
  }),
});

const handshake: TlsHandshake = {
  protocol: 'TLSv1.3',
  cipher: 'TLS_AES_256_GCM_SHA384',
  alpn: 'h2',
  chain: [
    {
      subject: 'CN=shop.example',
      issuer: 'CN=An Authority',
      subjectAltNames: ['shop.example', 'www.shop.example'],
      validFrom: '2026-01-01T00:00:00Z',
      validTo: '2026-04-01T00:00:00Z',
      serialNumber: '2A',
      fingerprint256: 'AA:BB',
      keyType: 'ec',
      keyBits: 256,
      signatureAlgorithm: 'ecdsa-with-SHA256',
      isSelfSigned: false,
    },
  ],
  isPubliclyTrusted: false,
  authorizationError: '',
  remoteAddress: '192.0.2.1',
};

const visit: BrowserResult = {
  status: 200,
  finalUrl: 'https://shop.example/end',
  dialogs: ['one', 'two'],
  console: [],
  requests: [{ url: 'https://shop.example/x.js', method: 'GET', refused: false }],
  html: '<p>x</p>',
  title: 'x',
  frames: ['https://shop.example/in', 'about:blank'],
  cspViolations: [],
  mixedContent: ['blocked http://cdn.example/x.js'],
  scriptCookies: 'theme=dark; sid=1',
  libraries: ['jquery 1.12.4', 'vue 2.6.0'],
  cookies: [],
  localStorage: {},
  sessionStorage: {},
  headers: [],
};

const cookies = exchange([
  ['Set-Cookie', 'sid=1; Secure'],
  ['set-cookie', ' theme = dark'],
  ['Set-Cookie', 'sid=2; Path=/'],
]);
const goingTo = (location: string) => exchange([['Location', location]]);
const tls: Observed = { kind: 'tls', handshake };
const noTls: Observed = { kind: 'no-tls', code: 'unreachable', message: 'shop.example:443 does not take connections' };
const dns = (data: string[]): Observed => ({
  kind: 'dns',
  reply: {
    rcode: 'NOERROR',
    answers: data.map((each) => ({ name: 'a', type: 'TXT', ttlSeconds: 1, data: each })),
    authority: [],
    authenticated: false,
  },
});
const browser: Observed = { kind: 'browser', result: visit };

/** Observation, subject, value. */
const table: [Observed, string, string | undefined][] = [
  [exchange([]), 'status', '302'],
  [
    exchange([
      ['X-A', '1'],
      ['x-a', '2'],
    ]),
    'header:x-A',
    '1',
  ],
  [
    exchange([
      ['X-A', '1'],
      ['x-a', '2'],
    ]),
    'headers:x-a',
    '1\n2',
  ],
  [exchange([]), 'header:x-a', undefined],
  [exchange([]), 'headers:x-a', undefined],
  [exchange([], 'grüezi'), 'body', 'grüezi'],
  [exchange([], deflateSync('commit 1\0x')), 'body:inflate', 'commit 1\0x'],
  [exchange([], 'plain'), 'body:inflate', undefined],
  [exchange([], deflateSync(Buffer.alloc(4 * 1024 * 1024))), 'body:inflate', undefined],
  [exchange([], 'KEY=x'), 'body:masked', 'KEY=x'],
  [exchange([], 'PK'), 'body:archive', undefined],
  [exchange([], ''), 'body:archive', undefined],
  [exchange([], '{"version":3,"sources":["a.ts","b.ts"],"sourcesContent":["let a",null]}'), 'body:source-map', 'a.ts'],
  [exchange([], '{"version":3,"sources":["a.ts"],"mappings":""}'), 'body:source-map', undefined],
  [exchange([], 'no pack'), `body:pack:${'a'.repeat(40)}`, undefined],
  [cookies, 'cookie:sid', 'sid=2; Path=/'],
  [cookies, 'cookie:theme', ' theme = dark'],
  [cookies, 'cookie:SID', undefined],
  [goingTo('/c'), 'location:origin', 'https://shop.example'],
  [goingTo('//evil.example/c'), 'location:origin', 'https://evil.example'],
  [goingTo('/\\evil.example'), 'location:origin', 'https://evil.example'],
  [goingTo('/\t/evil.example'), 'location:origin', 'https://evil.example'],
  [goingTo('https:evil.example'), 'location:origin', 'https://shop.example'],
  [goingTo('http:evil.example'), 'location:origin', 'http://evil.example'],
  [goingTo('https://shop.example@evil.example'), 'location:origin', 'https://evil.example'],
  [goingTo('https://['), 'location:origin', undefined],
  [exchange([]), 'location:origin', undefined],
  [tls, 'tls:protocol', 'TLSv1.3'],
  [tls, 'tls:error', undefined],
  [
    { kind: 'tls', handshake: { ...handshake, authorizationError: 'CERT_HAS_EXPIRED' } },
    'tls:error',
    'CERT_HAS_EXPIRED',
  ],
  [tls, 'tls:failure', undefined],
  [noTls, 'tls:failure', 'unreachable'],
  [noTls, 'tls:protocol', undefined],
  [tls, 'tls:certificate.validTo', '2026-04-01T00:00:00Z'],
  [tls, 'tls:certificate.subjectAltNames', 'shop.example\nwww.shop.example'],
  [tls, 'tls:certificate.keyBits', '256'],
  [{ kind: 'tls', handshake: { ...handshake, chain: [] } }, 'tls:certificate.validTo', undefined],
  [dns(['a', 'b']), 'dns:answers', 'a\nb'],
  [dns([]), 'dns:answers', undefined],
  [dns([]), 'dns:rcode', 'NOERROR'],
  [browser, 'browser:dialogs', 'one\ntwo'],
  [browser, 'browser:html', '<p>x</p>'],
  [browser, 'browser:requests', 'https://shop.example/x.js'],
  [browser, 'browser:url', 'https://shop.example/end'],
  [browser, 'browser:frames', 'https://shop.example/in\nabout:blank'],
  [browser, 'browser:csp', undefined],
  [browser, 'browser:mixed-content', 'blocked http://cdn.example/x.js'],
  [browser, 'browser:cookies', 'theme=dark; sid=1'],
  [exchange([]), 'request:cookie', 'sid=1'],
  [exchange([]), 'request:authorization', undefined],
  [browser, 'browser:libraries', 'jquery 1.12.4\nvue 2.6.0'],
];

const test = suite('subjects of claims');

for (const [index, [observed, subject, value]] of table.entries()) {
  test(`${subject} (${index}) is ${JSON.stringify(value)}`, () => assert.is(subjectValue(observed, subject), value));
}

test('a subject that this kind of observation does not have is the mistake of the check', () => {
  for (const [observed, subject] of [
    [exchange([]), 'dns:rcode'],
    [exchange([]), 'header:'],
    [tls, 'tls:certificate.colour'],
    [tls, 'tls:certificate'],
    [dns([]), 'status'],
    [browser, 'browser:mood'],
  ] as const)
    assert.throws(
      () => subjectValue(observed, subject),
      (error: unknown) => error instanceof UnknownSubject,
    );
});

test.run();
