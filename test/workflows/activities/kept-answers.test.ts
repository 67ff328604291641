import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { answersTo, forgetAnswers } from '../../../workflows/activities/kept-answers.ts';

const test = suite('answers that activities share');

test('are those of one visitor of one run, until something may have changed the site', () => {
  const first = answersTo('run', '');
  const other = answersTo('run-2', '');
  assert.is(answersTo('run', ''), first);
  assert.is.not(answersTo('run', 'alice'), first);
  forgetAnswers('run');
  assert.is.not(answersTo('run', ''), first);
  assert.is(answersTo('run-2', ''), other);
});

test.run();
