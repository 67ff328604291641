import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ways } from '../../fixtures/ways-to-link/ways.ts';
import { testBrowsers } from '../../support/browsers.ts';
import { firstOfKinds } from '../../support/further.ts';
import { surveyOf } from '../probe/survey-site.ts';

const test = suite('ways to link');
/** A dozen of each kind; in `npm run test:long` all. */
const some = firstOfKinds(ways, ({ target }) => target.split('/')[2], 12);

test(`are ${some.length}, and the survey follows them`, async () => {
  const browsers = testBrowsers();
  const menu = [...new Set(some.map(({ path }) => path))].map((path) => `<a href="${path}">x</a>`).join('');
  const files = new Map(some.flatMap((way) => Object.entries(way.files ?? {})));
  const pages = Map.groupBy(some, ({ path }) => path);
  try {
    const {
      asked,
      pages: seen,
      calls,
      forms,
    } = await surveyOf(
      (path, { host }) => {
        const withHost = (text: string) => text.replaceAll('‹host›', host);
        if (path === '/') return menu;
        const file = files.get(path);
        if (file) return { type: file.type, body: withHost(file.body) };
        const [way, ...beside] = pages.get(path) ?? [];
        const html = [way, ...beside].map((each) => each?.html ?? '').join('\n');
        if (way) return { type: 'text/html', body: withHost(html), headers: way.headers ?? {} };
        return path.startsWith('/found/') ? `<p>${path}</p>` : { status: 404 };
      },
      { observes: true },
      // What is followed is meant here, and not how fast.
      { browsers, share: { deadlineMs: Date.now() + 240_000 } },
    );
    const known = new Set(
      [
        ...asked.map((line) => `http://x${line.replace(/^\S+ /, '')}`),
        ...seen.map(({ url }) => url),
        ...calls.map(({ url }) => url),
        ...forms.map(({ action }) => action),
      ].map((url) => new URL(url).pathname),
    );
    const unknown = some.filter(({ target }) => !known.has(target)).map(({ name }) => name);
    console.log(`    ${some.length - unknown.length} of ${some.length} ways`);
    assert.equal(unknown, []);
  } finally {
    await browsers.close();
  }
});

test.run();
