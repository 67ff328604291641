import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { neutralScripted } from '../../../workflows/observation/scripted-forms.ts';

const test = suite('what is sent of a request that a script makes');

test('the ledger is given no token of the request', () => {
  const fields = [
    { name: 'csrf_token', value: 'Zx81kq02mmPq7rTyUu3aLd', type: 'text' },
    { name: 'note', value: 'calm sea', type: 'text' },
  ];
  const page = { pageUrl: 'https://a.example/', action: 'https://a.example/notes', method: 'POST' as const };
  const form = { ...page, enctype: 'application/x-www-form-urlencoded', fields };
  const sent = neutralScripted({ form, tokens: [] }, { word: 'n0nceword', number: '17' });
  assert.ok(typeof sent === 'object');
  assert.is(sent.body, 'csrf_token=Zx81kq02mmPq7rTyUu3aLd&note=n0nceword');
  assert.is(sent.recordedBody, 'csrf_token=***&note=n0nceword');
});

test.run();
