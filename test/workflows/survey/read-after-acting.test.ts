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

/** Asks for who is there, and for settings as they are called; once somebody has logged in again, by more names. */
const asks = (names: string) =>
  `fetch(['', 'api', 'me?include=roles'].join('/')); fetch(['', 'api', 'settings?group=${names}'].join('/'));`;

const door = `<title>Harbour</title><div id=app></div><a href=/quay>Quay</a><script>
  ${asks('a')}
  app.innerHTML = '<form method=post><input name=user><input type=password name=pass><button>Sign in</button></form>';
  app.firstChild.onsubmit = (event) => {
    event.preventDefault();
    fetch('/api/door', { method: 'POST', body: new URLSearchParams(new FormData(app.firstChild)) }).finally(() => { ${asks('a,b')} });
  };</script>`;
const quay = `<title>Quay</title><p id=q></p><script>${asks('c')} q.textContent = 'Quay';</script>`;

test('is no form where the page of a login asks for it as it opens, and is asked for by other pages', async () => {
  const { forms, asked } = await surveyOf(
    (path) => {
      if (path.startsWith('/api/')) return { type: 'application/json', status: 403, body: '{"who":null}' };
      if (path === '/robots.txt' || path === '/sitemap.xml') return { status: 404 };
      return path === '/quay' ? quay : door;
    },
    { observes: true },
    { browsers },
  );
  assert.ok(asked.includes('GET /api/settings?group=c'), asked.join('\n'));
  assert.equal(
    forms.filter(({ action }) => /\/api\/(?:me|settings)$/.test(action)),
    [],
  );
});

test.run();
