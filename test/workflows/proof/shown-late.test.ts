import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { makeNonce } from '../../../workflows/activities/audit-context.ts';
import { claim, type Step } from '../../../workflows/model/experiment.ts';
import { prove } from '../../../workflows/proof/prove.ts';
import { html, json, startSite } from '../../fixtures/site.ts';
import { testBrowsers } from '../checks/harness.ts';
import { openFor } from '../probe/support.ts';

const test = suite('what script is slow to show');

/** Its form is there once its settings have come. */
const application = html(`<div id="app"></div><script>
  fetch('/settings').then((answer) => answer.json()).then(({ field }) => {
    app.innerHTML = '<input type="' + field + '">';
  });
</script>`);

test('is waited for in a step, and not in a control', async () => {
  const site = await startSite(({ path }) => {
    if (path === '/settings') return { ...json({ field: 'password' }), afterMs: 3_000 };
    return path === '/' ? application : undefined;
  });
  const browsers = testBrowsers();
  const probes = openFor(site.url, { browsers });
  const signal = new AbortController().signal;
  const context = { ...probes, identities: {}, nonce: () => makeNonce(), now: () => new Date(), signal };
  const shows = (type: string): Step => ({
    browser: { url: `${site.url}/` },
    note: 'It shows the field.',
    expect: [claim('browser:html', 'matches', `<input type="${type}">`)],
  });
  try {
    const verdict = await prove({ steps: [shows('password')], control: [shows('‹nonce›')] }, context);
    assert.is(verdict.proven, true, verdict.proven ? '' : verdict.reason);
    const other = await prove({ steps: [shows('search')], control: [shows('‹nonce›')] }, context);
    assert.is(other.proven, false);
  } finally {
    await probes.close();
    await browsers.close();
    await site.close();
  }
});

test.run();
