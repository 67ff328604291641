import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { massAssignment } from '../../../../workflows/checks/access/mass-assignment.check.ts';
import { type Handler, html, json, startSite } from '../../../fixtures/site.ts';
import { check, openAudit, stored } from '../harness.ts';

const test = suite('access.mass-assignment by a mutation of GraphQL');

const named = (kind: string, name: string) => ({ kind, name, ofType: null });
const needed = (ofType: object) => ({ kind: 'NON_NULL', name: null, ofType });
const text = named('SCALAR', 'String');
const field = (name: string, type: object, args: object[] = []) => ({ name, type, args });
const objects = ({ args, inputFields, mutation = 'updateProfile' }: Design) => [
  { kind: 'OBJECT', name: 'Query', fields: [field('me', named('OBJECT', 'Player'))] },
  { kind: 'OBJECT', name: 'Player', fields: ['nick', 'club', 'role'].map((name) => field(name, text)) },
  { kind: 'INPUT_OBJECT', name: 'Change', inputFields },
  {
    kind: 'OBJECT',
    name: 'Mutation',
    fields: [
      field(mutation, named('OBJECT', 'Player'), args),
      field('changeRules', text, [{ name: 'role', type: text }]),
    ],
  },
];

type Design = {
  mutation?: string;
  args: object[];
  inputFields: object[];
  /** What of the variables is written to the player. */
  change(variables: Record<string, unknown>): Record<string, unknown>;
};

const inObject: Design = {
  args: [
    { name: 'id', type: named('SCALAR', 'ID') },
    { name: 'change', type: needed(named('INPUT_OBJECT', 'Change')) },
  ],
  inputFields: [
    { name: 'nick', type: text },
    { name: 'club', type: needed(text) },
    { name: 'role', type: text },
  ],
  change: ({ change }) => ({ ...(change as object) }),
};
const plain: Design = {
  args: [
    { name: 'nick', type: text },
    { name: 'role', type: text },
  ],
  inputFields: [],
  change: (variables) => variables,
};

/** Gives anybody any role, named by what the profile shows of them, or does not. */
const ofRole = (whom: string, change: Design['change']): Design => ({
  ...{ mutation: 'setRole', inputFields: [], change },
  args: [
    { name: whom, type: needed(text) },
    { name: 'role', type: needed(text) },
  ],
});

async function result(design: Design) {
  const { change } = design;
  let player: Record<string, unknown> = { nick: 'ann', club: 'Harbour', role: 'user' };
  const sent: string[] = [];
  const schema = {
    queryType: { name: 'Query' },
    mutationType: { name: 'Mutation' },
    types: objects(design),
  };
  const handler: Handler = ({ path, method, query, body, headers }) => {
    if (path !== '/graphql') return path === '/' ? html('<h1>Club</h1>') : undefined;
    const isKnown = headers.authorization === 'Bearer token-of-ann';
    const asked =
      method === 'POST'
        ? (JSON.parse(body) as { query: string; variables?: object })
        : { query: query.get('query') ?? '' };
    if (asked.query.includes('__schema')) return json({ data: { __schema: schema } });
    if (!isKnown) return json({ errors: [{ message: 'Sign in' }], data: { me: null } });
    if (!asked.query.startsWith('mutation')) return json({ data: { me: player } });
    sent.push(asked.query);
    player = { ...player, ...change({ ...('variables' in asked ? asked.variables : {}) }) };
    return json({ data: { updateProfile: { nick: player.nick } } });
  };
  const site = await startSite(handler);
  const checkPath = '/graphql?query=%7B+me+%7B+nick+club+role+%7D+%7D';
  const headers: [string, string][] = [['Authorization', 'Bearer token-of-ann']];
  const audit = await openAudit(site.url, { identities: [{ name: 'a', headers, checkPath, marker: 'ann' }] });
  try {
    const found = await check(audit, massAssignment);
    return { ...found, player, sent, undone: audit.undone };
  } finally {
    await audit.close();
    await site.close();
  }
}

const before = { nick: 'ann', club: 'Harbour', role: 'user' };
for (const [how, design] of Object.entries({ 'an object': inObject, 'its arguments': plain })) {
  test(`a role that a mutation takes from ${how} is found, and put back`, async () => {
    const { outcome, findings, player, sent, ...rest } = await result(design);
    assert.equal([outcome.kind, findings.length], ['found', 1], outcome.reason);
    assert.equal([findings[0]?.location?.parameter, player], ['role', before]);
    assert.ok(
      sent.every((query) => query.startsWith('mutation updateProfile')),
      sent.join(),
    );
    assert.not.match(stored({ outcome, findings, ...rest } as never), /token-of-ann/);
  });

  test(`a mutation that takes its own fields alone from ${how} is clean`, async () => {
    const { outcome, findings, player } = await result({
      ...design,
      change: (variables) => {
        const { role: _role, ...own } = design.change(variables);
        return own;
      },
    });
    assert.equal([outcome.kind, findings.length, player], ['clean', 0, before], outcome.reason);
  });
}

test('a mutation that has no role, or needs what the profile does not show, is not sent', async () => {
  const without: Design = { ...plain, args: [{ name: 'nick', type: text }] };
  const wants: Design = { ...plain, args: [...plain.args, { name: 'pin', type: needed(text) }] };
  for (const design of [without, wants]) {
    const { outcome, sent } = await result(design);
    assert.equal([outcome.kind, sent], ['not-applicable', []], outcome.reason);
  }
});

test('a mutation that gives roles is found where it takes a user for their own, and changes nobody else', async () => {
  const found = await result(ofRole('nick', ({ role }) => ({ role })));
  assert.equal([found.outcome.kind, found.findings.length, found.player], ['found', 1, before], found.outcome.reason);
  const refused = await result(ofRole('nick', () => ({})));
  assert.equal([refused.findings, refused.player], [[], before], refused.outcome.reason);
  const ofOthers = await result(ofRole('number', ({ role }) => ({ role })));
  assert.equal([ofOthers.findings, ofOthers.sent], [[], []], ofOthers.outcome.reason);
});

test.run();
