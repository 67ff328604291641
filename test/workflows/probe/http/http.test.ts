import type { RequestListener } from 'node:http';
import { createServer as createNetServer } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closedNote, type HeaderList } from '../../../../workflows/model/http.ts';
import { codeOf, httpsTarget, httpTarget, listen, openFor, runId } from '../support.ts';

const http = suite('the HTTP instrument');

http('sends path and query byte for byte as written', async () => {
  const seen: string[] = [];
  const target = await httpTarget((request, response) => {
    seen.push(request.url ?? '');
    response.end();
  });
  const probes = openFor(target.url);
  const paths = ['/a/../b', '/%2e%2e/x', '//double//', '/a;b=c?x=1&x=%20+%zz', '/?', '/..;/', '/\'"<>|^`{}'];
  try {
    for (const path of paths) await probes.http.get(`${target.url}${path}#fragment`);
    await probes.http.get(target.url);
    await probes.http.get(`${target.url}?only=query`);
    await probes.http.get(`${target.url}/é ✓`);
    assert.equal(seen, [...paths, '/', '/?only=query', '/%C3%A9%20%E2%9C%93']);
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

http('keeps the session when an answer takes away a cookie that the request has made up', async () => {
  const target = await httpTarget((request, response) => {
    const given = /session=(\w+)/.exec(request.headers.cookie ?? '')?.[1];
    const line = given === undefined ? 'session=right' : given === 'right' ? 'seen=1' : 'session=; Max-Age=0';
    response.setHeader('Set-Cookie', line).end(given);
  });
  const { http: probe, close } = openFor(target.url);
  const jar = probe.newJar();
  try {
    await probe.get(target.url, { jar });
    assert.is((await probe.get(target.url, { jar, headers: [['Cookie', 'session=wrong']] })).text, 'wrong');
    assert.is((await probe.get(target.url, { jar })).text, 'right');
    assert.is(jar.header(target.url), 'session=right; seen=1');
  } finally {
    await Promise.all([close(), target.close()]);
  }
});

http('says in every request who sends it, and for which run', async () => {
  const seen: string[][] = [];
  const target = await httpTarget((request, response) => {
    seen.push(request.rawHeaders);
    response.end();
  });
  const probes = openFor(target.url, { extraHeaders: [['X-Staging', 'open']], headersOverHttp: true });
  try {
    await probes.http.get(target.url);
    await probes.http.get(target.url, {
      headers: [
        ['user-agent', 'own'],
        ['accept-language', 'nl'],
        ['X-Twice', '1'],
        ['X-Twice', '2'],
        ['Host', 'elsewhere'],
      ],
    });
    for (const headers of seen) assert.is(headers[headers.indexOf('X-Scan-Audit-Run') + 1], runId);
    assert.match(String(seen[0]), /ScanAudit/);
    assert.match(String(seen[0]), /X-Staging,open/);
    assert.match(String(seen[0]), /Accept-Language,en-US,en;q=0.9/);
    assert.not.match(String(seen[1]), /ScanAudit|en-US/);
    assert.match(String(seen[1]), /accept-language,nl/);
    assert.match(String(seen[1]), /X-Twice,1,X-Twice,2/);
    assert.match(String(seen[1]), /host,elsewhere/i);
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

http('sends the headers of the org over https, and over plain http only with the leave to', async () => {
  const seen: (string | undefined)[] = [];
  const listener: RequestListener = (request, response) => {
    seen.push(request.headers['x-staging']?.toString());
    response.end();
  };
  const [plain, secure] = [await httpTarget(listener), await httpsTarget(listener)];
  const extraHeaders: HeaderList = [['X-Staging', 'open']];
  const opened = [
    openFor(secure.url, { extraHeaders }),
    openFor(plain.url, { extraHeaders }),
    openFor(plain.url, { extraHeaders, headersOverHttp: true }),
  ];
  try {
    for (const [index, { url }] of [secure, plain, plain].entries()) await opened[index]?.http.get(url);
    assert.equal(seen, ['open', undefined, 'open']);
  } finally {
    await Promise.all([...opened.map((probes) => probes.close()), plain.close(), secure.close()]);
  }
});

http('calls itself by one name, the one that the org wants where it says so', async () => {
  const seen: string[][] = [];
  const target = await httpTarget((request, response) => {
    seen.push(request.rawHeaders.map((text) => text.toLowerCase()));
    response.end();
  });
  const probes = openFor(target.url, { extraHeaders: [['user-agent', 'staging']], headersOverHttp: true });
  const names = () => seen.map((raw) => raw.flatMap((text, at) => (text === 'user-agent' ? [raw[at + 1]] : [])));
  try {
    await probes.http.get(target.url);
    await probes.http.get(target.url, { headers: [['User-Agent', 'own']] });
    assert.equal(names(), [['staging'], ['own']]);
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

http('keeps headers in order, as sent, with duplicates', async () => {
  const target = await httpTarget((_request, response) => {
    response.writeHead(418, ['X-ONE', 'a', 'Set-Cookie', 'a=1', 'x-one', 'b', 'Set-Cookie', 'b=2']).end('tea');
  });
  const probes = openFor(target.url);
  try {
    const exchange = await probes.http.get(target.url);
    assert.is(exchange.status, 418);
    assert.equal(exchange.headers.slice(0, 4), [
      ['X-ONE', 'a'],
      ['Set-Cookie', 'a=1'],
      ['x-one', 'b'],
      ['Set-Cookie', 'b=2'],
    ]);
    assert.is(exchange.header('X-One'), 'a');
    assert.equal(exchange.headerValues('x-ONE'), ['a', 'b']);
    assert.is(exchange.header('missing'), undefined);
    assert.is(exchange.remoteAddress, '127.0.0.1');
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

http('decodes gzip, deflate with and without header, br, zstd, and one over the other', async () => {
  const text = 'péage '.repeat(1000);
  const bodies: Record<string, Buffer> = {
    gzip: gzipSync(text),
    'X-GZip': gzipSync(text),
    deflate: deflateSync(text),
    'deflate ': deflateRawSync(text),
    br: brotliCompressSync(text),
    zstd: zstdCompressSync(text),
    'gzip, br': brotliCompressSync(gzipSync(text)),
    identity: Buffer.from(text),
  };
  const target = await httpTarget((request, response) => {
    const coding = decodeURIComponent(request.url?.slice(1) ?? '');
    response.setHeader('content-encoding', coding.trim()).end(bodies[coding]);
  });
  const probes = openFor(target.url);
  try {
    for (const coding of Object.keys(bodies)) {
      const exchange = await probes.http.get(`${target.url}/${encodeURIComponent(coding)}`);
      assert.is(exchange.text, text, coding);
      assert.not(exchange.truncated);
    }
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

http('an answer without a body is one, whatever coding it names', async () => {
  const codings = ['gzip', 'deflate', 'br', 'zstd', 'gzip, br'];
  const target = await httpTarget((request, response) => {
    const coding = decodeURIComponent(request.url?.slice(1) ?? '');
    const status = coding === 'gzip' ? 302 : 200;
    response.writeHead(status, { 'content-encoding': coding, location: '/elsewhere', 'content-length': 0 }).end();
  });
  const probes = openFor(target.url);
  try {
    for (const coding of codings) {
      const { text, truncated } = await probes.http.get(`${target.url}/${encodeURIComponent(coding)}`);
      assert.equal([text, truncated], ['', false], coding);
    }
    assert.is(await codeOf(probes.http.get(`${target.url}/rot13`)), 'protocol_error');
    assert.is(target.connections(), 1);
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

http('follows a redirect to an address that is written in UTF-8', async () => {
  const seen: string[] = [];
  const target = await httpTarget((request, response) => {
    seen.push(request.url ?? '');
    const location = Buffer.from(request.url === '/' ? '/größe' : '').toString('latin1');
    response.writeHead(location === '' ? 200 : 302, { location }).end();
  });
  const probes = openFor(target.url);
  try {
    await probes.http.get(`${target.url}/`, { maxRedirects: 1 });
    assert.equal(seen, ['/', '/gr%C3%B6%C3%9Fe']);
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

http('takes no credentials of its own along to another origin', async () => {
  const seen: [string, string | undefined][] = [];
  const target = await httpTarget((request, response) => {
    seen.push([request.url ?? '', request.headers.authorization]);
    const port = request.socket.localPort;
    const there: Record<string, string> = {
      '/same': '/end',
      '/other': `http://SHOP.localhost.:${port}/end`,
    };
    response.writeHead(302, { location: there[request.url ?? ''] ?? '' }).end();
  });
  const probes = openFor(target.url);
  try {
    for (const path of ['/same', '/other'])
      await probes.http.get(target.url + path, { maxRedirects: 1, headers: [['Authorization', 'Bearer abc']] });
    assert.equal(seen, [
      ['/same', 'Bearer abc'],
      ['/end', 'Bearer abc'],
      ['/other', 'Bearer abc'],
      ['/end', undefined],
    ]);
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

http('reads the charset of the Content-Type, and never fails on it', async () => {
  const target = await httpTarget((request, response) => {
    const charset = request.url?.slice(1);
    response.setHeader('content-type', `text/html; charset="${charset}"`).end(Buffer.from([0x66, 0xfc, 0x72]));
  });
  const probes = openFor(target.url);
  try {
    assert.is((await probes.http.get(`${target.url}/iso-8859-1`)).text, 'für');
    assert.is((await probes.http.get(`${target.url}/utf-8`)).text, 'f\ufffdr');
    assert.is((await probes.http.get(`${target.url}/no-such-thing`)).text, 'f\ufffdr');
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

http('follows as many redirects as asked for, with the method and cookies of a browser', async () => {
  const seen: string[] = [];
  const target = await httpTarget((request, response) => {
    seen.push(
      `${request.method} ${request.url} ${request.headers.cookie ?? ''} ${request.headers['content-type'] ?? ''}`.trim(),
    );
    const [, status, rest] = /^\/(\d+)(.*)$/.exec(request.url ?? '') ?? [];
    if (status)
      response.writeHead(Number(status), { location: rest || '/end', 'set-cookie': `hop${status}=1; Path=/` });
    response.end(request.url);
  });
  const probes = openFor(target.url);
  const post = (path: string, maxRedirects: number) =>
    probes.licensed('write').send({
      method: 'POST',
      url: target.url + path,
      body: 'a=b',
      headers: [['Content-Type', 'text/plain']],
      maxRedirects,
      jar: probes.http.newJar(),
    });
  try {
    const exchange = await post('/302/307/end', 5);
    assert.is(exchange.text, '/end');
    assert.equal(
      exchange.redirects.map(({ status }) => status),
      [302, 307],
    );
    assert.equal(seen, ['POST /302/307/end  text/plain', 'GET /307/end hop302=1', 'GET /end hop302=1; hop307=1']);
    seen.length = 0;
    assert.is((await post('/308/303/end', 1)).status, 303);
    assert.equal(seen, ['POST /308/303/end  text/plain', 'POST /303/end hop308=1 text/plain']);
    assert.is((await post('/302', 0)).status, 302);
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

http('shares one answer between identical safe requests, unless a fresh one or a session is wanted', async () => {
  let count = 0;
  const target = await httpTarget((request, response) => {
    count++;
    response.writeHead(request.url === '/down' ? 503 : 200).end(String(count));
  });
  const probes = openFor(target.url);
  const { http: probe } = probes;
  try {
    const same = await Promise.all([probe.get(target.url), probe.get(target.url), probe.get(target.url)]);
    assert.equal(
      same.map(({ text }) => text),
      ['1', '1', '1'],
    );
    assert.is((await probe.get(target.url, { fresh: true })).text, '2');
    assert.is((await probe.get(target.url, { jar: probe.newJar() })).text, '3');
    assert.is((await probe.get(target.url, { headers: [['X', 'y']] })).text, '4');
    const writing = probes.licensed('write');
    assert.is((await writing.send({ url: target.url, method: 'POST' })).text, '5');
    assert.is((await writing.send({ url: target.url, method: 'POST' })).text, '6');
    assert.is((await probe.get(`${target.url}/down`)).text, '7');
    assert.is((await probe.get(`${target.url}/down`)).text, '8');
    // A session that has not begun was answered as anybody is, and later.
    assert.is((await probe.get(target.url)).text, '3');
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

http('shares an answer between requests that read more or less of it, where that makes no difference', async () => {
  let count = 0;
  const target = await httpTarget((request, response) => {
    count++;
    response.end(request.url?.startsWith('/long') ? 'x'.repeat(300) : 'short');
  });
  const probes = openFor(target.url);
  const { http: probe } = probes;
  const lengthOf = async (path: string, maxBodyBytes: number) => {
    const { body, truncated } = await probe.get(target.url + path, { maxBodyBytes });
    return `${count}. ${body.length}${truncated ? ' of more' : ''}`;
  };
  try {
    assert.equal(
      [await lengthOf('', 100), await lengthOf('', 1_000), await lengthOf('', 10)],
      ['1. 5', '1. 5', '1. 5'],
    );
    const long = [await lengthOf('/long', 100), await lengthOf('/long', 1_000), await lengthOf('/long', 200)];
    assert.equal(long, ['2. 100 of more', '3. 300', '4. 200 of more']);
    const [less, more] = await Promise.all([
      probe.get(`${target.url}/long?b`, { maxBodyBytes: 50 }),
      probe.get(`${target.url}/long?b`),
    ]);
    assert.equal([less.body.length, more.body.length], [50, 300]);
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

http('shares the answers to repeatable requests that post, whatever the order of their fields', async () => {
  let count = 0;
  const target = await httpTarget((_request, response) => response.end(String(++count)));
  const probes = openFor(target.url);
  const probe = probes.licensed('write');
  const post = async (body: string, more: { fresh?: boolean } = {}, type = 'application/x-www-form-urlencoded') =>
    (
      await probe.send({
        ...{ url: target.url, method: 'POST', headers: [['content-type', type]], body, isRepeatable: true },
        ...more,
      })
    ).text;
  try {
    assert.equal([await post('a=1&b=2'), await post('b=2&a=1'), await post('a=2&b=1')], ['1', '1', '2']);
    assert.equal([await post('a=1&a=2'), await post('a=2&a=1')], ['3', '4']);
    assert.equal([await post('a=1&b=2', { fresh: true }), await post('b=2&a=1', {}, 'text/plain')], ['5', '6']);
    assert.is((await probe.get(`${target.url}/?x=1&y=2`)).text, (await probe.get(`${target.url}/?y=2&x=1`)).text);
    const unique = { isUnique: true };
    assert.is.not((await probe.get(`${target.url}/?z=1`, unique)).text, (await probe.get(`${target.url}/?z=1`)).text);
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

http('asks twice for what ends in an error of the program, and each time where the server is overloaded', async () => {
  let count = 0;
  const target = await httpTarget((request, response) => {
    count++;
    const status = request.url === '/busy' ? 503 : request.url === '/once' && count === 1 ? 500 : 200;
    response.writeHead(request.url === '/broken' ? 500 : status).end(String(count));
  });
  const probes = openFor(target.url);
  const textsOf = async (path: string) => {
    const texts: string[] = [];
    for (let index = 0; index < 4; index++) texts.push((await probes.http.get(target.url + path)).text);
    return texts;
  };
  try {
    assert.equal(await textsOf('/once'), ['1', '2', '2', '2']);
    assert.equal(await textsOf('/broken'), ['3', '4', '4', '4']);
    assert.equal(await textsOf('/busy'), ['5', '6', '7', '8']);
    assert.is((await probes.http.get(`${target.url}/broken`, { fresh: true })).text, '9');
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

http('keeps connections alive, and opens a new one for a fresh request', async () => {
  const target = await httpTarget((_request, response) => response.end('x'));
  const probes = openFor(target.url);
  try {
    for (let index = 0; index < 5; index++) await probes.http.get(`${target.url}/${index}`);
    assert.is(target.connections(), 1);
    await probes.http.get(target.url, { fresh: true });
    assert.is(target.connections(), 2);
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

http('takes no answer to the rest of a request that a server turned away for that to the next one', async () => {
  const answer = (status: string, text: string) =>
    `HTTP/1.1 ${status}\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
  const server = createNetServer((socket) => {
    let unread = false;
    socket.on('data', (bytes) => {
      const posts = bytes.toString('latin1').startsWith('POST');
      if (unread) socket.write(answer('400 Bad Request', 'no request'));
      else socket.write(posts ? answer('301 Moved', '') : answer('200 OK', 'page'));
      unread ||= posts;
    });
  });
  const target = await listen(server, 'http');
  const probes = openFor(target.url);
  const post = { method: 'POST', url: `${target.url}/a`, body: '{}' };
  try {
    assert.is((await probes.licensed('write').send(post)).status, 301);
    assert.is((await probes.http.get(`${target.url}/b`)).text, 'page');
    await probes.http.get(`${target.url}/c`);
    assert.is(target.connections(), 2);
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

http('asks again when the server closed a kept connection just then', async () => {
  let requests = 0;
  const target = await httpTarget((request, response) => {
    requests++;
    if (requests === 2) request.socket.destroy();
    else response.end(String(requests));
  });
  const probes = openFor(target.url);
  try {
    assert.is((await probes.http.get(`${target.url}/a`)).text, '1');
    assert.is((await probes.http.get(`${target.url}/b`)).text, '3');
    requests = 1;
    assert.is(await codeOf(probes.licensed('write').send({ method: 'POST', url: `${target.url}/c` })), 'unreachable');
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

const closingHead = [
  'HTTP/1.0 200 OK\r\n\r\n',
  'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 4\r\n\r\n',
];
for (const [index, head] of closingHead.entries())
  http(`asks once where a server closes after each answer, as it said in its head (${index + 1})`, async () => {
    const server = createNetServer((socket) => socket.once('data', () => socket.end(`${head}Done`)));
    const target = await listen(server, 'http');
    const probes = openFor(target.url, { share: { maxConnections: 2 } });
    try {
      await Promise.all(Array.from({ length: 40 }, (_, n) => probes.http.get(`${target.url}/${n}`)));
      assert.equal([probes.recorder.requests(), probes.requests(), target.connections()], [40, 40, 40]);
    } finally {
      await Promise.all([probes.close(), target.close()]);
    }
  });

http('does not count the wait for a free connection as time that the target takes', async () => {
  const target = await httpTarget((_request, response) => void setTimeout(() => response.end(), 400));
  const probes = openFor(target.url, { share: { maxConnections: 1 } });
  try {
    const all = Array.from({ length: 6 }, (_, index) =>
      probes.http.get(`${target.url}/${index}`, { timeoutMs: 1_500 }),
    );
    for (const { elapsedMs } of await Promise.all(all)) assert.ok(elapsedMs < 1_500, `${elapsedMs} ms`);
    assert.is(target.mostAtOnce(), 1);
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

http('sends nothing after its deadline, also when the wait for a connection was long', async () => {
  let requests = 0;
  const target = await httpTarget((_request, response) => {
    requests++;
    setTimeout(() => response.end(), 1_000);
  });
  const probes = openFor(target.url, { share: { maxConnections: 1, deadlineMs: Date.now() + 900 } });
  try {
    const codes = [1, 2, 3].map((path) => codeOf(probes.http.get(`${target.url}/${path}`, { fresh: true })));
    await Promise.all(codes.slice(1).map(async (code) => assert.is(await code, 'out_of_time')));
    assert.is(requests, 1);
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

http('reads pages behind a certificate that nobody trusts', async () => {
  const target = await httpsTarget((_request, response) => response.end('secure'));
  const probes = openFor(target.url);
  try {
    assert.is((await probes.http.get(target.url)).text, 'secure');
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

http('names why there was no answer', async () => {
  const target = await httpTarget((_request, response) => response.destroy());
  const closed = await httpTarget(() => {});
  await closed.close();
  const probes = openFor(target.url);
  const gone = openFor(closed.url);
  const unknown = openFor('http://no-such-name.invalid/', { guard: { allow: [], dnsServer: '127.0.0.1:1' } });
  const poor = openFor(target.url, { share: { maxRequests: 0 } });
  const late = openFor(target.url, { share: { deadlineMs: Date.now() - 1 } });
  try {
    assert.is(await codeOf(probes.http.get(target.url)), 'unreachable');
    assert.is(await codeOf(gone.http.get(closed.url)), 'unreachable');
    assert.is(await codeOf(unknown.http.get('http://no-such-name.invalid/')), 'dns_failed');
    assert.is(await codeOf(probes.http.get('http://elsewhere.localhost/')), 'out_of_scope');
    assert.is(await codeOf(probes.http.get(target.url.replace(/:\d+$/, ':1'))), 'out_of_scope');
    assert.is(await codeOf(probes.http.get('ftp://shop.localhost/')), 'protocol_error');
    assert.is(await codeOf(probes.http.get(target.url, { headers: [['Bad', 'a\r\nb: c']] })), 'protocol_error');
    assert.is(await codeOf(poor.http.get(target.url)), 'budget_exhausted');
    assert.is(await codeOf(late.http.get(target.url)), 'out_of_time');
    await probes.close();
    assert.is(await codeOf(probes.http.get(target.url)), 'canceled');
  } finally {
    await Promise.all([probes, gone, unknown, poor, late].map((each) => each.close()));
    await target.close();
  }
});

http('takes a closed connection for an answer where that is asked for, as long as others are answered', async () => {
  let isUp = true;
  const target = await httpTarget(({ url }, response) =>
    url === '/' && isUp ? response.end('Shop') : response.destroy(),
  );
  const [probes, later] = [openFor(target.url), openFor(target.url)];
  const fault = { url: `${target.url}/item?id='`, closingIsAnswer: true };
  try {
    assert.is(await codeOf(probes.http.get(fault.url)), 'unreachable');
    const { status, headers, text } = await probes.http.send(fault);
    assert.equal([status, headers, text], [502, [closedNote], '']);
    isUp = false;
    assert.is(await codeOf(later.http.send(fault)), 'unreachable');
    await target.close();
    assert.is(await codeOf(later.http.send(fault)), 'unreachable');
  } finally {
    await Promise.all([probes.close(), later.close(), target.close()]);
  }
});

http('closes every socket at once when the run is canceled', async () => {
  let open = 0;
  const target = await httpTarget((request) => {
    open++;
    request.socket.once('close', () => open--);
  });
  const cancel = new AbortController();
  const probes = openFor(target.url, { signal: cancel.signal });
  try {
    const waiting = Array.from({ length: 8 }, (_, index) => codeOf(probes.http.get(`${target.url}/${index}`)));
    while (open < 5) await new Promise((resolve) => setTimeout(resolve, 5));
    const startMs = performance.now();
    cancel.abort();
    assert.equal(await Promise.all(waiting), Array(8).fill('canceled'));
    while (open > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.ok(performance.now() - startMs < 500);
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

http.run();
