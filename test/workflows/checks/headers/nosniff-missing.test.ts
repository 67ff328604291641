import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nosniffMissing } from '../../../../workflows/checks/headers/parts/nosniff-missing.ts';
import { type Answer, type Handler, html, redirect, startSite } from '../../../fixtures/site.ts';
import { places, runOn } from '../harness.ts';

const test = suite('headers.nosniff-missing');

async function result(handler: Handler) {
  const site = await startSite(handler);
  try {
    return await runOn(site.url, nosniffMissing);
  } finally {
    await site.close();
  }
}

const name = 'X-Content-Type-Options';
const locations = ({ findings }: Awaited<ReturnType<typeof result>>) =>
  findings.flatMap(({ locations }) => locations ?? []).map(({ url = '' }) => new URL(url).pathname);

const script: Answer = { headers: { 'content-type': 'text/javascript' }, body: 'let answer = 42;' };

/** Pages by one program, files by another, as most sites are built. */
const twoServers =
  (ofPages: Record<string, string>, ofFiles: Record<string, string>): Handler =>
  ({ path }) => {
    if (path === '/') return html('<a href="/about">About</a><script src="/app.js"></script>', 200, ofPages);
    if (path === '/about') return html('<p>About</p>', 200, ofPages);
    return path === '/app.js' ? { ...script, headers: { ...script.headers, ...ofFiles } } : undefined;
  };

test('a site without it is one finding, whose places are a page and a script', async () => {
  const found = await result(twoServers({}, {}));
  assert.equal([found.outcome.kind, places(found)], ['found', ['GET / X-Content-Type-Options']]);
  assert.equal(locations(found), ['/', '/app.js']);
});

test('a site that has it with its pages only is found by its files', async () => {
  assert.equal(locations(await result(twoServers({ [name]: 'nosniff' }, {}))), ['/app.js']);
});

test('a site that has it with its files only is found by its pages', async () => {
  assert.equal(locations(await result(twoServers({}, { [name]: 'nosniff' }))), ['/']);
});

test('a site that has it everywhere is clean', async () => {
  const found = await result(twoServers({ [name]: 'nosniff' }, { [name]: 'nosniff' }));
  assert.equal([found.outcome.kind, found.findings.length], ['clean', 0]);
});

const sending = (value: string | string[]) => () => html('hello', 200, { [name]: value });

for (const value of ['no-sniff', 'sniff', '', '"nosniff"', 'nosniff; always', 'none, nosniff']) {
  test(`"${value}", which browsers do not know, is found`, async () => {
    assert.is((await result(sending(value))).outcome.kind, 'found');
  });
}

for (const value of ['NoSniff', ' nosniff ', 'nosniff, nosniff', 'nosniff,SAMEORIGIN', ['nosniff', 'nosniff']]) {
  test(`${JSON.stringify(value)}, which browsers understand, is clean`, async () => {
    assert.is((await result(sending(value))).outcome.kind, 'clean');
  });
}

test('an absence that was gone at the second look is not reported', async () => {
  let requests = 0;
  const found = await result(({ path }) =>
    path === '/' ? html('hello', 200, requests++ < 2 ? {} : { [name]: 'nosniff' }) : undefined,
  );
  assert.equal([found.outcome.kind, found.outcome.refuted], ['clean', 1]);
});

test('a site of redirects and errors alone has nothing to look at', async () => {
  const kinds = [
    await result(() => html('down', 503)),
    await result(({ path }) => (path === '/' ? redirect('https://elsewhere.example/') : undefined)),
  ].map(({ outcome }) => outcome.kind);
  assert.equal(kinds, ['not-applicable', 'not-applicable']);
});

test.run();
