import { deflateSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { BrowserResult } from '../../../workflows/model/browser.ts';
import type { TlsHandshake } from '../../../workflows/model/tls.ts';
import type { HelloAnswer } from '../../../workflows/model/tls-hello.ts';
import { makeExchange } from '../../../workflows/probe/http/exchange.ts';
import { type Observed, UnknownSubject } from '../../../workflows/proof/subjects/observed.ts';
import { subjectValue } from '../../../workflows/proof/subjects.ts';

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
      publicKeyDigest: '',
      isSelfSigned: false,
    },
  ],
  signatures: ['ecdsa-with-SHA256', 'sha1WithRSAEncryption'],
  path: { end: 'trusted', certificates: [], validFrom: '2026-01-01T00:00:00Z', validTo: '2026-03-01T00:00:00Z' },
  revocation: undefined,
  isStapled: false,
  isPubliclyTrusted: false,
  authorizationError: '',
  remoteAddress: '192.0.2.1',
};

const visit: BrowserResult = {
  status: 200,
  finalUrl: 'https://shop.example/end',
  dialogs: ['one', 'two'],
  console: [],
  requests: [{ url: 'https://shop.example/x.js', method: 'GET', refused: false, headers: [] }],
  html: '<p>x</p>',
  title: 'x',
  frames: ['https://shop.example/in', 'about:blank'],
  cspViolations: [],
  mixedContent: ['blocked http://cdn.example/x.js'],
  cookiesSent: ['https://shop.example/me sid', 'https://shop.example/x.js sid'],
  scriptCookies: 'theme=dark; sid=1',
  libraries: ['jquery 1.12.4', 'vue 2.6.0'],
  prototype: ['polluted yes'],
  cookies: [],
  localStorage: { 'auth:token': 'abc' },
  sessionStorage: { tab: '1' },
  sinkCalls: [],
  unread: { requests: 0, bodies: 0, calls: 0, alikeCalls: 0, parts: 0 },
  unpressed: 0,
  headers: [],
};

const cookies = exchange([
  ['Set-Cookie', 'sid=1; Secure'],
  ['set-cookie', ' theme = dark'],
  ['Set-Cookie', 'sid=2; Path=/'],
]);
const goingTo = (location: string) => exchange([['Location', location]]);
const tls: Observed = { kind: 'tls', handshake };
const hello = (more: Partial<HelloAnswer>): Observed => ({
  kind: 'hello',
  answer: {
    outcome: 'accepted',
    alert: '',
    version: 'TLSv1.2',
    suite: 'TLS_DHE_RSA_WITH_AES_128_CBC_SHA',
    compression: 'null',
    group: '',
    signature: '',
    dhBits: 1_024,
    isRenegotiationSecure: false,
    alpn: '',
    isStapled: false,
    asksForCertificate: false,
    certificates: [],
    sent: Buffer.alloc(0),
    remoteAddress: '127.0.0.1',
    ...more,
  },
});
const noTls: Observed = { kind: 'no-tls', code: 'unreachable', message: 'shop.example:443 does not take connections' };
const silent: Observed = { kind: 'no-http', waitedMs: 5_000, message: 'it took longer than 5000 ms' };
const dns = (data: string[]): Observed => ({
  kind: 'dns',
  reply: {
    rcode: 'NOERROR',
    answers: data.map((each) => ({ name: 'a', type: 'TXT', ttlSeconds: 1, data: each })),
    authority: [],
    authenticated: false,
    authoritative: false,
    server: '192.0.2.53:53',
  },
});
const denied: Observed = {
  kind: 'dns',
  reply: {
    rcode: 'NXDOMAIN',
    answers: [],
    authority: [{ name: 'example', type: 'SOA', ttlSeconds: 1, data: 'ns root 1 1 1 1 1' }],
    authenticated: false,
    authoritative: false,
    server: '192.0.2.53:53',
  },
};
const bogus: Observed = {
  kind: 'dns',
  reply: {
    rcode: 'SERVFAIL',
    answers: [],
    authority: [],
    authenticated: false,
    authoritative: true,
    server: '192.0.2.53:53',
    dnssec: { status: 'bogus', zone: 'a.example', fault: 'expired-signature', reason: 'ended', source: 'servers' },
  },
};
const mail: Observed = {
  kind: 'smtp',
  look: {
    greeting: '220 mx',
    extensions: ['SIZE', 'HELP'],
    startTls: 'refused',
    detail: '454 later',
    remoteAddress: '192.0.2.25',
    port: 25,
  },
};
const browser: Observed = { kind: 'browser', result: visit };

/** 512 bits. */
const dkimKey =
  'MFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBANcbVWXVWXd6/KmnuvN5nVOMiwCoh/HsLkFei5XmCpWiunMZuE5L3nZ/V07P9YtFL8VTMP+nWrD00T3dkFmacTMCAwEAAQ==';

/** Observation, subject, value. */
const table: [Observed, string, string | undefined][] = [
  [mail, 'smtp:greeting', '220 mx'],
  [mail, 'smtp:extensions', 'SIZE\nHELP'],
  [mail, 'smtp:starttls', 'refused'],
  [bogus, 'dns:authoritative', 'true'],
  [bogus, 'dns:dnssec', 'bogus'],
  [bogus, 'dns:dnssec-zone', 'a.example'],
  [bogus, 'dns:dnssec-fault', 'expired-signature'],
  [denied, 'dns:authoritative', 'false'],
  [denied, 'dns:dnssec', undefined],
  [denied, 'dns:dnssec-zone', undefined],
  [denied, 'dns:dnssec-fault', undefined],
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
  [
    exchange([], '<form action=/save><input name="a b" value=1><input name="a b" value=2>'),
    'body:form:/save a b',
    '1\n2',
  ],
  [exchange([], '<form action=/save><input name=a value="">'), 'body:form:/save a', ''],
  [exchange([], '<form action=/save><input name=a>'), 'body:form:/other a', undefined],
  [exchange([], '{"role":"user"}'), 'body:json:/role', '"user"'],
  [exchange([], '{"role":"user"}'), 'body:json:/rolle', undefined],
  [exchange([], '<p>Log in</p>'), 'body:json:', undefined],
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
  [tls, 'tls:path', 'trusted'],
  [tls, 'tls:path.validFrom', '2026-01-01T00:00:00Z'],
  [tls, 'tls:path.validTo', '2026-03-01T00:00:00Z'],
  [{ kind: 'tls', handshake: { ...handshake, path: undefined } }, 'tls:path.validTo', undefined],
  [silent, 'timing:unanswered', '5000'],
  [silent, 'status', undefined],
  [tls, 'tls:failure', undefined],
  [noTls, 'tls:failure', 'unreachable'],
  [noTls, 'tls:protocol', undefined],
  [tls, 'tls:certificate.validTo', '2026-04-01T00:00:00Z'],
  [tls, 'tls:certificate.subjectAltNames', 'shop.example\nwww.shop.example'],
  [tls, 'tls:certificate.keyBits', '256'],
  [{ kind: 'tls', handshake: { ...handshake, chain: [] } }, 'tls:certificate.validTo', undefined],
  [tls, 'tls:signatures', 'ecdsa-with-SHA256\nsha1WithRSAEncryption'],
  [{ kind: 'tls', handshake: { ...handshake, signatures: [] } }, 'tls:signatures', undefined],
  [{ kind: 'tls', handshake: { ...handshake, maxEarlyDataBytes: 16_384 } }, 'tls:early-data-bytes', '16384'],
  [{ kind: 'tls', handshake: { ...handshake, maxEarlyDataBytes: 0 } }, 'tls:early-data-bytes', undefined],
  [tls, 'tls:early-data-bytes', undefined],
  [hello({}), 'hello:version', 'TLSv1.2'],
  [hello({}), 'hello:suite', 'TLS_DHE_RSA_WITH_AES_128_CBC_SHA'],
  [hello({}), 'hello:group', undefined],
  [hello({}), 'hello:compression', 'null'],
  [hello({}), 'hello:dh-bits', '1024'],
  [hello({}), 'hello:alert', undefined],
  [hello({}), 'hello:renegotiation', 'insecure'],
  [hello({ isRenegotiationSecure: true }), 'hello:renegotiation', 'secure'],
  [hello({ version: 'TLSv1.3' }), 'hello:renegotiation', undefined],
  [hello({ outcome: 'mismatched' }), 'hello:version', undefined],
  [hello({ outcome: 'refused', alert: 'protocol_version' }), 'hello:version', undefined],
  [hello({ outcome: 'refused', alert: 'protocol_version' }), 'hello:alert', 'protocol_version'],
  [dns(['a', 'b']), 'dns:answers', 'a\nb'],
  [dns([]), 'dns:answers', undefined],
  [dns([]), 'dns:rcode', 'NOERROR'],
  [dns(['a', 'b']), 'dns:records', 'a TXT a\na TXT b'],
  [dns([]), 'dns:records', undefined],
  [dns(['a']), 'dns:authority', undefined],
  [denied, 'dns:authority', 'example SOA ns root 1 1 1 1 1'],
  [denied, 'dns:records', undefined],
  [dns([`v=DKIM1; p=${dkimKey}`]), 'dns:dkim-key-bits', '512'],
  [dns(['v=spf1 -all']), 'dns:dkim-key-bits', undefined],
  [browser, 'browser:dialogs', 'one\ntwo'],
  [browser, 'browser:html', '<p>x</p>'],
  [exchange([]), 'timing:elapsed', '1'],
  [exchange([]), 'timing:slope:0=10,2=2010,1=1010,0=10', '1.000'],
  [exchange([]), 'timing:noise:0=10,2=2010,1=1010,0=10', '0'],
  [exchange([]), 'timing:slope:0=10', undefined],
  [browser, 'browser:requests', 'https://shop.example/x.js'],
  [browser, 'browser:url', 'https://shop.example/end'],
  [browser, 'browser:frames', 'https://shop.example/in\nabout:blank'],
  [browser, 'browser:csp', undefined],
  [browser, 'browser:mixed-content', 'blocked http://cdn.example/x.js'],
  [browser, 'browser:cookies', 'theme=dark; sid=1'],
  [browser, 'browser:cookies-sent', 'https://shop.example/me sid\nhttps://shop.example/x.js sid'],
  [exchange([]), 'request:cookie', 'sid=1'],
  [exchange([]), 'request:authorization', undefined],
  [browser, 'browser:libraries', 'jquery 1.12.4\nvue 2.6.0'],
  [browser, 'browser:local-storage:auth:token', 'abc'],
  [browser, 'browser:session-storage:tab', '1'],
  [browser, 'browser:local-storage:toString', undefined],
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
