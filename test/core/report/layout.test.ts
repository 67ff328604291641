import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { renderReport } from '../../../core/report/report.ts';
import { WriteState } from '../../../proto/gen/scanaudit/v1/runs_pb.ts';
import { firstRows } from '../../support/further.ts';
import { launchBrowser } from './browser.ts';
import { auditFindings } from './sample-audit.ts';
import { samplePermissions } from './sample-permissions.ts';
import { sampleFinding, sampleInput, sampleScan, sampleWrite } from './samples.ts';

const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const browser = await launchBrowser();
const layout = suite('how a report is laid out, in Chromium');

const full = renderReport(
  sampleInput({
    findings: auditFindings(),
    permissions: samplePermissions(),
    writes: [sampleWrite(WriteState.UNDO_FAILED), sampleWrite(WriteState.UNDONE)],
  }),
);
const incomplete = renderReport(
  sampleInput({
    scan: sampleScan({ coverage: { complete: false, gaps: [{ subject: 'login:b', text: 'no marker' }] } }),
  }),
);

async function open(report: string, options: Parameters<typeof browser.newPage>[0] = {}): Promise<Page> {
  const page = await browser.newPage(options);
  await page.setContent(report);
  return page;
}

const openDetails = (page: Page) =>
  page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });

for (const colorScheme of firstRows(['light', 'dark'] as const, 1)) {
  for (const [name, report] of firstRows(Object.entries({ incomplete, full, empty: renderReport(sampleInput()) }), 1)) {
    layout(`the ${name} report has no accessibility fault in ${colorScheme}`, async () => {
      const page = await open(report, { colorScheme });
      await openDetails(page);
      await page.evaluate(axeSource);
      const { violations, passes } = await page.evaluate<AxeResults>('axe.run()');
      assert.equal(
        violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id} ${node.html.slice(0, 200)}`)),
        [],
      );
      assert.ok(passes.some((rule) => rule.id === 'color-contrast'));
      await page.close();
    });
  }
}

layout('nothing is wider than the screen of a small phone', async () => {
  const page = await open(full, { viewport: { width: 320, height: 640 } });
  await openDetails(page);
  assert.is(await page.evaluate(() => document.documentElement.scrollWidth), 320);
  await page.close();
});

layout('headings come in order, none left out', async () => {
  const page = await open(full);
  const levels = await page.evaluate(() =>
    [...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map((heading) => Number(heading.localName.slice(1))),
  );
  assert.is(levels[0], 1);
  assert.is(levels.filter((level) => level === 1).length, 1);
  assert.ok(levels.every((level, index) => level <= (levels[index - 1] ?? 0) + 1));
  await page.close();
});

layout('every entry of the contents leads to a place in the report', async () => {
  const page = await open(full);
  const broken = await page.evaluate(() =>
    [...document.querySelectorAll('a[href^="#"]')]
      .map((link) => link.getAttribute('href') ?? '')
      .filter((href) => document.querySelectorAll(href).length !== 1),
  );
  assert.equal(broken, []);
  await page.close();
});

layout('evidence is closed on the screen and open on paper', async () => {
  const page = await open(full);
  const shown = () => page.evaluate(() => (document.querySelector('.curl')?.getBoundingClientRect().height ?? 0) > 0);
  const visible = () => page.locator('.curl').first().isVisible();
  assert.not.ok(await visible());
  await page.emulateMedia({ media: 'print' });
  assert.ok(await shown());
  assert.ok(await visible());
  await page.close();
});

layout('commands of several lines are selected as a whole by one click, as they are', async () => {
  const curl = "bash -e <<'END'\n# A note\nX=$(curl -sS https://shop.example/ | tr '\\t' ' ')\n  curl \"$X\"   -i\nEND";
  const findings = [sampleFinding({ proof: { trials: 2, curl } })];
  const page = await open(renderReport(sampleInput({ findings })));
  await openDetails(page);
  await page.locator('.curl code').first().click();
  assert.is(await page.evaluate(() => String(getSelection())), curl);
  await page.close();
});

layout('it prints on dark devices in light colours', async () => {
  const page = await open(full, { colorScheme: 'dark' });
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  assert.is(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(255, 255, 255)');
  const pdf = await page.pdf({ preferCSSPageSize: true });
  assert.is(pdf.subarray(0, 5).toString(), '%PDF-');
  await page.close();
});

layout.after(() => browser.close());
layout.run();
