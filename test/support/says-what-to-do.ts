import * as assert from 'uvu/assert';

const verbs = [
  ...['Ask', 'Begin', 'Buy', 'Check', 'Choose', 'Correct', 'Give', 'Leave', 'Name', 'Prove', 'Publish', 'Quote'],
  ...['Read', 'Register', 'Remove', 'Revoke', 'Rotate', 'Send', 'Start', 'Stop', 'Try', 'Use', 'Wait'],
];
const sentences = /^\S.*[.!?] \S.*\.$/s;
const action = new RegExp(`[.:;] (?:${verbs.join('|')}) \\S`);

/** A refusal says in one sentence what happened, and in another what to do: one that begins with a verb. */
export function assertSaysWhatToDo(detail: unknown): void {
  assert.type(detail, 'string');
  assert.match(String(detail), sentences);
  assert.match(String(detail), action);
  assert.not.match(String(detail), /undefined|\.\.|\. \.|\bnull\b/);
}
