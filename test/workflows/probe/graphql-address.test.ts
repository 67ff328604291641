import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { asksGraphQl, graphQlRequest } from '../../../workflows/probe/graphql-address.ts';

const test = suite('addresses of GraphQL');

const posted = (body: object, method = 'POST') =>
  asksGraphQl({ method, url: 'https://reef.example/gq', body: JSON.stringify(body) });

test('a server of GraphQL is known by what pages post, whatever its address is called', () => {
  assert.ok(posted({ query: 'query ($depth: Int!) { sites(deeper: $depth) { name } }', variables: { depth: 10 } }));
  assert.ok(posted({ query: 'mutation { addSite(name: "a") { id } }' }));
});

test('a search in JSON, and a request without a body, is none', () => {
  assert.not(posted({ query: 'tulips' }));
  assert.not(posted({ query: { name: 'tulips' } }));
  assert.not(posted({ query: '{ sites { name } }' }, 'PUT'));
  assert.not(asksGraphQl({ method: 'POST', url: 'https://reef.example/gq' }));
});

test('variables that are no object are not posted: some servers end at them', () => {
  const address = (variables: string) =>
    `https://reef.example/gq?query=${encodeURIComponent('query a($id: ID!) { a(id: $id) { b } }')}&variables=${variables}`;
  const bodyOf = (variables: string): unknown => JSON.parse(graphQlRequest(address(variables))?.body ?? '');
  const query = 'query a($id: ID!) { a(id: $id) { b } }';
  assert.equal([bodyOf('7'), bodyOf('[7]'), bodyOf('null')], [{ query }, { query }, { query }]);
  assert.equal(bodyOf('{"id":7}'), { query, variables: { id: 7 } });
});

test.run();
