import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { greetedNames } from '../../../../workflows/checks/access/greeted-names.ts';

const test = suite('access: names by which a page greets its user');

for (const [html, names] of [
  ['<h1>Welcome back, Tessa Lund!</h1>', ['Tessa Lund']],
  ['<p>Signed in as <b>Tessa</b></p>', ['Tessa']],
  ['<p>Hello Tessa Lund, you have 2 letters</p>', ['Tessa Lund']],
  ['<p>Welcome back!</p><p>Hello there</p>', []],
  ['<p>Welcome Guest</p>', []],
  ['<p>Welcome to our shop</p>', []],
] as const)
  test(`${html}`, () => assert.equal(greetedNames(html), [...names]));

test.run();
