import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { renderReport } from '../../../core/report/report.ts';
import { firstRows } from '../../support/further.ts';
import { launchBrowser, watch } from './browser.ts';
import { hostileInput } from './hostile-input.ts';
import { assertHarmless, strange } from './hostile-page.ts';
import { onePerCarrier } from './payloads.ts';
import { sampleFinding, sampleInput } from './samples.ts';

const browser = await launchBrowser();
const hostile = suite('a report over hostile texts, in Chromium');

hostile('the watch sees what a page does', async () => {
  const page = await browser.newPage();
  const deeds = await watch(page);
  await page.setContent('<svg onload="alert(1)"><img src="https://canary.example/x" onerror="1">');
  assert.ok(deeds.includes('dialog 1'));
  assert.ok(deeds.includes('request https://canary.example/x'));
  assert.ok((await page.evaluate(strange)).includes('onload'));
  await page.close();
});

hostile('a payload of each kind in every string field does nothing', () =>
  assertHarmless(browser, firstRows(onePerCarrier, 4)),
);

hostile('a payload is shown as the text that it is', async () => {
  const page = await browser.newPage();
  const payload = '"><img src=x onerror="alert(1)">';
  await page.setContent(renderReport(hostileInput(payload)));
  assert.is(await page.locator('h1').textContent(), payload);
  assert.ok((await page.locator('.finding h3').allTextContents()).every((title) => title.endsWith(payload)));
  assert.ok((await page.locator('.seen mark').allTextContents()).includes(payload));
  assert.ok((await page.locator('.matrix th code').allTextContents()).includes(payload));
  assert.ok(
    (await page.locator('.matrix .beyond .asked').allTextContents()).includes(`same as ${payload}, not linked`),
  );
  await page.close();
});

hostile('characters that hide or reorder text are shown by their code', async () => {
  const title = 'a\u202eb\u200bc\u0007d';
  const report = renderReport(sampleInput({ findings: [sampleFinding({ title })] }));
  assert.match(report, 'a⟨U+202E⟩b⟨U+200B⟩c⟨U+0007⟩d');
  assert.not.match(report, /(?!\n)[\p{Cc}\p{Cf}]/u);
});

hostile('a script that got into the page all the same is refused by its policy', async () => {
  const page = await browser.newPage();
  const deeds = await watch(page);
  const report = renderReport(sampleInput()).replace(
    '</main>',
    '<script>alert(1)</script><img src=x onerror=alert(2)></main>',
  );
  await page.setContent(report);
  assert.not.ok(
    deeds.some((deed) => deed.startsWith('dialog') || deed.startsWith('request')),
    deeds.join(),
  );
  assert.ok(deeds.some((deed) => /console .*Content Security Policy/.test(deed)));
  await page.close();
});

hostile.after(() => browser.close());
hostile.run();
