import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loginWith } from '../../../workflows/login/log-in.ts';
import { withNameIn } from '../../../workflows/login/settings.ts';
import { dora } from '../../fixtures/logins/people.ts';
import { json } from '../../fixtures/site.ts';
import { type Kind, loginOf, onStage } from './stage.ts';

const test = suite('the name that an interface gives the user');

test('is tried until one works, and is the only one from then on', async () => {
  let refused = 0;
  const takesUser = ({ body }: { body: string }) => {
    if (JSON.parse(body || '{}').user === dora.username) return json({ token: 'a-token-of-24-characters' });
    refused += 1;
    return json({ error: 'Wrong name or password' }, 401);
  };
  const api: Kind = { case: 'json', value: { url: '/api/login', ...dora } };
  await onStage(takesUser, async ({ world }) => {
    const { recipe } = await loginWith(world, loginOf(api))();
    assert.is(refused, 2);
    await loginWith(world, withNameIn(loginOf(api), recipe))();
    assert.is(refused, 2);
    const given = loginOf({ case: 'json', value: { ...api.value, usernameField: 'email' } });
    assert.is(withNameIn(given, recipe), given);
  });
});

test.run();
