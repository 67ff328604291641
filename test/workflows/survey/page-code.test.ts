import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parsePage } from '../../../workflows/survey/page.ts';
import { codeOfPage } from '../../../workflows/survey/page-code.ts';

const test = suite('the code of a page');

const codeWith = (address: string): string =>
  codeOfPage(
    parsePage(
      `<button id="b">Go</button><script>b.onclick = () => fetch("${address}", { method: "POST" })</script>`,
      'http://site.localhost/',
    ),
  );

test('is the same where its script asks for another number of one thing', () => {
  assert.is(codeWith('/orders/17'), codeWith('/orders/18'));
});

test('is another where its script asks another program', () => {
  assert.is.not(codeWith('/reports/Report00017'), codeWith('/reports/Report00018'));
});

test.run();
