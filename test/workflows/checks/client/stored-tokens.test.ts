import { runInNewContext } from 'node:vm';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { expressionFor, patternOf, tokensIn } from '../../../../workflows/checks/client/stored-tokens.ts';
import { firstMatch } from '../../../../workflows/proof/pattern.ts';
import { further } from '../../../support/further.ts';

const quiet = { leave: () => {} };
const test = suite('tokens in web storage');

const token = 'q7Wm2Zr9Tk4Lx8Vb3Nc6Hd1';
const other = 'a1B2c3D4e5F6g7H8i9J0k1L2';

/** Entries as libraries keep them, and the token that opens. */
const entries: Record<string, [entry: string, text: string]> = {
  'as it is': ['token', token],
  'with its scheme': ['auth', `Bearer ${token}`],
  'as a JSON text': ['access-token', JSON.stringify(token)],
  'as a member': ['sb-shop-auth-token', JSON.stringify({ refresh_token: other, access_token: token })],
  'in JSON that is a text in JSON': ['persist:root', JSON.stringify({ auth: JSON.stringify({ jwt: token }) })],
  'in a list': ['sessions', JSON.stringify([token])],
  'under a name with spaces': [
    '@@auth0spajs@@::app::openid profile',
    JSON.stringify({ body: { access_token: token } }),
  ],
  'under a name that an object has anyway': ['length', token],
};

for (const [how, [entry, text]] of Object.entries(entries)) {
  test(`a token that is kept ${how} is found, and read by pattern and by script`, () => {
    const [found] = tokensIn(quiet, { local: { [entry]: text }, session: {} });
    assert.is(found?.value, token);
    if (!found) return;
    assert.is(firstMatch(patternOf(found.place), text)?.groups[0], token);
    const localStorage = { getItem: (name: string) => (name === entry ? text : null) };
    const read = String(runInNewContext(expressionFor(found.place), { localStorage }));
    assert.is(read.replace('Bearer ', ''), token);
    // It has to stand in an address, and in an attribute without quotes.
    assert.not.match(expressionFor(found.place), /[\s"'`<>#&=+%]/);
  });
}

test('the area is reported', () => {
  const [found] = tokensIn(quiet, { local: {}, session: { token } });
  assert.equal(found?.place, { area: 'session', entry: 'token', path: [] });
});

test('words, numbers, settings and identifiers for statistics are no tokens', () => {
  const local = { theme: 'dark', count: '17', _ga: token, csrf_token: token, cart: '{"items":[1,2]}', broken: '{"a":' };
  assert.equal(tokensIn(quiet, { local, session: {} }), []);
});

further(test)('an endless value is bounded', () => {
  const deep = JSON.parse(`${'[{"a":'.repeat(50)}1${'}]'.repeat(50)}`);
  const many = Array.from({ length: 5_000 }, (_, index) => `${token}${index}`);
  const found = tokensIn(quiet, { local: { deep: JSON.stringify(deep), many: JSON.stringify(many) }, session: {} });
  assert.ok(found.length <= 6);
});

test.run();
