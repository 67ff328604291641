import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { launchBrowser } from '../core/report/browser.ts';
import { assertHarmless } from '../core/report/hostile-page.ts';
import { payloads } from '../core/report/payloads.ts';

const test = suite('a report over hostile texts, in Chromium');

test('200 payloads in every string field do nothing', async () => {
  assert.is(payloads.length, 200);
  const browser = await launchBrowser();
  try {
    await assertHarmless(browser, payloads);
  } finally {
    await browser.close();
  }
});

test.run();
