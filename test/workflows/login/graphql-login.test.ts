import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { BrowserPool } from '../../../workflows/probe/browser/launch.ts';
import { graphQlAddress } from '../../../workflows/probe/graphql-address.ts';
import { graphQlApp } from '../../fixtures/logins/graphql-app.ts';
import { dora } from '../../fixtures/logins/people.ts';
import { further } from '../../support/further.ts';
import { testBrowsers } from '../checks/harness.ts';
import { type Kind, onStage } from './stage.ts';

const test = suite<{ browsers: BrowserPool }>('login by a mutation of GraphQL');
test.before((context) => {
  context.browsers = testBrowsers();
});
test.after(({ browsers }) => browsers.close());

const typed: Kind = { case: 'browser', value: { url: '/login', ...dora } };

further(test)(
  'what the app reads by a query shows who is there, also where a page was named that is the same for all',
  async ({ browsers }) => {
    await onStage(
      graphQlApp(),
      async ({ prove, url }) => {
        const { session, mark } = await prove(typed, { checkUrl: '/account' });
        assert.is(mark.checkUrl, `${url}/api/graph?query=query+Viewer+%7B+viewer+%7B+name+colour+%7D+%7D`);
        assert.equal([mark.marker, session.writes], ['dora', []]);
      },
      browsers,
    );
  },
);

test('a wrong password proves nothing', async ({ browsers }) => {
  const wrong: Kind = { case: 'browser', value: { ...typed.value, password: 'grey-poplar' } };
  await onStage(graphQlApp(), async ({ fail }) => void (await fail(wrong)), browsers);
});

test('a server that answers no queries in addresses is asked by the body of a request', async ({ browsers }) => {
  await onStage(
    graphQlApp({ answersAddresses: false }),
    async ({ prove }) => assert.is((await prove(typed)).mark.marker, 'dora'),
    browsers,
  );
});

const mutation = 'mutation Enter($name: String!, $secret: String!) { enter(name: $name, secret: $secret) { token } }';
const sent: Kind = {
  case: 'json',
  value: {
    ...{ url: '/api/graph', ...dora, usernameField: 'variables.name', passwordField: 'variables.secret' },
    body: JSON.stringify({ query: mutation, variables: { name: '', secret: '' } }),
  },
};
const checkUrl = '/api/graph?query=%7Bviewer%7Bname%7D%7D';

test('without a browser the mutation is the document that name and password are put into', async () => {
  for (const answersAddresses of [true, false])
    await onStage(graphQlApp({ answersAddresses }), async ({ prove }) => {
      const { session, mark } = await prove(sent, { checkUrl });
      assert.is(mark.marker, 'dora');
      assert.is(session.recipe.steps[0]?.body, sent.value.body);
      assert.equal(session.recipe.tokenPath, 'data.enter.token');
    });
});

test('with a wrong password, or the names of no variables of it, it proves nothing', async () => {
  const { value } = sent;
  for (const wrong of [
    { ...value, password: 'grey-poplar' },
    { ...value, passwordField: 'secret' },
  ])
    await onStage(graphQlApp(), async ({ fail }) => void (await fail({ case: 'json', value: wrong }, { checkUrl })));
});

test('only what asks has an address', () => {
  const at = (body: unknown) => graphQlAddress('http://x.localhost/g', JSON.stringify(body));
  assert.is(
    at({ query: '{\n  me { id } }', variables: { a: 1 } }),
    'http://x.localhost/g?query=%7B+me+%7B+id+%7D+%7D&variables=%7B%22a%22%3A1%7D',
  );
  for (const other of [
    { query: 'mutation { leave }' },
    [{ query: '{ me }' }],
    { q: 1 },
    { query: `{ ${'a '.repeat(5_000)} }` },
  ])
    assert.is(at(other), undefined);
});

test.run();
