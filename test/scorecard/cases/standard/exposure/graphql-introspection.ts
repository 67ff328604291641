import { html, json, startSite } from '../../../../fixtures/site.ts';
import type { ScoreCase } from '../../../case.ts';

const schema = { data: { __schema: { queryType: { name: 'Query' }, types: [{ kind: 'OBJECT', name: 'Order' }] } } };

type Shape = { name: string; at: string; home: string; refusal: unknown; status: number };

const shapes: Shape[] = [
  {
    name: 'an Apollo server',
    at: '/graphql',
    home: 'hello',
    status: 400,
    refusal: {
      errors: [{ message: 'GraphQL introspection is not allowed', extensions: { code: 'INTROSPECTION_DISABLED' } }],
    },
  },
  {
    name: 'a Hasura below a version',
    at: '/v1/graphql',
    home: '<div id="root"></div>',
    status: 200,
    refusal: { errors: [{ message: "field '__schema' not found in type: 'query_root'" }] },
  },
  {
    name: 'an endpoint that only a script names',
    at: '/internal/shop-graphql',
    home: '<script src="/app.js"></script>',
    status: 200,
    refusal: { data: null, errors: [{ message: 'Cannot query field "__schema"' }] },
  },
];

export const cases: ScoreCase[] = shapes.map(({ name, at, home, refusal, status }) => ({
  name,
  start: (variant) =>
    startSite(({ path, method, body }) => {
      if (path === '/') return html(home);
      if (path === '/app.js')
        return { headers: { 'content-type': 'text/javascript' }, body: `const api="${at}";fetch(api,{method:"POST"})` };
      if (path !== at || method !== 'POST') return undefined;
      if (!body.includes('__schema')) return json({ data: { __typename: 'Query' } });
      return variant === 'vulnerable' ? json(schema) : json(refusal, status);
    }),
}));
