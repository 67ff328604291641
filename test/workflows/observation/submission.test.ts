import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { neutralForm } from '../../../workflows/observation/submission.ts';
import { formInputs } from '../../../workflows/survey/form-inputs.ts';
import { parsePage } from '../../../workflows/survey/page.ts';

const test = suite('what is sent of a form');

test('what its page has of it is sent, and not what another form of the same program has', () => {
  const form = (act: string, fields: string) =>
    `<form method=post action="/?c=Tags&amp;act=${act}"><input type=hidden name=list value=7>${fields}<button>Go</button></form>`;
  const page =
    form('clear', '') + form('note', '<input type=checkbox name=shared value=yes checked><input name=words value="">');
  const [, note] = parsePage(page, 'https://a.example/').forms;
  assert.ok(note);
  const sent = neutralForm(note, page, { word: 'n0nceword', number: '17' });
  assert.is(typeof sent === 'string' ? sent : sent.body, 'list=7&shared=yes&words=n0nceword');
});

test('where the form is not on its page any more, no box is ticked that was not', () => {
  const page =
    '<form method=post action=/shelf><input name=label value=""><input type=checkbox name=empty_first value=1><input type=checkbox name=shared value=1 checked><input type=checkbox name=agreed value=1 required><button>Go</button></form>';
  const [shelf] = parsePage(page, 'https://a.example/').forms;
  assert.ok(shelf);
  const sent = neutralForm(shelf, '<p>Please wait', { word: 'n0nceword', number: '17' });
  assert.is(typeof sent === 'string' ? sent : sent.body, 'label=n0nceword&shared=1&agreed=1');
});

test('of fields that a page repeats for each of its entries one is given a value', () => {
  const row = (id: number) => `<textarea name="note-${id}"></textarea><input type=number name="hours-${id}">`;
  const page = `<form method=post action=/day>${[3, 5, 8].map(row).join('')}<input name=title><button>Save</button></form>`;
  const [day] = parsePage(page, 'https://a.example/').forms;
  assert.ok(day);
  const sent = neutralForm(day, page, { word: 'n0nceword', number: '17' });
  assert.is(
    typeof sent === 'string' ? sent : sent.body,
    'note-3=n0nceword&hours-3=17&note-5=&hours-5=&note-8=&hours-8=&title=n0nceword',
  );
});

test('an entry that is there already is not chosen unless the form wants one', () => {
  const choice = (more: string) =>
    `<select name="LoadList"${more}><option value="">-</option><option value=4>Mine</option></select>`;
  const bodyOf = (more: string) => {
    const page = `<form method=post action=/lists><input name=title>${choice(more)}<input name="1-MergeInto"><select name=kind><option value="">-</option><option>short</option></select><button>Save</button></form>`;
    const [form] = parsePage(page, 'https://a.example/').forms;
    assert.ok(form);
    const sent = neutralForm(form, page, { word: 'n0nceword', number: '17' });
    return typeof sent === 'string' ? sent : sent.body;
  };
  assert.is(bodyOf(''), 'title=n0nceword&LoadList=&1-MergeInto=&kind=short');
  assert.is(bodyOf(' required'), 'title=n0nceword&LoadList=4&1-MergeInto=&kind=short');
});

test('what a page demands of a field is what it is sent, so that the form is taken', () => {
  const page =
    '<form method=post action=/parcel><input name=who required><input name=postcode pattern="[0-9]{5}" required><input type=number name=boxes min=1 max=9><button>Next</button></form>';
  const [parcel] = parsePage(page, 'https://a.example/').forms;
  assert.ok(parcel);
  const sent = neutralForm(parcel, page, { word: 'n0nceword', number: '1712' });
  assert.is(typeof sent === 'string' ? sent : sent.body, 'who=n0nceword&postcode=11111&boxes=9');
  const [who] = formInputs(parcel);
  assert.equal(who?.others, [
    { name: 'postcode', value: '11111' },
    { name: 'boxes', value: '1' },
  ]);
});

test.run();
