import { randomBytes } from 'node:crypto';
import nunjucks from 'nunjucks';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Writes } from '../../../proto/gen/scanaudit/v1/domains_pb.ts';
import { Depth, ScanStatus } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { storedTemplate } from '../../../workflows/checks/injection/stored-template.check.ts';
import { registryOf } from '../../../workflows/checks/registry.ts';
import { escapeHtml, html, redirect, startSite } from '../../fixtures/site.ts';
import { hasEnded } from '../support/installation.ts';
import { openWorkbench, type Workbench } from '../support/workbench.ts';

type Bakery = { bench: Workbench };
const test = suite<Bakery>('steps that one session takes after the other');

test.before(async (world) => {
  world.bench = await openWorkbench(registryOf([storedTemplate], []));
});
test.after(({ bench }) => bench.close());

type CakeOrder = { size?: string; name?: string; text?: string };

function rendered(text: string): string {
  try {
    return nunjucks.renderString(text, {});
  } catch {
    return '';
  }
}

/** A cake in three steps, each of which opens the next in the same session; what is written on it is shown behind the last. */
async function found({ bench }: Bakery, isTemplate: boolean): Promise<string[]> {
  const orders = new Map<string, CakeOrder>();
  const page = (fields: string, action: string) =>
    html(`<h1>Cakes</h1><form method=post action="${action}">${fields}<button>Preview</button></form>`);
  const site = await startSite(
    ({ method, path, body, cookies }) => {
      const id = orders.has(cookies.cake ?? '') ? (cookies.cake ?? '') : randomBytes(9).toString('hex');
      const order = orders.get(id) ?? {};
      orders.set(id, order);
      const cookie = { 'set-cookie': `cake=${id}; Path=/; HttpOnly` };
      const sent = method === 'POST' ? Object.fromEntries(new URLSearchParams(body)) : undefined;
      const goOn = (to: string) => redirect(to, 303, cookie);
      if (path === '/') return html('<a href="/cake/size">Order a cake</a>');
      if (path === '/cake/size') {
        if (!sent) return page('<select name=size><option>small<option>large</select>', path);
        order.size = sent.size === 'large' ? 'large' : 'small';
        return goOn('/cake/name');
      }
      if (!order.size) return goOn('/cake/size');
      if (path === '/cake/name') {
        if (!sent) return page('<input name=person required><input name=guests type=number min=2 max=40>', path);
        if (!sent.person || !(Number(sent.guests) >= 2)) return html('<p>For whom, and how many?</p>');
        order.name = sent.person;
        return goOn('/cake/text');
      }
      if (!order.name) return goOn('/cake/name');
      if (path === '/cake/text') {
        if (!sent) return page('<textarea name=words maxlength=200></textarea>', path);
        order.text = sent.words ?? '';
        return goOn('/cake/look');
      }
      if (!order.text) return goOn('/cake/text');
      if (path !== '/cake/look') return undefined;
      return html(
        `<h1>Your cake</h1><p>${escapeHtml(isTemplate ? rendered(order.text) : order.text)}</p><a href="/cake/text">Change the words</a>`,
      );
    },
    { host: bench.host },
  );
  try {
    await bench.domains.putScope({ domain: bench.host, scope: { writes: Writes.CREATE } });
    const { runId } = await bench.scans.startScan({ url: site.url, depth: Depth.DEEP });
    const { status } = await bench.until(runId, hasEnded, 120_000);
    assert.is(status, ScanStatus.COMPLETED);
    const { items } = await bench.scans.listFindings({ runId });
    return items.map(({ location }) => `${new URL(location?.url ?? '').pathname} ${location?.parameter}`);
  } finally {
    await site.close();
  }
}

test('what the last of three steps is sent is tried, and data that stays data is none', async (world) => {
  assert.equal(await found(world, true), ['/cake/text words']);
  assert.equal(await found(world, false), []);
});

test.run();
