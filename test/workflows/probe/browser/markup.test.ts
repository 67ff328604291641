import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { testBrowsers } from '../../../support/browsers.ts';
import { httpTarget, openFor } from '../support.ts';

const mebibyte = 1024 * 1024;
const maxGrowthMiB = 64;
const browsers = testBrowsers();
const markup = suite('the markup of a page');

markup.after(() => browsers.close());

/** The instruments' view of one page, and how far this process grew over it. */
async function visit(body: string) {
  const target = await httpTarget((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(body),
  );
  const probes = openFor(target.url, { browsers });
  // What a first visit needs once is no growth.
  await browsers.browser();
  const before = process.memoryUsage.rss();
  let most = before;
  const sampler = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 5);
  try {
    const result = await probes.browser.visit({ url: `${target.url}/`, timeoutMs: 30_000 });
    return { ...result, grownMiB: (most - before) / mebibyte };
  } finally {
    clearInterval(sampler);
    await Promise.all([probes.close(), target.close()]);
  }
}

markup('is what script has made of it, with its document type', async () => {
  const { html, title } = await visit(
    '<!doctype html><title>before</title><body><script>document.title = "after"; document.body.append("made")</script>',
  );
  assert.is(title, 'after');
  assert.match(html, /^<!DOCTYPE html>\s*<html><head>/i);
  assert.match(html, 'made</body></html>');
});

markup('of a page that blows itself up is cut before it comes here', async () => {
  const { html, title, grownMiB } = await visit(`<title>x</title><body hidden><script>
    document.title = 'y'.repeat(4 * 1024 * 1024);
    document.body.append('z'.repeat(40 * 1024 * 1024));</script>`);
  assert.is(html.length, mebibyte);
  assert.is(title.length, 4096);
  assert.ok(grownMiB <= maxGrowthMiB, `grew by ${grownMiB} MiB`);
});

markup('cannot be replaced by the page', async () => {
  const { html, title } = await visit(`<title>real</title><p>here</p><script>
    Object.defineProperty(Element.prototype, 'outerHTML', { get: () => 'forged' });
    Object.defineProperty(Document.prototype, 'title', { get: () => 'forged' });
    String.prototype.slice = () => 'forged';</script>`);
  assert.is(title, 'real');
  assert.match(html, '<p>here</p>');
});

markup.run();
