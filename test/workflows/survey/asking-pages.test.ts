import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ExploredPage } from '../../../workflows/model/surface.ts';
import { survey } from '../../../workflows/survey/crawler.ts';
import { html, json, startSite } from '../../fixtures/site.ts';
import { testBrowsers } from '../../support/browsers.ts';
import { further } from '../../support/further.ts';
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

/** What a survey with a session in a cookie explores of a site, which it closes. */
async function exploredInSession(site: Awaited<ReturnType<typeof startSite>>): Promise<readonly ExploredPage[]> {
  const signal = new AbortController().signal;
  const probes = openTestProbes(site.url, signal, browsers);
  const jar = probes.http.newJar();
  jar.store(`${site.url}/`, [`sid=${session}; Path=/`]);
  const identity = {
    ...{ name: 'ada', role: 'user', checkUrl: `${site.url}/`, marker: 'ales' },
    ...{ jar, headers: [] as [string, string][] },
  };
  try {
    const { explored } = await survey({
      ...{ probes, url: `${site.url}/`, startUrls: [], excludedPaths: [], observes: true, identity, signal },
    });
    return explored;
  } finally {
    await probes.close();
    await site.close();
  }
}

further(test)('that all ask for the same with a session are used again by others as far as some of them', async () => {
  const names = ['ales', 'beds', 'cups', 'dishes', 'ewers', 'forks', 'grills', 'hooks'];
  const site = await startSite(({ path }) => {
    if (path === '/api/menu') return json([]);
    if (path === '/') return html(names.map((name) => `<a href=/${name}>${name}</a>`).join(''));
    const name = path.slice(1);
    return names.includes(name) ? page(`const ${name} = fetch('/api/menu'); ${name}.catch(() => 0)`) : undefined;
  });
  const explored = await exploredInSession(site);
  assert.is(explored.length, names.length);
  assert.is(explored.filter(({ isDrawn }) => isDrawn).length, 4);
});

further(test)('whose frame one script draws are used again by others as far as some of them', async () => {
  const names = ['ales', 'beds', 'cups', 'dishes', 'ewers', 'forks'];
  const kinds = 'em b i q s u dfn kbd samp var sub sup small cite abbr mark'.split(' ');
  const frame = `document.body.insertAdjacentHTML('afterbegin', '<nav>' + '<p><b>a</b><i>b</i><u>c</u></p>'.repeat(20) + '<header><ol><li><h2>d</h2></ol></header></nav>')`;
  const site = await startSite(({ path }) => {
    if (path === '/site.js') return { headers: { 'content-type': 'text/javascript' }, body: frame };
    if (path === '/') return html(names.map((name) => `<a href=/${name}>${name}</a>`).join(''));
    const name = path.slice(1);
    const own = kinds.map((kind, at) => `<${kind} class=${name}${'abcdefghijklmnop'[at]}>x</${kind}>`).join('');
    return names.includes(name) ? html(`<p id=of-${name}>Hall</p>${own}<script src=/site.js></script>`) : undefined;
  });
  const explored = await exploredInSession(site);
  assert.is(explored.length, names.length);
  assert.is(explored.filter(({ isDrawn }) => isDrawn).length, 4);
});

further(test)('have what all of them ask for by one button asked for twice or so', async () => {
  const names = ['ales', 'beds', 'cups', 'dishes', 'ewers', 'forks', 'grills', 'hooks'];
  const asked: string[] = [];
  const site = await startSite(({ path }) => {
    asked.push(path);
    if (path === '/new') return html('<form action=/add><input name=word></form>');
    if (path === '/') return html(names.map((name) => `<a href=/${name}>${name}</a>`).join(''));
    const name = path.slice(1);
    const button =
      '<button onclick="fetch(\'/new\').then((a) => a.text()).then((t) => { w.innerHTML = t; })">New</button>';
    return names.includes(name) ? html(`${button}<p id=w></p><script>const ${name} = 1;</script>`) : undefined;
  });
  const probes = openTestProbes(site.url, new AbortController().signal, browsers);
  try {
    const { explored } = await survey({
      ...{ probes, url: `${site.url}/`, startUrls: [], excludedPaths: [], observes: true },
      signal: new AbortController().signal,
    });
    assert.is(explored.length, names.length);
    const times = asked.filter((path) => path === '/new').length;
    assert.ok(times >= 2 && times <= 5, String(times));
  } finally {
    await probes.close();
    await site.close();
  }
});

further(test)('of one script are used until some in a row have shown nothing more', async () => {
  const letters = Array.from({ length: 20 }, (_, at) => String.fromCharCode(97 + at));
  const links = letters.map((letter) => `<a href=/hall/${letter}${letter}>${letter}</a>`).join('');
  const kinds = 'em b i q s u dfn kbd samp var sub sup small cite abbr mark'.split(' ');
  const site = await startSite(({ path }) => {
    if (path === '/site.js') return { headers: { 'content-type': 'text/javascript' }, body: 'document.title += "!"' };
    const at = letters.indexOf(path.slice(-1));
    const own = kinds.map((kind, index) => `<${kind} class=${letters[at]}${index}${letters[at]}>x</${kind}>`).join('');
    const script = '<script src=/site.js></script>';
    if (path === '/') return html(links + script);
    return at < 0 ? undefined : html(`<p id=hall-${letters[at]}>Hall</p>${own}${script}`);
  });
  const signal = new AbortController().signal;
  const probes = openTestProbes(site.url, signal, browsers);
  try {
    const { explored, omitted } = await survey({
      ...{ probes, url: `${site.url}/`, startUrls: [], excludedPaths: [], observes: true, signal },
    });
    assert.ok(explored.length >= 12 && explored.length <= 16, String(explored.length));
    assert.ok(omitted.some(({ code }) => code === 'alike'));
  } finally {
    await probes.close();
    await site.close();
  }
});

test.run();
