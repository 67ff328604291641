import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { survey } from '../../../workflows/survey/crawler.ts';
import { testBrowsers } from '../../support/browsers.ts';
import { httpTarget, openFor } from '../probe/support.ts';

const browsers = testBrowsers();
const test = suite('a page that gave the browser no answer in time');
test.after(() => browsers.close());

test('is used once more, alone', async () => {
  let asked = 0;
  const target = await httpTarget(({ url, headers }, response) => {
    const isBrowser = headers['sec-fetch-mode'] === 'navigate';
    if (url === '/' && isBrowser && ++asked === 1) return;
    response.setHeader('content-type', 'text/html');
    response.statusCode = url === '/' || url?.startsWith('/api/') ? 200 : 404;
    response.end(url === '/' ? '<p>Board</p><script>fetch("/api/notes")</script>' : '');
  });
  const probes = openFor(target.url, { browsers });
  const { signal } = new AbortController();
  const look = survey({ probes, url: target.url, startUrls: [], excludedPaths: [], signal });
  const surface = await look.finally(() => Promise.all([probes.close(), target.close()]));
  assert.is(asked, 2);
  assert.ok(surface.calls.some(({ url }) => url.endsWith('/api/notes')));
  assert.equal(surface.omitted, []);
});

test.run();
