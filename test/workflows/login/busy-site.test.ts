import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dora } from '../../fixtures/logins/people.ts';
import { sessionSite } from '../../fixtures/logins/session-sites.ts';
import { html, json } from '../../fixtures/site.ts';
import { further } from '../../support/further.ts';
import { enter, type Kind, onStage } from './stage.ts';

const test = suite('logins at a busy site');

const form: Kind = { case: 'form', value: { url: '/login', ...dora } };
const api: Kind = { case: 'json', value: { url: '/api/login', ...dora } };

test('a login that fails while the site stores another one is sent again', async () => {
  const { handler, logins } = sessionSite({});
  let refused = 0;
  const busy: typeof handler = (request) =>
    request.method === 'POST' && ++refused <= 2 ? html('<h1>database is locked</h1>', 500) : handler(request);
  await onStage(busy, async (stage) => {
    assert.is((await enter(stage, form)).answer?.status, 302);
  });
  assert.equal([refused, logins.length], [3, 1]);
});

test('so is one by JSON', async () => {
  let sent = 0;
  const busy = () => (++sent <= 2 ? json({ error: 'busy' }, 503) : json({ token: 'a-token-of-24-characters' }));
  await onStage(busy, async (stage) => {
    assert.is((await enter(stage, api)).headers.length, 1);
  });
});

further(test)('one that is let wait after wrong passwords is waited for', async () => {
  const { handler } = sessionSite({});
  const slow: typeof handler = (request) => {
    const answer = handler(request);
    return request.method === 'POST' && answer ? { ...answer, afterMs: 11_000 } : answer;
  };
  await onStage(slow, async (stage) => {
    assert.is((await enter(stage, form)).answer?.status, 302);
  });
  await onStage(
    () => ({ ...json({ token: 'a-token-of-24-characters' }), afterMs: 11_000 }),
    async (stage) => {
      assert.is((await enter(stage, api)).headers.length, 1);
    },
  );
});

test('a site that never takes one is given up, and reported to be down', async () => {
  let sent = 0;
  const down = () => {
    sent += 1;
    return json({ error: 'down' }, 500);
  };
  await onStage(down, async (stage) => {
    await enter(stage, api).then(
      () => assert.unreachable('it was logged in'),
      (error) => assert.is(error.failure, 'site_down'),
    );
  });
  assert.is(sent, 4);
});

test.run();
