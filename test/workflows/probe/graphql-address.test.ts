import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { asksGraphQl } from '../../../workflows/probe/graphql-address.ts';

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

test.run();
