import type { AddressInfo } from 'node:net';
import express from 'express';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Severity } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { ssrf } from '../../../../workflows/checks/injection/ssrf.check.ts';
import { firstRows, further } from '../../../support/further.ts';
import { places, runOn } from '../harness.ts';

const test = suite('injection.ssrf');

type Options = {
  /** What may be fetched. */
  allows: (url: URL) => boolean;
  show?: (text: string) => string;
  parameter?: string;
  answer?: (given: string) => string;
  /** What it says to what it does not fetch. */
  refusal?: string;
  pages?: { about: string; desk: string };
  /** What a link of the site has for a value. */
  sample?: string;
  /** The site has a form for the value, with a field of this type. */
  field?: string;
  /** Written in an address, it is refused before that is read. */
  lists?: RegExp;
};

const about = '<!doctype html><title>About</title><p>Our workshop has restored oak furniture since nineteen eighty';
const admin = '<!doctype html><title>Desk</title><p>Orders of today that are waiting for the carrier: three lamps';

/** Pages of a few words. */
const small = { about: '<!doctype html><h1>About us</h1><p>We sell oak lamps', desk: '<h1>Orders today</h1>' };

async function result({
  allows,
  show = (text) => text,
  parameter = 'url',
  answer,
  refusal = 'Not an address of ours',
  pages = { about, desk: admin },
  sample = '/news',
  field,
  lists,
}: Options) {
  const app = express();
  app.get('/', (_request, response) => {
    const preview = field
      ? `<form action="/preview"><input type="${field}" name="${parameter}"><button>Preview</button></form>`
      : `<a href="/preview?${parameter}=${encodeURIComponent(sample)}">Preview</a>`;
    response.send(`<a href="/about">About</a><a href="/desk">Desk</a>${preview}`);
  });
  app.get('/about', (_request, response) => void response.send(pages.about));
  app.get('/desk', ({ headers }, response) => {
    const isLocal = /^(?:127\.|localhost|\[::1\])/.test(headers.host ?? '');
    response.status(isLocal ? 200 : 403).send(isLocal ? pages.desk : 'Forbidden');
  });
  app.get('/preview', async ({ query }, response) => {
    const given = String(query[parameter]);
    if (answer) return void response.send(answer(given));
    const url = URL.parse(given);
    if (lists?.test(given) || !url || !/^http/.test(url.protocol) || !allows(url)) return void response.send(refusal);
    const text = await fetch(url, { redirect: 'error' })
      .then((got) => got.text())
      .catch(() => 'unreachable');
    response.send(show(text));
  });
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    return await runOn(`http://shop.localhost:${(server.address() as AddressInfo).port}`, ssrf);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const vulnerable: Record<string, Options> = {
  'any address': { allows: () => true },
  'any but two spellings of loopback': { allows: ({ host }) => !/^(?:127\.0\.0\.1|localhost|\[::1\])/.test(host) },
  'any but most spellings of loopback': {
    allows: ({ host }) => /^(?:0\.0\.0\.0|\[::\]|\[::ffff:7f00:1\])/.test(host),
  },
  'any address of a site with short texts': { allows: () => true, pages: small },
  'any address with the site’s name in it': { allows: ({ href }) => href.includes('shop.localhost') },
  'any address with a name in it that the refusal names': {
    allows: ({ href }) => href.includes('pictures.quay.example'),
    refusal: '<p>Only pictures.quay.example is supported, see help.html',
  },
  'any address, of which a page in JSON is made': { allows: () => true, show: (text) => JSON.stringify({ text }) },
};

for (const [what, options] of firstRows(Object.entries(vulnerable), 2))
  test(`a preview of ${what} is found`, async () => {
    const found = await result(options);
    assert.equal([found.outcome.kind, places(found)], ['found', ['GET /preview url']], found.outcome.reason);
  });

for (const [redirect, expected] of [
  ['follow', ['found', ['GET /check page']]],
  ['error', ['clean', []]],
] as const)
  test(`what takes own places only and has redirects ${redirect === 'follow' ? 'followed is found' : 'refused is clean'}`, async () => {
    const app = express();
    app.get('/', (_request, response) => {
      response.send(
        '<a href="/about">About</a><a href="/orders">Orders</a><a href="/check?page=/about">Check</a><a href="/out?to=/about">Out</a>',
      );
    });
    app.get('/about', (_request, response) => void response.send(about));
    app.get('/orders', (_request, response) => void response.send(admin));
    app.get('/out', ({ query }, response) => response.redirect(String(query.to)));
    app.get('/check', async ({ query, socket: { localPort } }, response) => {
      const page = String(query.page);
      if (!/^\/(?!\/)/.test(page) || page.includes('@')) return void response.send('Only places of ours');
      const text = await fetch(`http://127.0.0.1:${localPort}${page}`, { redirect })
        .then((got) => got.text())
        .catch(() => 'unreachable');
      response.type('text').send(text);
    });
    const server = app.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    try {
      const found = await runOn(`http://shop.localhost:${(server.address() as AddressInfo).port}`, ssrf);
      assert.equal([found.outcome.kind, places(found)], expected, found.outcome.reason);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

test('a page that is refused to visitors, and shown by way of the server, is graver', async () => {
  const found = await result({ allows: () => true });
  assert.is(found.findings[0]?.severity, Severity.HIGH);
  assert.match(found.findings[0]?.description ?? '', /\/desk, which is refused to visitors/);
});

const clean: Record<string, Options> = {
  'addresses of a list, which has the site itself': { allows: ({ hostname }) => hostname === 'shop.localhost' },
  'addresses of a host that the refusal names': {
    allows: ({ hostname }) => hostname === 'pictures.quay.example',
    refusal: '<p>Only pictures.quay.example is supported',
  },
  'addresses that are repeated': {
    allows: () => false,
    answer: (given) => `<iframe src="${given.replaceAll('"', '')}"></iframe>`,
  },
  'names that show a page of the site': {
    allows: () => false,
    answer: (given) => (/\/about$/.test(given) ? about : 'none'),
  },
  'addresses of a list, on a site with short texts': {
    allows: ({ hostname }) => hostname === 'shop.localhost',
    pages: small,
  },
  'names that show a page with short texts': {
    allows: () => false,
    answer: (given) => (/\/about$/.test(given) ? small.about : 'none'),
    pages: small,
  },
  'anything, with one and the same text': { allows: () => false, answer: () => about },
};

for (const [what, options] of firstRows(Object.entries(clean), 2))
  test(`a preview of ${what} is clean`, async () => {
    const found = await result(options);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
  });

further(test)(
  'a list of refused hosts is got past, though it answers in the words for what is no address',
  async () => {
    // The words for a loopback address, as it stands in the list, are those for a word.
    const refusal = 'Not an address of ours';
    const found = await result({
      parameter: 'link',
      sample: '',
      lists: /localhost|127\.0\.0\.1|0\.0\.0\.0|\[/,
      allows: () => true,
      refusal,
    });
    assert.equal(places(found), ['GET /preview link']);
    const mended = await result({
      parameter: 'link',
      sample: '',
      allows: ({ hostname }) => hostname === 'partner.example',
      refusal,
    });
    assert.equal(places(mended), []);
  },
);

further(test)(
  'a field for addresses is one whatever it is called, and a list of refused hosts is got past',
  async () => {
    const options: Options = {
      ...{ parameter: 'place', field: 'url', lists: /localhost|127\.0\.0\.1|0\.0\.0\.0|\[/ },
      allows: () => true,
    };
    assert.equal(places(await result(options)), ['GET /preview place']);
    assert.equal(places(await result({ ...options, allows: ({ hostname }) => hostname === 'partner.example' })), []);
  },
);

test.run();
