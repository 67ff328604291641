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

test('is another where a bundler has put another part of the application into it', () => {
  const codeOfPart = (file: string): string =>
    codeOfPage(parsePage(`<script type="module">import "/assets/${file}"</script>`, 'http://site.localhost/'));
  assert.is.not(codeOfPart('login-DRx9Gw5L.js'), codeOfPart('visit-Bz4KIrng.js'));
});

test.run();
