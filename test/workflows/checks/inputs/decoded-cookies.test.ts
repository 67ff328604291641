import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withDecodedCookies } from '../../../../workflows/checks/inputs/decoded-cookies.ts';
import { inputAction } from '../../../../workflows/checks/inputs/input-request.ts';
import { inputsToProbe } from '../../../../workflows/checks/inputs/probe-inputs.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import { openAudit } from '../harness.ts';

const test = suite('cookies that a server decodes');

/** @param show what the page is made of, of the cookie as it came */
async function sentTo(show: (taste: string) => string, given = 'plain'): Promise<string> {
  const site = await startSite(({ path, headers }) => {
    const taste = /(?:^|;\s*)taste=([^;]*)/.exec(headers.cookie ?? '')?.[1] ?? 'none';
    return path === '/'
      ? { ...html(`<p>${show(taste)}</p>`), headers: { 'set-cookie': `taste=${given}; Path=/` } }
      : undefined;
  });
  const audit = await openAudit(site.url);
  try {
    const cookies = inputsToProbe(audit.context.surface).filter((input) => input.in === 'cookie');
    const [input] = await withDecodedCookies(audit.context, cookies);
    const headers = input ? (inputAction(input, `${input.sample}a', 'b ‹nonce›`).headers ?? []) : [];
    return headers.find(([name]) => name === 'Cookie')?.[1] ?? '';
  } finally {
    await audit.close();
    await site.close();
  }
}

const lamps: Record<string, string> = { plain: 'Plain lamps', odd: 'Odd lamps' };

test('are sent values in percent signs where the site takes its own so', async () => {
  assert.is(await sentTo((taste) => lamps[decodeURIComponent(taste)] ?? 'No lamps'), "taste=plaina'%2C%20'b%20‹nonce›");
});

test('are sent the value that a plus stands for a space in', async () => {
  const show = (taste: string) => (decodeURIComponent(taste.replaceAll('+', ' ')) === 'old lamps' ? 'Lamps' : 'None');
  assert.is(await sentTo(show, 'old+lamps'), "taste=old%20lampsa'%2C%20'b%20‹nonce›");
});

test('are sent values as they are where it does not, and where the page does not show it', async () => {
  assert.is(await sentTo((taste) => lamps[taste] ?? 'No lamps'), "taste=plaina', 'b ‹nonce›");
  assert.is(await sentTo(() => 'Lamps'), "taste=plaina', 'b ‹nonce›");
});

test.run();
