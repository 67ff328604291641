import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Depth, ScanStatus } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { registryOf } from '../../../workflows/checks/registry.ts';
import { checkLike } from '../support/checks.ts';
import { hasEnded } from '../support/installation.ts';
import { openSite, page } from '../support/site.ts';
import { openWorkbench } from '../support/workbench.ts';

const test = suite('login pages');

test('a login page without a link to it is looked at as anybody', async () => {
  const site = await openSite((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    if (pathname === '/staff-entrance')
      return page(response, '<form method="post"><input name="user"><input type="password" name="pass"></form>');
    return pathname === '/' ? page(response, '<h1>Welcome</h1>') : page(response, 'Not found', 404);
  });
  const seen: string[] = [];
  const looks = checkLike({
    id: 'pages.seen',
    detect: ({ surface }) => {
      seen.push(...surface.pages.map(({ url }) => new URL(url).pathname));
      return [];
    },
  });
  const bench = await openWorkbench(registryOf([looks], []));
  try {
    const { domains, host, scans } = bench;
    const url = `http://${host}:${site.port}/`;
    const kind = {
      case: 'form' as const,
      value: { url: `${url}staff-entrance`, username: 'ann', password: 'wrong-7' },
    };
    await domains.putLogin({ domain: host, name: 'a', login: { kind } });
    const { runId } = await scans.startScan({ url, depth: Depth.DEEP });
    assert.is((await bench.until(runId, hasEnded)).status, ScanStatus.COMPLETED);
    assert.ok(seen.includes('/staff-entrance'), seen.join(' '));
  } finally {
    await bench.close();
    await site.close();
  }
});

test.run();
