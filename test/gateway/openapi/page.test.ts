import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { endpointsOf } from '../../../gateway/endpoints.ts';
import { documentSecurityPolicy } from '../../../gateway/headers.ts';
import { launchBrowser } from '../../core/report/browser.ts';
import { firstRows, further } from '../../support/further.ts';
import { type GatewayUnderTest, startGateway } from '../support.ts';

type World = { it: GatewayUnderTest; browser: Awaited<ReturnType<typeof launchBrowser>> };
type Look = { page: Page; complaints: string[] };

const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const test = suite('/docs, in Chromium', {} as World);
test.before(async (world) => {
  Object.assign(world, { it: await startGateway(() => {}), browser: await launchBrowser() });
});
test.after(async ({ it, browser }) => {
  await browser.close();
  await it.close();
});

async function open({ it, browser }: World, options: Parameters<World['browser']['newPage']>[0] = {}): Promise<Look> {
  const page = await browser.newPage(options);
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('request', (request) => {
    if (!request.url().startsWith(it.baseUrl)) complaints.push(request.url());
  });
  await page.goto(`${it.baseUrl}/docs`);
  return { page, complaints };
}

test('needs no key and no script, and says so in its policy', async ({ it }) => {
  const answer = await fetch(`${it.baseUrl}/docs`);
  assert.is(answer.status, 200);
  assert.is(answer.headers.get('content-security-policy'), documentSecurityPolicy);
  assert.not.match(await answer.text(), /<script/i);
});

test('shows every operation, with nothing from elsewhere and no complaint of the browser', async (world) => {
  const { page, complaints } = await open(world);
  for (const { rpc } of endpointsOf().filter(({ mediaTypes }) => !mediaTypes.includes('application/sarif+json')))
    assert.is(await page.locator(`h2#${rpc.localName}`).count(), 1, rpc.localName);
  const dangling = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')]
      .map((link) => link.hash.slice(1))
      .filter((id) => !document.getElementById(id)),
  );
  assert.equal(dangling, []);
  assert.not.match((await page.locator('body').allInnerTexts()).join(), /`|undefined|\[object/);
  assert.equal(complaints, []);
  await page.close();
});

for (const colorScheme of firstRows(['light', 'dark'] as const, 1))
  further(test)(`has no accessibility fault in ${colorScheme}`, async (world) => {
    const { page } = await open(world, { colorScheme, bypassCSP: true });
    await page.setContent(await page.content());
    await page.evaluate(axeSource);
    const { violations } = await page.evaluate<AxeResults>('axe.run()');
    assert.equal(
      violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id} ${node.html.slice(0, 200)}`)),
      [],
    );
    await page.close();
  });

test('is not wider than the screen of a small phone', async (world) => {
  const { page } = await open(world, { viewport: { width: 320, height: 640 } });
  assert.is(await page.evaluate(() => document.documentElement.scrollWidth), 320);
  await page.close();
});

test.run();
