import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { watchStored } from '../../../workflows/observation/stored-watch.ts';
import { type Answer, escapeHtml, html, startSite } from '../../fixtures/site.ts';
import { openAudit } from '../checks/harness.ts';

const test = suite('what turns up as stored later');

const headers: [string, string][] = [['Content-Type', 'application/x-www-form-urlencoded']];

/** Sends texts to forms of a search that keeps the last one for all, and says which forms were stopped. */
async function stopped(bodies: readonly (readonly [path: string, body: string])[], read = '/'): Promise<string[]> {
  let last = '';
  const site = await startSite(({ method, path, body, query }) => {
    if (method === 'POST') {
      const sent = new URLSearchParams(body).get('q') ?? '';
      if (path.startsWith('/look')) last = sent;
      return html(`<p>Nothing for ${escapeHtml(sent)}</p>`);
    }
    return html(
      `<form method="post" action="/look" role="search"><input type="search" name="q"></form>${last}${query.get('q') ?? ''}`,
    );
  });
  const audit = await openAudit(site.url);
  try {
    const keys: string[] = [];
    const { http } = watchStored(
      audit.context.http,
      ({ key, place }) => void keys.push(`${key} at ${new URL(place).pathname}`),
    );
    for (const [path, body] of bodies) await http.send({ method: 'POST', url: `${site.url}${path}`, headers, body });
    await http.get(`${site.url}${read}`, { fresh: true });
    return keys;
  } finally {
    await audit.close();
    await site.close();
  }
}

test('a form whose value is shown by another page counts as one that writes', async () => {
  assert.equal(await stopped([['/look', 'q=%27k3v9x2b7m1%20or']]), ['POST /look q at /']);
});

test('a form is not stopped for what its own answer repeats, nor for what another request carries', async () => {
  assert.equal(await stopped([['/find', 'q=k3v9x2b7m1']]), []);
  assert.equal(await stopped([['/find', 'q=k3v9x2b7m1']], '/?q=k3v9x2b7m1'), []);
});

test('a word that went to several forms shows nothing about one', async () => {
  assert.equal(
    await stopped([
      ['/look', 'q=k3v9x2b7m1'],
      ['/find', 'q=k3v9x2b7m1'],
    ]),
    [],
  );
});

test('a word that the site had before it was sent is the site’s own', async () => {
  const site = await startSite(({ method }) =>
    html(method === 'POST' ? '<p>Wrong password' : '<!-- login: kim / Tul1ps4ever --><p>Flowers'),
  );
  const audit = await openAudit(site.url);
  try {
    const keys: string[] = [];
    const { http } = watchStored(audit.context.http, ({ key }) => void keys.push(key));
    await http.get(`${site.url}/`, { fresh: true });
    await http.send({ method: 'POST', url: `${site.url}/login`, headers, body: 'name=kim&pass=Tul1ps4ever' });
    await http.get(`${site.url}/`, { fresh: true });
    assert.equal(keys, []);
  } finally {
    await audit.close();
    await site.close();
  }
});

test('a body whose answer names what was made of it is stopped at once', async () => {
  let last = 0;
  const site = await startSite(({ path, body }) => {
    const text = String(Object(JSON.parse(body || '{}')).q);
    const made = path === '/look' ? { id: ++last, text } : { text, hits: 0 };
    return { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ data: made }) };
  });
  const audit = await openAudit(site.url);
  try {
    const keys: string[] = [];
    const { http } = watchStored(audit.context.http, ({ key }) => void keys.push(key));
    const json: [string, string][] = [['Content-Type', 'application/json']];
    for (const path of ['/find', '/look'])
      await http.send({ method: 'POST', url: site.url + path, headers: json, body: '{"q":"k3v9x2b7m1"}' });
    assert.equal(keys, ['POST /look q']);
  } finally {
    await audit.close();
    await site.close();
  }
});

/** Asks for addresses of a page that keeps what its parameter `text` is given, and says which were stopped. */
async function stoppedAsked(paths: readonly string[], show: (kept: string) => Answer = (kept) => html(kept)) {
  const kept: string[] = [];
  const site = await startSite(({ query, path }) => {
    const text = query.get('text');
    if (path === '/notes' && text) kept.push(text);
    if (path === '/log') kept.push(decodeURIComponent(`GET ${path}?${query}`));
    return show(`<a href="/notes">Notes</a><p>${escapeHtml(kept.join(' | '))}</p>${escapeHtml(query.get('q') ?? '')}`);
  });
  const audit = await openAudit(site.url);
  try {
    const keys: string[] = [];
    const { http } = watchStored(audit.context.http, ({ key, method, place }) => {
      keys.push(`${key} at ${new URL(place).pathname}`);
      audit.gate.observed(key, 'writes');
      assert.is(method, 'GET');
    });
    for (const path of paths) await http.get(site.url + path, { fresh: true });
    const decided = ['/notes?text=k3v9x2b7m2', '/notes?text=', '/notes?page=2'].map(
      (path) => audit.gate.decide({ method: 'GET', url: site.url + path, headers: [] }).allowed,
    );
    return { keys, decided };
  } finally {
    await audit.close();
    await site.close();
  }
}

test('a parameter whose value is shown to others later is stopped, and no other of its page', async () => {
  const { keys, decided } = await stoppedAsked(["/notes?text='k3v9x2b7m1&page=1", '/notes?text=w5ah28dk1e']);
  assert.equal([keys, decided], [['GET /notes text at /notes'], [false, true, true]]);
});

test('a word of a check that shows where values come back is known by what keeps it', async () => {
  assert.equal((await stoppedAsked(['/notes?text=wcbccsrqldbf', '/'])).keys, ['GET /notes text at /']);
});

test('a page that repeats what it is asked for stores nothing, nor does a log of addresses', async () => {
  const reads = [[], [true, true, true]];
  for (const paths of [
    ['/find?q=k3v9x2b7m1', '/find?q=w5ah28dk1e', '/'],
    ['/log?q=k3v9x2b7m1', '/log?a=1&q=%27w5ah28dk1e', '/'],
  ]) {
    const { keys, decided } = await stoppedAsked(paths);
    assert.equal([keys, decided], reads, paths.join(' '));
  }
});

test('what a cache gives again for an address of our own is not stored, nor is what is shown as plain text', async () => {
  const paths = ['/notes?own=p4c8kz0v3n&text=k3v9x2b7m1', '/notes?own=p4c8kz0v3n'];
  assert.equal((await stoppedAsked(paths)).keys, []);
  const asText = (body: string) => ({ headers: { 'content-type': 'text/plain' }, body });
  assert.equal((await stoppedAsked(['/notes?text=k3v9x2b7m1', '/'], asText)).keys, []);
});

test('what only another page shows is seen when the pages of that route are read again', async () => {
  const kept: string[] = [];
  const site = await startSite(({ query, path }) => {
    if (path === '/') return html('<a href="/notes?text=">Notes</a><a href="/notes?text=hello&page=1">Say hello</a>');
    const text = query.get('text');
    if (text) kept.push(text);
    return html(`<p>${text ? 'Thank you' : escapeHtml(kept.join(' | '))}</p>`);
  });
  const audit = await openAudit(site.url);
  try {
    const places: string[] = [];
    const watch = watchStored(audit.context.http, ({ key, place }) => void places.push(`${key} at ${place}`));
    await watch.http.get(`${site.url}/notes?text=k3v9x2b7m1`);
    assert.equal(places, []);
    await watch.lookAgain(audit.context.surface.pages);
    assert.equal(places, [`GET /notes text at ${site.url}/notes?text=`]);
    const before = audit.requests();
    await watch.lookAgain(audit.context.surface.pages);
    assert.is(audit.requests(), before);
  } finally {
    await audit.close();
    await site.close();
  }
});

/** Asks for pages with a session, of a site that keeps in each account what it searched for last, and says what was stopped. */
async function stoppedInSession(paths: readonly string[], isShownOn: (path: string, since: number) => boolean) {
  let [last, since] = ['', 0];
  const site = await startSite(({ query, path, headers }) => {
    const q = query.get('q');
    if (q) [last, since] = [q, 0];
    else since += 1;
    const own = headers.cookie ? escapeHtml(isShownOn(path, since) ? last : '') : '';
    return html(`<p>Pages of the club</p><aside>${own}</aside>`);
  });
  const audit = await openAudit(site.url);
  try {
    const keys: string[] = [];
    const { http } = watchStored(audit.context.http, ({ key }) => {
      keys.push(key);
      audit.gate.observed(key, 'writes');
    });
    const jar = audit.context.http.newJar();
    jar.store(`${site.url}/`, ['sid=session-of-alice']);
    audit.gate.noteSession(['session-of-alice'], 'user');
    for (const path of paths) await http.get(site.url + path, { fresh: true, jar });
    const decided = [[['Cookie', 'sid=session-of-alice'] as const], []].map(
      (sent) => audit.gate.decide({ method: 'GET', url: `${site.url}/search?q=k3v9x2b7m2`, headers: sent }).allowed,
    );
    return { keys: [...new Set(keys)], decided };
  } finally {
    await audit.close();
    await site.close();
  }
}

const asked = ['/search?q=k3v9x2b7m1', '/boats', '/people'];

test('a parameter whose value other pages of the session go on to show is stopped for sessions', async () => {
  assert.equal(await stoppedInSession(asked, () => true), {
    keys: ['session GET /search q'],
    decided: [false, true],
  });
});

test('a message on the next page, and a search that shows the last one itself, keep nothing in the account', async () => {
  const nothing = { keys: [], decided: [true, true] };
  assert.equal(await stoppedInSession(asked, (_path, since) => since === 1), nothing);
  const again = [asked[0] ?? '', '/search', '/search?page=2', '/boats'];
  assert.equal(await stoppedInSession(again, (path) => path === '/search'), nothing);
});

test('pages of which there are too many to be read again are counted', async () => {
  const links = Array.from({ length: 15 }, (_, index) => `<a href="/notes?text=t${index}">x</a>`).join('');
  const site = await startSite(({ path }) => html(path === '/' ? links : 'Thank you'));
  const audit = await openAudit(site.url);
  try {
    const watch = watchStored(audit.context.http, () => {});
    const { length: known } = audit.context.surface.pages.filter(({ url }) => url.includes('/notes?'));
    assert.ok(known > 12);
    await watch.http.get(`${site.url}/notes?text=k3v9x2b7m1`);
    assert.is(await watch.lookAgain(audit.context.surface.pages), known - 12);
    assert.is(await watch.lookAgain(audit.context.surface.pages), 0);
  } finally {
    await audit.close();
    await site.close();
  }
});

test.run();
