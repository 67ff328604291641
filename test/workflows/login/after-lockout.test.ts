import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { afterLockout } from '../../../workflows/login/after-lockout.ts';
import { isAlive } from '../../../workflows/login/check-page.ts';
import type { LoginSession } from '../../../workflows/login/session.ts';
import { LoginError } from '../../../workflows/model/login-error.ts';
import { dora } from '../../fixtures/logins/people.ts';
import { sessionSite } from '../../fixtures/logins/session-sites.ts';
import { redirect } from '../../fixtures/site.ts';
import { enter, type Kind, onStage } from './stage.ts';

const test = suite('logins while a site takes none');

const form: Kind = { case: 'form', value: { url: '/login', ...dora } };
const mark = { checkUrl: '/', marker: 'Signed in as dora' };

test('the login of a proven identity is tried again when a lock-out that only redirects has passed', async () => {
  const { handler, logins } = sessionSite({});
  let refusals = 2;
  let sent = 0;
  const limited: typeof handler = (request) => {
    if (request.method !== 'POST') return handler(request);
    sent += 1;
    return refusals-- > 0 ? redirect('/?notice=Please+wait') : handler(request);
  };
  await onStage(limited, async (stage) => {
    const { signal, http } = stage.world;
    const logIn = async (): Promise<LoginSession> => {
      const session = await enter(stage, form);
      if (await isAlive(http, session, { ...mark, checkUrl: stage.url })) return session;
      throw new LoginError('lost', 'the page lacks its marker');
    };
    assert.is((await afterLockout(logIn, signal, [10, 20])).answer?.status, 302);
    assert.equal([sent, logins], [3, ['dora']]);
    refusals = 3;
    await afterLockout(logIn, signal, [10, 20]).then(
      () => assert.unreachable(),
      (error) => assert.is(error.failure, 'lost'),
    );
    assert.is(sent, 6);
  });
});

test('what waiting does not change is not waited for', async () => {
  let tries = 0;
  const captcha = async () => {
    tries += 1;
    throw new LoginError('captcha', 'it asks for a captcha');
  };
  await afterLockout(captcha, new AbortController().signal, [10]).then(
    () => assert.unreachable(),
    () => {},
  );
  assert.is(tries, 1);
});

test.run();
