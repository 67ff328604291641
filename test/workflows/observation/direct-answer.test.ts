import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { answersWith, namesWhatWasMade } from '../../../workflows/observation/direct-answer.ts';
import { startSite } from '../../fixtures/site.ts';
import { openAudit } from '../checks/harness.ts';

const test = suite('what an answer gives for a value');

const [text, page, json] = ['text/plain', 'text/html; charset=utf-8', 'application/json'];
const sent = { words: ['w7k2'], takesLongText: false };

const answers: [body: string, type: string, gives: boolean][] = [
  ['1', page, false],
  ['OK', text, false],
  [' Success! ', text, false],
  ['', page, false],
  ['"saved"', json, false],
  ['true', json, false],
  ['{"status":"ok"}', json, false],
  ['42', text, true],
  ['42', json, true],
  ['w7k2', text, true],
  ['[]', json, true],
  ['<p>No such book</p>', page, true],
];

test('is a result, a page or the value, and no mere word that it was taken', async () => {
  const site = await startSite(({ path }) => {
    const [body, type] = answers[Number(path.slice(1))] ?? ['<h1>Books</h1>', page];
    return { status: 200, headers: { 'Content-Type': type }, body };
  });
  const audit = await openAudit(site.url);
  try {
    for (const [at, [body, type, gives]] of answers.entries()) {
      const answer = await audit.context.http.send({ url: new URL(`/${at}`, site.url).href });
      assert.is(answersWith(answer, sent), gives, `${type} ${body}`);
    }
  } finally {
    await audit.close();
    await site.close();
  }
});

const word = 'w7k2';
const made: [answer: unknown, isMade: boolean][] = [
  [{ id: 71, title: word }, true],
  [{ data: { id: 71, view: { sort: [word] } } }, true],
  [{ data: { addNote: { uuid: 'f2a4', text: word } } }, true],
  [{ id: 5, title: word }, false],
  [{ id: 71, title: 'other' }, false],
  [[{ id: 71, title: word }], false],
  [{ query: word, items: [{ id: 71 }] }, false],
  [{ jsonrpc: '2.0', id: 5, result: word }, false],
];

test('has an identifier of its own for what was made, and not for what was asked for', () => {
  const asked = { url: 'http://x.localhost/notes', body: JSON.stringify({ id: 5, title: word }), words: [word] };
  for (const [answer, isMade] of made)
    assert.is(namesWhatWasMade({ status: 200, text: JSON.stringify(answer) }, asked), isMade, JSON.stringify(answer));
  const paged = { ...asked, body: JSON.stringify({ view: { page: 1 }, title: word }) };
  const first = { status: 200, text: JSON.stringify({ data: { id: 1, title: word } }) };
  assert.ok(namesWhatWasMade(first, paged), 'another value is no identifier');
  assert.not(namesWhatWasMade(first, { ...paged, url: 'http://x.localhost/notes/1' }));
  assert.not(namesWhatWasMade(first, { ...asked, body: `noteId=1&title=${word}` }));
  const timed = { status: 200, text: JSON.stringify({ title: word, createdAt: '2026-03-04T10:00:00Z' }) };
  assert.ok(namesWhatWasMade(timed, asked));
  assert.not(
    namesWhatWasMade(timed, { ...asked, body: JSON.stringify({ title: word, since: '2026-03-04T10:00:00Z' }) }),
  );
  assert.not(namesWhatWasMade({ status: 404, text: JSON.stringify({ id: 71, title: word }) }, asked));
});

test.run();
