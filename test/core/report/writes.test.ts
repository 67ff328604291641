import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { writesSection } from '../../../core/report/writes.ts';
import { WriteState } from '../../../proto/gen/scanaudit/v1/runs_pb.ts';
import { sampleWrite } from './samples.ts';

const test = suite('the changes in a report');

test('those that were taken back are folded away, and counted', () => {
  const { text } = writesSection([sampleWrite(WriteState.UNDONE), sampleWrite(WriteState.UNDONE)]);
  assert.match(text, '<details class="evidence"><summary>Changes that were taken back (2)</summary>');
  assert.not.match(text, 'may still be on the target');
});

test('those that may remain stand in sight, with what to do', () => {
  const { text } = writesSection([sampleWrite(WriteState.UNDONE), sampleWrite(WriteState.UNDO_FAILED)]);
  const inSight = text.slice(0, text.indexOf('<details'));
  assert.match(inSight, 'Changes that may still be on the target');
  assert.match(inSight, 'taking back failed');
  assert.match(text.slice(inSight.length), 'taken back (1)');
});

test('without changes there is no section', () => assert.is(writesSection([]).text, ''));

test.run();
