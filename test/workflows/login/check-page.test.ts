import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isAlive, stateOf } from '../../../workflows/login/check-page.ts';
import { LoginError } from '../../../workflows/model/login-error.ts';
import { html, startSite } from '../../fixtures/site.ts';
import { openTestProbes } from '../support/checks.ts';

const test = suite('the page that shows who is logged in');

/** @param answers to the session, and to nobody */
async function at(inSession: number, toNobody: number) {
  const site = await startSite(({ cookies }) => html('-', cookies.sid === 'x' ? inSession : toNobody));
  const probes = openTestProbes(site.url, new AbortController().signal);
  const jar = probes.http.newJar();
  const url = `${site.url}/home`;
  jar.store(url, ['sid=x']);
  const session = { jar, headers: [] };
  const mark = { checkUrl: url, marker: 'Desk of dora' };
  const failure = (error: unknown) => (error instanceof LoginError ? error.failure : error);
  try {
    return [
      await stateOf(probes.http, session, mark).catch(failure),
      await isAlive(probes.http, session, mark).catch(failure),
    ];
  } finally {
    await probes.close();
    await site.close();
  }
}

test('a session that the site fails on has ended, where the page answers others', async () => {
  for (const toNobody of [200, 302, 401, 403]) assert.equal(await at(500, toNobody), ['ended', false]);
});

test('a page that fails for everybody, or is overloaded, says nothing of the session', async () => {
  for (const [inSession, toNobody] of [
    [500, 500],
    [503, 200],
  ] as const)
    assert.equal(await at(inSession, toNobody), ['site_down', 'site_down']);
});

test.run();
