import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { refusesField } from '../../../workflows/observation/refused-field.ts';

const test = suite('a field that is marked as refused');

const page = '<form><div class="row"><input name="way"></div></form>';
const input = '<input name="way" value="w7k2">';

const refused: Record<string, string> = {
  'by its class': '<form><input class="form-control is-invalid" name="way" value="w7k2"></form>',
  'for those who do not see it': '<form><input name="way" value="w7k2" aria-invalid="true"></form>',
  'by what is around it': `<form><div class="fieldWithErrors"><span>${input}</span></div></form>`,
  'by what stands beside it': `<form><p><ul class="errorlist"><li>No way</li></ul></p><div><ul class="errorlist"></ul>${input}</div></form>`,
  'for long texts': '<form><div class="has-error"><textarea name="way">w7k2</textarea></div></form>',
};
for (const [how, html] of Object.entries(refused))
  test(`is known ${how}`, () => assert.ok(refusesField(html, page, ['w7k2'])));

const taken: Record<string, [string, string?]> = {
  'a message outside of it': [`<p class="error">None</p><form><div>${input}</div><p class="error">None</p></form>`],
  'a mark of another field': [`<form><div class="error"><input name="who"></div><div>${input}</div></form>`],
  'a mark that was there before': [
    `<form><div>${input}<i class="invalid-feedback"></i></div></form>`,
    '<form><div><input name="way"><i class="invalid-feedback"></i></div></form>',
  ],
  'words that only begin so': [`<form><div class="errorless"><b class="terror"></b>${input}</div></form>`],
  'another value': ['<form><div class="error"><input name="way" value="other"></div></form>'],
};
for (const [what, [html, before = page]] of Object.entries(taken))
  test(`is not seen in ${what}`, () => assert.not.ok(refusesField(html, before, ['w7k2'])));

test.run();
