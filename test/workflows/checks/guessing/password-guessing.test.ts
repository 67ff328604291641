import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { passwordGuessing } from '../../../../workflows/checks/guessing/password-guessing.check.ts';
import { type Judge, type LoginSite, startLogin } from '../../../scorecard/sites/login-sites.ts';
import { further } from '../../../support/further.ts';
import { check, openAudit, runOn } from '../harness.ts';

const test = suite('limits of password guesses');

const ina = {
  ...{ name: 'ina', checkPath: '/harbour', marker: 'Berths of ina' },
  login: { path: '/form', username: 'ina', password: 'v7-Boje-44' },
};
const isRight: Judge = ({ name, password }) => (name === 'ina' && password === 'v7-Boje-44' ? 'ina' : undefined);
/** Takes so many wrong passwords for a name, then none any more; says so, or keeps silent. */
const limited = (most: number, said?: string): Judge => {
  const failures = new Map<unknown, number>();
  return (fields, request) => {
    const count = failures.get(fields.name) ?? 0;
    if (count >= most && said !== undefined) throw new Error(said);
    const who = count >= most ? undefined : isRight(fields, request);
    if (who === undefined) failures.set(fields.name, count + 1);
    return who;
  };
};

const found = async (site: LoginSite, { name = ina.name } = {}) => {
  const { url, close } = await startLogin(site);
  try {
    const result = await runOn(url, passwordGuessing as Parameters<typeof runOn>[1], {
      depth: 'deep',
      identities: [{ ...ina, name }],
    });
    return result.findings.length;
  } finally {
    await close();
  }
};

test('a login without a limit is found', async () => {
  assert.is(await found({ judge: isRight }), 1);
});
further(test)('so is one whose failures are another status', async () => {
  const judge: Judge = (fields, request) => {
    const who = isRight(fields, request);
    if (who === undefined) throw new Error('wrong password');
    return who;
  };
  assert.is(await found({ judge, error: { status: 401, text: 'Sorry' } }), 1);
});
test('an account that the audit has found on the site is left alone', async () => {
  assert.is(await found({ judge: isRight }, { name: 'usual_1' }), 0);
});
test('a login that closes the account is not', async () => {
  assert.is(await found({ judge: limited(5, 'closed'), error: { status: 423, text: 'Locked' } }), 0);
});
further(test)('nor one that asks to come back later', async () => {
  const error = { status: 200, text: 'Too many wrong tries. Come back in ten minutes.' };
  assert.is(await found({ judge: limited(10, 'later'), error }), 0);
});
further(test)('nor one that closes it without a word', async () => {
  assert.is(await found({ judge: limited(8) }), 0);
});

test('nor one that lets whoever it refuses wait', async () => {
  const judge: Judge = async (fields, request) => {
    const who = await isRight(fields, request);
    if (who === undefined) await sleep(3_200);
    return who;
  };
  assert.is(await found({ judge }), 0);
});

test('one whose script sends elsewhere what is typed is not judged by what the form alone would send', async () => {
  const { url, close } = await startLogin({ judge: isRight });
  const audit = await openAudit(url, { depth: 'deep', identities: [ina] });
  try {
    const { ina: identity } = audit.context.identities;
    assert.ok(identity?.recipe);
    const steps = identity.recipe.steps.map((step) => ({ ...step, url: new URL('/graph', url).href }));
    const identities = { ina: { ...identity, recipe: { ...identity.recipe, steps } } };
    const { outcome } = await check(
      { ...audit, context: { ...audit.context, identities } },
      passwordGuessing as Parameters<typeof check>[1],
    );
    assert.is(outcome.kind, 'not-applicable');
  } finally {
    await audit.close();
    await close();
  }
});

test('one whose token no page gives anew is not judged: a guess may be refused for the token alone', async () => {
  const { url, close } = await startLogin({ judge: isRight });
  const audit = await openAudit(url, { depth: 'deep', identities: [ina] });
  try {
    const token = { name: 'csrf_token', value: '9f2c41d07be85a36c1e4' };
    const { inputs } = audit.context.surface;
    for (const given of [
      inputs.map((input) => ({ ...input, others: [...input.others, token] })),
      inputs.map((input) => ({ ...input, url: `${input.url}?${token.name}=${token.value}` })),
    ]) {
      const context = { ...audit.context, surface: { ...audit.context.surface, inputs: given } };
      const { outcome } = await check({ ...audit, context }, passwordGuessing as Parameters<typeof check>[1]);
      assert.match(outcome.reason ?? '', 'a token that no page gives anew');
    }
  } finally {
    await audit.close();
    await close();
  }
});

test.run();
