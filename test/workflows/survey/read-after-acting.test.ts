import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { testBrowsers } from '../../support/browsers.ts';
import { type Site, surveyOf } from '../probe/survey-site.ts';

const browsers = testBrowsers();
const test = suite('a list that is read again after something was done');
test.after(() => browsers.close());

/** The first page reads the list when its button is pressed; the other one, which only its script leads to, by `script`. */
const site =
  (button: string, script: string): Site =>
  (path) => {
    if (path.startsWith('/api/')) return { type: 'application/json', body: '{"berths":[]}' };
    if (path === '/robots.txt' || path === '/sitemap.xml') return { status: 404 };
    if (path === '/later') return `<title>Berths</title><p id=list></p><script>${script}</script>`;
    return `<title>Harbour</title><div id=app></div><script>
      app.innerHTML = '<button>${button}</button><a href=/later>Berths</a>';
      app.firstChild.onclick = () => fetch(['', 'api', 'berths?sortBy=name'].join('/'));</script>`;
  };

async function inputsOf(button: string, script: string): Promise<{ inputs: string[]; skipped: string[] }> {
  const { inputs, skipped } = await surveyOf(site(button, script), { observes: true }, { browsers });
  return {
    inputs: inputs.flatMap(({ url, parameter }) => (new URL(url).pathname === '/api/berths' ? parameter : [])),
    skipped: skipped.flatMap(({ url }) => (url.includes('/api/berths') ? new URL(url).pathname : [])),
  };
}

test('is an input where another page reads it by itself, whichever comes first', async () => {
  const read = "fetch(['', 'api', 'berths?sortBy=name'].join('/'))";
  assert.equal(await inputsOf('Delete', read), { inputs: ['sortBy'], skipped: [] });
});

test('is left out where only a control that acts leads to it', async () => {
  assert.equal(await inputsOf('Delete', ''), { inputs: [], skipped: ['/api/berths'] });
});

test.run();
