import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { packedSitemap } from '../../../workflows/survey/packed-sitemap.ts';
import { surveyOf } from '../probe/survey-site.ts';

const test = suite('a packed sitemap');

test('is followed from robots.txt, over its index, to pages of XML and of plain text', async () => {
  const packed = (text: string) => ({ type: 'application/gzip', body: gzipSync(text) });
  const { pages } = await surveyOf((path, { origin }) => {
    if (path === '/robots.txt') return { type: 'text/plain', body: 'Sitemap: /maps/all.xml.gz' };
    if (path === '/maps/all.xml.gz')
      return packed(
        `<?xml version="1.0"?><sitemapindex><sitemap><loc>${origin}/maps/one.xml.gz</loc></sitemap><sitemap><loc>${origin}/maps/two.txt.gz</loc></sitemap></sitemapindex>`,
      );
    if (path === '/maps/one.xml.gz') return packed(`<urlset><url><loc>${origin}/first?layer=1</loc></url></urlset>`);
    if (path === '/maps/two.txt.gz') return packed(`${origin}/second\n${origin}/third\n`);
    return /^\/(?:first|second|third)?$/.test(path) ? `<p>${path}</p>` : { status: 404 };
  });
  const seen = pages.map(({ url }) => new URL(url)).map(({ pathname, search }) => pathname + search);
  for (const path of ['/first?layer=1', '/second', '/third'])
    assert.ok(seen.includes(path), `${path}: ${seen.join(' ')}`);
});

test('is no other packed file, and none that is broken', () => {
  assert.is(packedSitemap({ body: gzipSync('CREATE TABLE users') }), undefined);
  assert.is(packedSitemap({ body: Buffer.from([0x1f, 0x8b, 1, 2, 3]) }), undefined);
  assert.is(packedSitemap({ body: Buffer.from('<urlset/>') }), undefined);
});

test.run();
