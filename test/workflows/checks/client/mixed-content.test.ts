import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mixedContent } from '../../../../workflows/checks/client/mixed-content.check.ts';
import type { BrowserPool } from '../../../../workflows/probe/browser/launch.ts';
import { type Answer, type Handler, html, startSite } from '../../../fixtures/site.ts';
import { firstRows, further, usualRows } from '../../../support/further.ts';
import { certificateFor } from '../../probe/support.ts';
import { places, runOn, testBrowsers } from '../harness.ts';

const test = suite<{ browsers: BrowserPool; tls: { key: string; cert: string } }>('client.mixed-content');
test.before(async (context) => {
  context.browsers = testBrowsers();
  context.tls = await certificateFor('shop.localhost');
});
test.after(({ browsers }) => browsers.close());

type World = { browsers?: BrowserPool; tls?: { key: string; cert: string } };

async function result({ browsers, tls }: World, handler: Handler) {
  const site = await startSite(handler, tls ? { tls } : {});
  try {
    return await runOn(site.url, mixedContent, browsers ? { browsers } : {});
  } finally {
    await site.close();
  }
}

const home =
  (content: string, headers = {}): Handler =>
  ({ path }) =>
    path === '/' ? html(content, 200, headers) : undefined;

const mixed: Record<string, string> = {
  'a script': '<script src="http://cdn.example/x.js?a=1&amp;b=2"></script>',
  'a style': '<link rel="preload stylesheet" href=http://cdn.example/x.css>',
  'a path below a base': '<base target=_top><base href="http://cdn.example/"><script src="x.js"></script>',
  'an embedded document': '<embed type="text/html" src="http://maps.example/e">',
  'an imported style': '<style>/* @import "a.css" */ @import url( "http://cdn.example/x.css" ) screen;</style><p>x</p>',
  'a font that is used':
    '<style>@font-face { font-family: F; src: local(F), url(http://cdn.example/f.woff2) } p { font-family: F }</style><p>x</p>',
  'a frame': '<iframe title="map" src="http://maps.example/"></iframe>',
};

for (const [what, content] of usualRows(mixed, ['a script'])) {
  further(test)(`${what} over http in a page over HTTPS is found`, async ({ browsers, tls }) => {
    const found = await result({ browsers, tls }, home(content));
    assert.equal([found.outcome.kind, places(found)], ['found', ['GET /']], found.outcome.reason);
  });
}

const css = (body: string): Answer => ({ headers: { 'content-type': 'text/css; charset=utf-8' }, body });
const styled =
  (sheets: Record<string, string>, type = css): Handler =>
  ({ path }) =>
    path === '/'
      ? html('<link rel="stylesheet" href="/site.css"><p>x</p>')
      : sheets[path] === undefined
        ? undefined
        : type(sheets[path]);

const mixedSheets: Record<string, Record<string, string>> = {
  'a font of a linked sheet': {
    '/site.css': '@font-face { font-family: F; src: url(http://cdn.example/f.woff2) } p { font-family: F }',
  },
  'what a sheet imports': { '/site.css': '@import url("http://cdn.example/x.css");' },
  'what an imported sheet imports': {
    '/site.css': '@import "theme/a.css";',
    '/theme/a.css': '@import "http://cdn.example/x.css";',
  },
};

for (const [what, sheets] of firstRows(Object.entries(mixedSheets), 1)) {
  test(`${what} over http is found, and the sheet is named`, async ({ browsers, tls }) => {
    const found = await result({ browsers, tls }, styled(sheets));
    assert.equal([found.outcome.kind, places(found)], ['found', ['GET /']], found.outcome.reason);
    assert.match(found.findings[0]?.description ?? '', /style sheet https:\S+\.css of the page wants to load http:/);
  });
}

const harmlessSheets: Record<string, Handler> = {
  'pictures of a linked sheet': styled({ '/site.css': 'p { background: url(http://img.example/a.png) }' }),
  'a sheet that imports itself': styled({ '/site.css': '@import "site.css";' }),
  'a sheet that is not sent as one': styled({ '/site.css': '@import "http://cdn.example/x.css";' }, (text) =>
    html(text),
  ),
};

for (const [what, handler] of firstRows(Object.entries(harmlessSheets), 1)) {
  test(`a page with ${what} is clean`, async ({ browsers, tls }) => {
    const found = await result({ browsers, tls }, handler);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
  });
}

further(test)('what the layout repeats on every page is one place', async ({ browsers, tls }) => {
  const found = await result({ browsers, tls }, ({ path }) =>
    /^\/[ab]?$/.test(path) ? html(`<a href="/a">a</a><a href="/b">b</a>${mixed['a script']}`) : undefined,
  );
  assert.equal([found.findings.length, found.findings[0]?.locations?.length], [1, 1]);
});

const fine: Record<string, [string, Record<string, string>?]> = {
  'pictures, which browsers ask for over https': ['<img src="http://img.example/a.png">'],
  'links to pages over http': [
    '<a href="http://shop.example/">shop</a><link rel="canonical" href="http://shop.example/">',
  ],
  'pictures of a style': ['<style>p { background: url(http://img.example/a.png) }</style><p>x</p>'],
  'an import that was removed': ['<style>/* @import "http://cdn.example/x.css"; */</style>'],
  'a script in a comment': [`<!-- ${mixed['a script']} -->`],
  'a script in a template': [`<template>${mixed['a script']}</template>`],
  'a script that its policy upgrades': [
    mixed['a script'] ?? '',
    { 'content-security-policy': 'upgrade-insecure-requests' },
  ],
  'data in a script element': ['<script type="application/json" src="http://cdn.example/x.json"></script>'],
};

for (const [what, [content, headers]] of usualRows(fine, [
  'pictures, which browsers ask for over https',
  'a script in a comment',
  'a script that its policy upgrades',
])) {
  test(`a page with ${what} is clean`, async ({ browsers, tls }) => {
    const found = await result({ browsers, tls }, home(content, headers));
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
  });
}

test('a site over http has nothing to look at, and without a browser a suspicion is not run', async ({ tls }) => {
  const plain = await result({}, home(mixed['a script'] ?? ''));
  const without = await result({ tls }, home(mixed['a script'] ?? ''));
  assert.equal([plain.outcome.kind, without.outcome.kind], ['not-applicable', 'not-run']);
});

test.run();
