import type { Browser } from 'playwright-core';
import * as assert from 'uvu/assert';
import { renderReport } from '../../../core/report/report.ts';
import { watch } from './browser.ts';
import { hostileInput } from './hostile-input.ts';

/** Elements and attributes that a report never has. */
export const strange = () => {
  const known =
    'html head meta title link style body a header main nav footer section article div p span strong h1 h2 h3 h4 h5 ol ul li dl dt dd time code pre mark br table caption thead tbody tr th td details summary figure figcaption svg desc text rect circle path'.split(
      ' ',
    );
  const found: string[] = [];
  for (const element of document.querySelectorAll('*')) {
    if (!known.includes(element.localName)) found.push(`<${element.localName}>`);
    for (const { name, value } of element.attributes) {
      if (name.startsWith('on') || ['style', 'src', 'srcdoc', 'action', 'formaction'].includes(name)) found.push(name);
      if (name !== 'href' || element.localName === 'link' || value.startsWith('#')) continue;
      if (!/^https?:\/\//.test(value) || element.getAttribute('rel') !== 'noreferrer noopener') found.push(value);
    }
  }
  return found;
};

/** Opens a report for each payload, with the payload in every string field. @throws when one does anything */
export async function assertHarmless(browser: Browser, payloads: readonly string[]): Promise<void> {
  const page = await browser.newPage();
  const deeds = await watch(page);
  for (const payload of payloads) {
    await page.setContent(renderReport(hostileInput(payload)));
    assert.equal(deeds, [], payload);
    assert.equal(await page.evaluate(strange), [], payload);
    assert.is.not(await page.title(), 'owned');
  }
  await page.close();
}
