import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isMildMutation, mutationIn } from '../../../../workflows/probe/gate/graphql.ts';

const test = suite('mutations of GraphQL');

const mild = (query: string, variables = {}): boolean => isMildMutation(JSON.stringify({ query, variables }));

test('what a mutation calls and what it is given is read, also under other names and within objects', () => {
  assert.equal(mutationIn('mutation Add($a: String!) { one: addNote(text: $a, in: {box: "}"}) { id } like { n } }'), {
    fields: ['addNote', 'like'],
    arguments: ['text', 'in', 'box'],
  });
  for (const none of [
    'query { a }',
    '{ a }',
    'mutation { ...f } fragment f on M { a }',
    'mutation { a',
    'mutation { a } query { b }',
  ])
    assert.is(mutationIn(none), undefined, none);
});

test('what acts, changes one thing or comes with others is not mild, and what adds something is', () => {
  assert.ok(mild('mutation { importNotes(host: "a", path: "/") { text } }'));
  assert.ok(
    mild('mutation($postId: ID!, $text: String) { addComment(postId: $postId, text: $text) { id } }', { postId: 1 }),
  );
  for (const [query, variables] of [
    ['mutation { deleteNote(id: 1) { id } }'],
    ['mutation { drop }'],
    ['mutation { updateNote(id: 1, text: "a") { id } }'],
    ['mutation U($input: NoteInput!) { updateNote(input: $input) { id } }', { input: { noteId: 1, text: 'a' } }],
    ['mutation { addNote(text: "a") { id } x: deleteNotes }'],
    ['query { notes { id } }'],
  ] as const)
    assert.not(mild(query, variables), query);
  assert.not(isMildMutation(JSON.stringify([{ query: 'mutation { addNote }' }, { query: 'mutation { drop }' }])));
});

test.run();
