import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { WriteState } from '../../../proto/gen/scanaudit/v1/runs_pb.ts';
import { recallOf, recordOf } from '../../../workflows/activities/observation-ledger.ts';
import type { Verdict } from '../../../workflows/model/gate.ts';
import { documentRequests, neutralDocument } from '../../../workflows/observation/document-submission.ts';
import { type Neutral, neutralForm, type Submission } from '../../../workflows/observation/submission.ts';
import { bodyInputs } from '../../../workflows/survey/body-inputs.ts';
import { parsePage } from '../../../workflows/survey/page.ts';

const test = suite('what an observation that is tried again recalls');

const neutral: Neutral = { word: 'k7words0001', number: '31337' };

function submissionOf(command: string): Submission {
  const page = `<form method=post action="/ask"><input type=hidden name=do value=${command}><input name=words></form>`;
  const [form] = parsePage(page, 'http://shop.localhost/').forms;
  const submission = form && neutralForm(form, page, neutral);
  if (typeof submission !== 'object') throw new Error('the form gives no submission');
  return submission;
}

const entryOf = (submission: Submission, identity: string, verdict?: Verdict) => {
  const observed = verdict && { submission, verdict, place: submission.pageUrl };
  const { id = '', actionId = '', state = WriteState.UNSPECIFIED } = recordOf(identity, submission, observed);
  return { id, actionId, state };
};

test('a form recalls what was recorded of its own command, and nothing of another one', () => {
  const [plain, full] = [submissionOf('plain'), submissionOf('full')];
  assert.is(plain.key, full.key);
  for (const [verdict, recalled] of [
    [undefined, 'writes'],
    ['reads', 'unknown'],
    ['writes', 'writes'],
  ] as const) {
    const recall = recallOf([entryOf(plain, 'a', verdict)], 'a');
    assert.equal([recall(plain), recall(full)], [recalled, undefined]);
  }
});

test('what the site refused, and what changed nothing around it, is not said to stay there', () => {
  const submission = submissionOf('plain');
  const { pageUrl: place } = submission;
  const refused = recordOf('a', submission, { submission, verdict: 'unknown', place, hadNoEffect: true });
  assert.is(refused.state, WriteState.UNCHANGED);
  assert.match(refused.description ?? '', 'the site refused it');
  assert.is(recordOf('a', submission, { submission, verdict: 'unknown', place }).state, WriteState.LEFT);
  assert.is(
    recordOf('a', submission, { submission, verdict: 'writes', place, hadNoEffect: true }).state,
    WriteState.LEFT,
  );
});

test('a form that asks for a text by GET, around which nothing changed, is not said to have stored something', () => {
  const submission = { ...submissionOf('plain'), asks: true as const };
  const { pageUrl: place } = submission;
  const asked = recordOf('a', submission, { submission, verdict: 'unknown', place, hadNoEffect: true });
  assert.is(asked.state, WriteState.UNCHANGED);
  assert.match(asked.description ?? '', 'asks for a text');
});

test('a query of GraphQL is not said to have stored something, where nothing shows that it did', () => {
  const url = 'http://shop.localhost/graphql';
  const requestWith = (query: string) => {
    const body = JSON.stringify({ query, variables: { name: 'tea' } });
    const { inputs } = bodyInputs({ method: 'POST', url, contentType: 'application/json', body });
    return documentRequests(inputs)[0] as Parameters<typeof neutralDocument>[0];
  };
  const recordWith = (query: string, verdict: Verdict) => {
    const submission = neutralDocument(requestWith(query), neutral);
    if (typeof submission !== 'object') throw new Error('the request gives no submission');
    return recordOf('a', submission, { submission, verdict, place: submission.pageUrl });
  };
  const query = 'query goods($name: String) { goods(name: $name) { id } }';
  assert.is(recordWith(query, 'unknown').state, WriteState.UNCHANGED);
  assert.is(recordWith(query, 'writes').state, WriteState.LEFT);
  assert.is(recordWith(`mutation ${query.slice(6)}`, 'unknown').state, WriteState.LEFT);
});

test('the ledger is given no token of a document', () => {
  const body = JSON.stringify({ csrf: '9f2c0a7be41d4c5f8a6b7c8d', note: { text: 'calm sea' }, list: ['a'] });
  const page = { method: 'POST', url: 'http://shop.localhost/notes', contentType: 'application/json', body };
  const [request] = documentRequests(bodyInputs(page).inputs);
  const submission = request && neutralDocument(request, neutral);
  assert.ok(typeof submission === 'object');
  assert.is(submission.recordedBody.includes('9f2c0a7be41d4c5f8a6b7c8d'), false);
  assert.match(submission.recordedBody, `"text":"${neutral.word}"`);
  assert.match(submission.recordedBody, '"csrf":"');
});

test('what was put back is not said to stay there', () => {
  const submission = submissionOf('plain');
  const { pageUrl: place } = submission;
  const record = recordOf('a', submission, { submission, verdict: 'writes', place, isPutBack: true });
  assert.is(record.state, WriteState.UNCHANGED);
  assert.match(record.description ?? '', 'once more as it had been');
});

test('what one visitor has sent, or a check, is not recalled for another visitor', () => {
  const plain = submissionOf('plain');
  const entry = entryOf(plain, 'a', 'writes');
  assert.is(recallOf([entry], 'b')(plain), undefined);
  assert.is(recallOf([{ ...entry, actionId: 'auth.csrf' }], 'a')(plain), undefined);
});

test.run();
