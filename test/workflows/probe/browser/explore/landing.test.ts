import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isLedBack, landingOf } from '../../../../../workflows/probe/browser/explore/landing.ts';
import { html, startSite } from '../../../../fixtures/site.ts';
import { testBrowsers } from '../../../../support/browsers.ts';
import { openFor } from '../../support.ts';

const browsers = testBrowsers();
const test = suite('a page that leads to another one');
test.after(() => browsers.close());

const site = 'https://a.example';
const used = new Set([landingOf(`${site}/app/login`, `${site}/app/`), landingOf(`${site}/#/start?tab=2`, `${site}/`)]);

for (const [standing, asked, isKnown] of [
  ['/app/login', '/app/orders', true],
  ['/app/login?next=/app/orders', '/app/orders', true],
  ['/app/login?to=%252Forders', '/app/orders', true],
  ['/app/login?next=/app/orders&kind=staff', '/app/orders', false],
  ['/app/login', '/app/login', false],
  ['/app/users', '/app/orders', false],
  ['/#/start', '/orders', true],
  ['/#/end', '/orders', false],
] as const)
  test(`${asked} that stands at ${standing} is ${isKnown ? '' : 'not '}known`, () => {
    assert.is(isLedBack(site + standing, site + asked, used), isKnown);
  });

test('is read and not used again where the place that it leads to was used', async () => {
  const asked: string[] = [];
  const app = await startSite(({ path }) => {
    if (path === '/note') asked.push(path);
    return html(
      `<script>if (location.pathname !== '/login') history.replaceState(0, '', '/login?next=' + location.pathname)</script><h1>Log in</h1><button type=button onclick="fetch('/note')">Help</button>`,
    );
  });
  const probes = openFor(app.url, { browsers });
  try {
    const places = new Set<string>();
    for (const [path, times] of [
      ['/login', 1],
      ['/orders', 1],
    ] as const) {
      const url = app.url + path;
      const { finalUrl, states, unused } = await probes.browser.explore({
        url,
        timeoutMs: 15_000,
        places,
        headers: [],
      });
      places.add(landingOf(finalUrl, url));
      assert.is(asked.length, times, path);
      assert.match(states.join(), 'Log in');
      assert.is(unused, 0);
    }
  } finally {
    await probes.close();
    await app.close();
  }
});

test.run();
