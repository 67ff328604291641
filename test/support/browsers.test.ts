import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { beginBatch } from './batch-end.ts';
import { testBrowsers } from './browsers.ts';

const Browsers = suite('browsers of test files');

Browsers('are one for all files of a batch, until it ends', async () => {
  const endBatch = beginBatch();
  const [one, other] = [testBrowsers(), testBrowsers()];
  const browser = await one.browser();
  await one.close();
  assert.is(await other.browser(), browser);
  assert.ok(browser.isConnected());
  await endBatch();
  assert.not.ok(browser.isConnected());
});

Browsers('belong to the file alone when it asks for settings, or has its process for itself', async () => {
  const endBatch = beginBatch();
  const [shared, own] = [
    testBrowsers(),
    testBrowsers({ sandbox: process.env.BROWSER_SANDBOX === 'off' ? 'off' : 'on' }),
  ];
  assert.is.not(await own.browser(), await shared.browser());
  await Promise.all([own.close(), endBatch()]);
  const alone = testBrowsers();
  const browser = await alone.browser();
  await alone.close();
  assert.not.ok(browser.isConnected());
});

Browsers.run();
