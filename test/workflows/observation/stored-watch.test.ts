import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { watchStored } from '../../../workflows/observation/stored-watch.ts';
import { escapeHtml, html, startSite } from '../../fixtures/site.ts';
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
    const http = watchStored(
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

test('a word that went to several forms tells nothing of one', async () => {
  assert.equal(
    await stopped([
      ['/look', 'q=k3v9x2b7m1'],
      ['/find', 'q=k3v9x2b7m1'],
    ]),
    [],
  );
});

test.run();
