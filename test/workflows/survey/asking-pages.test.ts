import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { survey } from '../../../workflows/survey/crawler.ts';
import { html, json, startSite } from '../../fixtures/site.ts';
import { testBrowsers } from '../../support/browsers.ts';
import { openTestProbes } from '../support/checks.ts';

const browsers = testBrowsers();
const test = suite('pages whose script asks who is there');
test.after(() => browsers.close());

const session = 'session-of-ada-4d11';
const page = (script: string) =>
  html(
    `<h1>Cinema</h1><ul><li>Night train<li>Dust</ul><p>Guests may look around.</p><div id=me></div><script>${script}</script>`,
  );
const asking = `
  fetch('/api/session').then(async (answer) => {
    if (!answer.ok) return;
    const { id } = await answer.json();
    me.textContent = (await (await fetch('/api/people/' + id)).json()).name;
  })`;

/** Calls of a survey with a session in a cookie, after that of a visitor without one. */
async function callsOf(script: string): Promise<string[]> {
  const site = await startSite(({ path, cookies }) => {
    const isIn = cookies.sid === session;
    if (path === '/') return page(script);
    if (path === '/api/session') return isIn ? json({ id: 'a7' }) : json({}, 401);
    if (path === '/api/people/a7') return isIn ? json({ name: 'Ada' }) : json({}, 401);
    return undefined;
  });
  const signal = new AbortController().signal;
  const probes = openTestProbes(site.url, signal, browsers);
  const common = { probes, url: `${site.url}/`, startUrls: [], excludedPaths: [], observes: true, signal };
  try {
    const { explored } = await survey(common);
    const jar = probes.http.newJar();
    jar.store(`${site.url}/`, [`sid=${session}; Path=/`]);
    const identity = {
      ...{ name: 'ada', role: 'user', checkUrl: `${site.url}/api/session`, marker: 'a7' },
      ...{ jar, headers: [] as [string, string][] },
    };
    const { calls } = await survey({ ...common, identity, explored });
    return calls.map(({ url }) => new URL(url).pathname);
  } finally {
    await probes.close();
    await site.close();
  }
}

test('are used again with a session in a cookie, and what they ask for then is known', async () => {
  assert.ok((await callsOf(asking)).includes('/api/people/a7'));
});

test('are not used again where their script asks for nothing', async () => {
  assert.not((await callsOf("me.textContent = 'Welcome'")).includes('/api/people/a7'));
});

test.run();
