import express from 'express';
import type { TestIdentity } from '../../workflows/checks/harness.ts';
import type { ScoreSite, Variant } from '../case.ts';
import { startApp } from './express.ts';
import { people } from './people.ts';

type Claim = { ref: string; kind: string; amount: string; owner: number };

const sessionOf = (id: number): string => `claims-session-${id}-5c1e`;

/**
 * An insurance whose one page posts queries of GraphQL: for the own claims when it is opened, and for one of them when its entry is
 * pressed. Claims are called "c_2041"; the server describes nothing of itself.
 */
export function startQueriedClaims(variant: Variant): Promise<ScoreSite> {
  const customers = people.slice(0, 2);
  const claims = customers.flatMap(({ id }, index): Claim[] => [
    { ref: `c_${2041 + index * 2}`, kind: 'Water damage', amount: `${300 + id * 7} euros`, owner: id },
    { ref: `c_${2042 + index * 2}`, kind: 'Broken window', amount: `${90 + id * 3} euros`, owner: id },
  ]);
  const app = express();
  app.use(express.json());
  app.get('/', (request, response) => {
    const customer = customers.find(({ id }) => request.get('cookie')?.includes(sessionOf(id)));
    response.send(
      `<!doctype html><title>Claims</title><h1>Claims</h1>${customer ? `<p>Welcome, ${customer.name}</p><ul></ul><pre></pre><script>${frontEnd}</script>` : '<p>For customers only.</p>'}`,
    );
  });
  app.post('/graphql', (request, response) => {
    const customer = customers.find(({ id }) => request.get('cookie')?.includes(sessionOf(id)));
    const { query = '', variables = {} } = request.body ?? {};
    if (!customer) return void response.json({ errors: [{ message: 'Please log in.' }], data: null });
    if (/\bviewer\b/.test(query)) {
      const own = claims.filter(({ owner }) => owner === customer.id);
      const listed = own.map(({ ref, kind }) => ({ ref, kind }));
      return void response.json({ data: { viewer: { name: customer.name, claims: listed } } });
    }
    if (!/\bclaim\b/.test(query)) return void response.json({ errors: [{ message: 'Unknown field.' }] });
    const claim = claims.find(({ ref }) => ref === variables.ref);
    const mayRead = claim && (variant === 'vulnerable' || claim.owner === customer.id);
    const { owner: _owner, ...shown } = claim ?? {};
    response.json({ data: { claim: mayRead ? shown : null } });
  });
  const identities = customers.map(
    ({ id, username, name }): TestIdentity => ({
      ...{ name: username, role: 'user', cookies: { claims: sessionOf(id) }, checkPath: '/', marker: name },
    }),
  );
  return startApp(app, { options: { identities, depth: 'deep' } });
}

const frontEnd = `
  const ask = async (query, variables) => (await (await fetch('/graphql', {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query, variables }),
  })).json()).data;
  ask('{viewer{name claims{ref kind}}}').then(({ viewer }) => document.querySelector('ul').append(...viewer.claims.map(({ ref, kind }) =>
    Object.assign(document.createElement('li'), {
      textContent: kind,
      onclick: async () => {
        const { claim } = await ask('query($ref:ID!){claim(ref:$ref){ref kind amount}}', { ref });
        document.querySelector('pre').textContent = JSON.stringify(claim);
      },
    }))));
`;
