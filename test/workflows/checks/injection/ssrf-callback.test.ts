import { request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Severity } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { ssrf } from '../../../../workflows/checks/injection/ssrf.check.ts';
import { startCallbacks, type TestCallbacks } from '../../../fixtures/callbacks.ts';
import { type Handler, html, startSite } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { check, openAudit, places, stored } from '../harness.ts';

const test = suite('injection.ssrf by callback');
let callbacks: TestCallbacks;
test.before(async () => {
  callbacks = await startCallbacks();
});
test.after(() => callbacks.close());

async function result(handler: Handler) {
  const site = await startSite(handler);
  const audit = await openAudit(site.url, { callbacks: callbacks.probe });
  try {
    return await check(audit, ssrf);
  } finally {
    await audit.close();
    await site.close();
  }
}

/** A page that does something with an address and shows nothing of what it got. */
const blind =
  (use: (given: string) => void, sample = '/news', parameter = 'url'): Handler =>
  ({ path, query }) => {
    if (path === '/') return html(`<a href="/ping?${parameter}=${encodeURIComponent(sample)}">Ping</a>`);
    if (path !== '/ping') return undefined;
    use(query.get(parameter) ?? '');
    return html('Queued');
  };

const fetchBlindly = (url: string): void => void fetch(url, { method: 'POST' }).catch(() => {});

/** As clients of the C library do: no parser of URLs in between. */
const fetchByParts = (given: string): void => {
  const [, host = '', port = '80', path = '/'] =
    /^(?:http:)?\/\/(?:[^/@]*@)?([^/:?]+)(?::(\d+))?(.*)$/.exec(given) ?? [];
  ask({ host, port, path }, (answer) => answer.resume())
    .on('error', () => {})
    .end();
};

const vulnerable: Record<string, Handler> = {
  'any but two spellings of an address': blind((given) => {
    if (!/127\.0\.0\.1|localhost/.test(given)) fetchByParts(given);
  }, 'http://news.example/feed'),
  'any address that is posted to, and not shown': blind(fetchBlindly),
  'any address, in an input whose name says nothing of one': blind(fetchBlindly, 'lamp', 'text'),
  'any address of markup that a document is made of': blind(
    (given) => {
      const [, src] = /<img src="([^"]*)"/.exec(given) ?? [];
      if (src !== undefined && URL.canParse(src)) fetchBlindly(src);
    },
    '<p>Dear Sir</p>',
    'text',
  ),
  'a host that stands behind a scheme, in a field that is empty': blind(
    (host) => fetchBlindly(`http://${host}/status`),
    '',
    'host',
  ),
  'a host that stands behind a scheme, where the site names one by its number': blind(
    (host) => fetchBlindly(`http://${host}/status`),
    '192.0.2.7',
    'machine',
  ),
  'addresses that end as those of pictures do': blind(
    (given) => given.endsWith('.png') && fetchBlindly(given),
    'http://static.example/a.png',
  ),
  'addresses without a scheme alone': blind(
    (given) => given.startsWith('//') && fetchByParts(given),
    '//static.example/a',
  ),
  'addresses that begin with a host of a list': blind(
    (given) => given.startsWith('http://static.example') && fetchByParts(given),
    'http://static.example/a.png',
  ),
};

const usualVulnerable = firstRows(Object.entries(vulnerable), 1);
for (const [what, handler] of usualVulnerable)
  test(`${what} is found`, async () => {
    const found = await started(handler);
    assert.equal([found.outcome.kind, places(found).length], ['found', 1], found.outcome.reason);
    assert.match(places(found)[0] ?? '', /^GET \/ping (?:url|text|host|machine)$/);
    assert.is(found.findings[0]?.severity, Severity.MEDIUM);
    assert.match(stored(found), /callback:protocols/);
    assert.match(found.findings[0]?.proof?.curl ?? '', /listener of yours/);
  });

further(test)(
  'an address that is shown only after a redirect to the server itself is found by way of the listener',
  async () => {
    const app = express();
    app.get('/', (_request, response) => {
      response.send('<a href="/about">About</a><a href="/view?page=%2Fnews">View</a>');
    });
    app.get('/about', (_request, response) => {
      response.send('<!doctype html><p>Our workshop has restored oak furniture since nineteen eighty');
    });
    app.get('/view', async ({ query }, response) => {
      const given = URL.parse(String(query.page));
      const isInside = /^(?:127|localhost|\[|0\.|2130|::)/i.test(given?.hostname ?? 'localhost');
      // The listener of this test stands on loopback itself.
      if (!given || (isInside && given.port !== new URL(`http://${callbacks.probe.host}`).port))
        return void response.send('No');
      const text = await fetch(given)
        .then((answer) => answer.text())
        .catch(() => 'Not there');
      response.send(text);
    });
    const server = app.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const audit = await openAudit(`http://shop.localhost:${(server.address() as AddressInfo).port}`, {
      callbacks: callbacks.probe,
    });
    try {
      const found = await check(audit, ssrf);
      assert.equal([found.outcome.kind, places(found)], ['found', ['GET /view page']], found.outcome.reason);
      assert.match(stored(found), /oak furniture/);
    } finally {
      await audit.close();
      server.closeAllConnections();
      server.close();
    }
  },
);

/** A reader of the site's own feeds, which shows no more than that one came, beside a place that leads on to any address. */
const ownFeeds =
  (redirect: 'follow' | 'error'): Handler =>
  ({ path, query, headers }) => {
    const own = `http://${headers.host}`;
    if (path === '/')
      return html(
        `<a href="/read?feed=${encodeURIComponent(`${own}/city.xml`)}">City</a><a href="/go?to=https%3A%2F%2Fpartner.example%2F">Partner</a>`,
      );
    if (path === '/go') return { status: 302, headers: { location: query.get('to') ?? '/' } };
    if (path !== '/read') return undefined;
    const feed = URL.parse(query.get('feed') ?? '');
    if (feed?.origin !== own) return html('Own feeds only', 400);
    // Programs resolve the names of tests by no name server.
    void fetch(feed.href.replace('shop.localhost', '127.0.0.1'), { redirect }).catch(() => {});
    return html('Queued');
  };

test('what fetches own places alone calls where one of them leads on to', async () => {
  const found = await result(ownFeeds('follow'));
  assert.equal([found.outcome.kind, places(found)], ['found', ['GET /read feed']], found.outcome.reason);
  const mended = await result(ownFeeds('error'));
  assert.equal([mended.outcome.kind, places(mended)], ['clean', []], mended.outcome.reason);
});

const clean: Record<string, Handler> = {
  'markup that is shown, and of which nothing is loaded': blind(() => {}, '<p>Dear Sir</p>', 'text'),
  'pictures of one host': blind((given) => {
    const url = URL.parse(given);
    if (url?.host === 'static.example' && url.pathname.endsWith('.png')) fetchBlindly(given);
  }, 'http://static.example/a.png'),
  'addresses of a list': blind((given) => {
    if (URL.parse(given)?.host === 'static.example') fetchBlindly(given);
  }),
  'addresses that are stored and not fetched': blind(() => {}),
  'every word of a text, with or without a scheme': blind((given) => {
    const [word] = /[a-z2-7]{48}/.exec(given) ?? [];
    if (word) fetchBlindly(`http://${callbacks.probe.host}/${word}`);
  }),
};

const usualClean = firstRows(Object.entries(clean), 1);
for (const [what, handler] of usualClean)
  test(`a server of ${what} is clean`, async () => {
    const found = await started(handler);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
  });

/** Each waits for callbacks, most of the time: so all begin at once. */
const results = new Map<Handler, ReturnType<typeof result>>();
test.before(() => {
  for (const [, handler] of [...usualVulnerable, ...usualClean]) results.set(handler, result(handler));
});
const started = (handler: Handler) => results.get(handler) ?? result(handler);

test.run();
