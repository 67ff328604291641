import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { batchedBody } from '../../../../workflows/checks/guessing/batched-guesses.ts';
import { graphQlBatch } from '../../../../workflows/checks/guessing/graphql-batch.check.ts';
import { graphQlHarbour, type HarbourRules, harbourMaster, signIn } from '../../../fixtures/logins/graphql-harbour.ts';
import { startSite } from '../../../fixtures/site.ts';
import { places, runOn } from '../harness.ts';

const test = suite('password guesses in one request of GraphQL');

async function found(rules: HarbourRules) {
  const { url, close } = await startSite(graphQlHarbour(rules));
  try {
    return await runOn(url, graphQlBatch as Parameters<typeof runOn>[1], {
      depth: 'deep',
      identities: [harbourMaster],
    });
  } finally {
    await close();
  }
}

test('that are all answered are found', async () => {
  const result = await found({});
  assert.equal([result.outcome.kind, places(result)], ['found', ['POST /graphql password']], result.outcome.reason);
});

const limited: Record<string, HarbourRules> = {
  'closes the account after some, however they come': { mostFailures: 10 },
  'takes the mutation once in an operation': { mostFields: 1 },
};
for (const [what, rules] of Object.entries(limited))
  test(`a login that ${what} is clean`, async () => {
    const { findings, outcome } = await found(rules);
    assert.equal([findings.length, outcome.kind], [0, 'clean'], outcome.reason);
  });

const bodyOf = (query: string, variables?: unknown) => JSON.stringify({ query, variables });
const batched = (query: string, variables?: unknown) => {
  const body = batchedBody({ body: bodyOf(query, variables), password: 'PASS' }, 2);
  return body === undefined ? undefined : (JSON.parse(body) as { query: string; variables: unknown });
};

test('hold the password of each in the place of its variable', () => {
  assert.equal(batched(signIn, { name: 'ina', password: 'PASS' }), {
    query:
      'mutation signIn($name: String!) { guess0: signIn(name: $name, password: "PASS0") { token } guess1: signIn(name: $name, password: "PASS1") { token } }',
    variables: { name: 'ina' },
  });
  assert.equal(batched('mutation ($secret: String!) { s: open(secret: $secret) }', { secret: 'PASS' }), {
    query: 'mutation { guess0: open(secret: "PASS0") guess1: open(secret: "PASS1") }',
    variables: {},
  });
});

test('or where it stands in the document', () => {
  assert.is(
    batched('mutation { signIn(password: "PASS") }')?.query,
    'mutation { guess0: signIn(password: "PASS0") guess1: signIn(password: "PASS1") }',
  );
});

test('are made of one mutation that has the password alone', () => {
  for (const query of [
    'query { signIn(password: "PASS") }',
    'mutation { signIn(password: "other") }',
    'mutation { signIn(password: "PASS") logOut }',
    'mutation { signIn(password: "PASS") { token } logOut { done } }',
    'mutation { signIn(password: "PASS" { token }',
  ])
    assert.is(batched(query), undefined, query);
});

test.run();
