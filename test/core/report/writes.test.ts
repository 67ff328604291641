import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { writesBanner, writesSection } from '../../../core/report/writes.ts';
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

test('what stays is named with its place, and called neither taken back nor failed', () => {
  const writes = [sampleWrite(WriteState.LEFT), sampleWrite(WriteState.UNDONE)];
  const { text } = writesSection(writes);
  const inSight = text.slice(0, text.indexOf('<details'));
  for (const part of ['Entries that stay on the target', 'https://shop.example/guestbook', '1 request may have stored'])
    assert.match(inSight, part);
  assert.not.match(inSight, 'taking back failed');
  assert.not.match(inSight, 'by hand');
  const banner = writesBanner(writes).text;
  assert.match(banner, '1 change of this audit may still be on the target');
  assert.match(banner, 'See where');
});

test('requests that changed nothing are folded away with where that was seen, and make no banner', () => {
  const writes = [sampleWrite(WriteState.UNCHANGED)];
  const { text } = writesSection(writes);
  assert.match(text, 'No request of this audit changed anything.');
  assert.match(text, 'Requests that could have changed something and did not (1)');
  assert.match(text, 'https://shop.example/guestbook');
  assert.is(writesBanner(writes).text, '');
});

test('requests whose change no page showed are folded away with what was sent to take them back', () => {
  const writes = [sampleWrite(WriteState.UNSEEN)];
  const { text } = writesSection(writes);
  assert.match(text, 'No page shows that a request of this audit changed anything.');
  assert.match(text, 'Requests that were accepted, and whose change no page showed (1)');
  assert.not.match(text, 'Send ');
  assert.is(writesBanner(writes).text, '');
});

test('without changes there is no section', () => assert.is(writesSection([]).text, ''));

test.run();
