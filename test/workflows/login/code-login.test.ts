import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TotpAlgorithm } from '../../../proto/gen/scanaudit/v1/domains_pb.ts';
import { totpAt } from '../../../workflows/login/totp.ts';
import { codeBook, codeSite } from '../../fixtures/logins/code-site.ts';
import { dora } from '../../fixtures/logins/people.ts';
import { further } from '../../support/further.ts';
import { enter, type Kind, onStage } from './stage.ts';

const test = suite('login with a one-time code');

const periodSeconds = 3;
const totp = {
  secret: 'JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP',
  algorithm: TotpAlgorithm.SHA256,
  digits: 8,
  periodSeconds,
};
const form: Kind = { case: 'form', value: { url: '/login', ...dora } };
const json: Kind = { case: 'json', value: { url: '/api/login', ...dora } };
const newBook = () => codeBook((epochMs) => totpAt(totp, epochMs), periodSeconds);

for (const [where, kind, field] of [
  ['second page', form, ''],
  ['same form', form, ''],
  ['same form', form, 'otp_code'],
  ['json', json, 'mfa.code'],
] as const)
  test(`a code is given in the ${where}${field && `, in the field ${field}`}, each once`, async () => {
    const book = newBook();
    await onStage(codeSite(book, where), async ({ prove }) => {
      const { session } = await prove(kind, { totp: { ...totp, field } });
      const held = session.recipe.steps.flatMap(({ fields }) => fields.map(({ holds }) => holds));
      assert.ok(held.includes('code'));
    });
    assert.is(new Set(book.asked).size, 2, book.asked.join(' '));
  });

test('a code that somebody else has used already is followed by the next one', async () => {
  for (const where of ['second page', 'same form'] as const) {
    const book = newBook();
    await onStage(codeSite(book, where), async (stage) => {
      book.spend();
      const { jar } = await enter(stage, form, { totp });
      assert.match(jar.header(`${stage.url}/`), /sid=/);
    });
  }
});

further(test)('without a secret for it the failure says what is missing', async () => {
  await onStage(codeSite(newBook(), 'second page'), async ({ fail }) => {
    const { failure, reason } = await fail(form);
    assert.is(failure, 'code_needed');
    assert.match(reason, /give the secret of its one-time code/);
  });
});

further(test)('a wrong secret is distinguished from a wrong password', async () => {
  const other = { ...totp, secret: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' };
  await onStage(codeSite(newBook(), 'second page'), async ({ fail }) => {
    assert.is((await fail(form, { totp: other })).failure, 'code_refused');
    const wrong = { case: 'form', value: { url: '/login', username: 'dora', password: 'x' } } as const;
    assert.is((await fail(wrong, { totp })).failure, 'wrong_credentials');
  });
});

test.run();
