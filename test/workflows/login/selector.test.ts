import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pageForms } from '../../../workflows/login/page-forms.ts';
import { findControl, needsBrowser } from '../../../workflows/login/selector.ts';

const selectors = suite('selectors');

const controls =
  pageForms(
    `<form><input name="user[email]" id="user.email" class="field wide" data-testid="mail" type="email">
     <input name="input" id="pw" class="field" type="password"><button id="go" class="wide">Go</button></form>`,
    'https://a.example/',
  )[0]?.controls ?? [];

for (const [given, id] of [
  ['user[email]', 'user.email'],
  ['input', 'pw'],
  ['#pw', 'pw'],
  ['#user\\.email', 'user.email'],
  ['input.field.wide', 'user.email'],
  ['input[type=password]', 'pw'],
  ['[type="email"].wide', 'user.email'],
  ['[data-testid]', 'user.email'],
  ["[data-testid^='ma']", 'user.email'],
  ['[class~=wide]', 'user.email'],
  ['[name$="email]"]', 'user.email'],
  ['button', 'go'],
  ['*', 'user.email'],
  ['#none', undefined],
  ['nothing', undefined],
] as const)
  selectors(`${given} names ${id ?? 'nothing'}`, () => {
    assert.is(findControl(controls, given)?.id, id);
    assert.is(needsBrowser(given), false);
  });

for (const given of ['form > input', '.login input', 'input, button', 'input:visible', 'text=Sign in', '['])
  selectors(`${given} is left to the browser`, () => {
    assert.is(needsBrowser(given), true);
    assert.is(findControl(controls, given), undefined);
  });

selectors('no selector needs nothing', () => assert.is(needsBrowser(''), false));

selectors.run();
