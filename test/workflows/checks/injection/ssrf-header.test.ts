import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ssrfHeader } from '../../../../workflows/checks/injection/ssrf-header.check.ts';
import { startCallbacks, type TestCallbacks } from '../../../fixtures/callbacks.ts';
import { type Handler, html, type Request, startSite } from '../../../fixtures/site.ts';
import { firstRows } from '../../../support/further.ts';
import { sideBySide } from '../../../support/side-by-side.ts';
import { check, openAudit, places, runOn } from '../harness.ts';

const suiteOfAll = suite('injection.ssrf-header');
const test = sideBySide(suiteOfAll, 8);
let callbacks: Promise<TestCallbacks> | undefined;
const listener = () => {
  callbacks ??= startCallbacks();
  return callbacks;
};
suiteOfAll.after(async () => (await callbacks)?.close());

async function result(handler: Handler) {
  const { probe } = await listener();
  const site = await startSite(handler);
  const audit = await openAudit(site.url, { callbacks: probe });
  try {
    return await check(audit, ssrfHeader);
  } finally {
    await audit.close();
    await site.close();
  }
}

const fetchQuietly = (url: string): void => void fetch(url).catch(() => {});

/** A page that does something with the headers it is asked with. */
const page =
  (use: (headers: Request['headers']) => void): Handler =>
  ({ path, headers }) => {
    if (path !== '/') return undefined;
    use(headers);
    return html('<p>Welcome</p>');
  };

const vulnerable: Record<string, [string, Handler]> = {
  'statistics that look at where visitors come from': [
    'Referer',
    page(({ referer }) => referer && fetchQuietly(String(referer))),
  ],
  'a page that asks its own interface at the host that a proxy names': [
    'X-Forwarded-Host',
    page((headers) => headers['x-forwarded-host'] && fetchQuietly(`http://${headers['x-forwarded-host']}/api/menu`)),
  ],
  'a look at the profile of a device': [
    'X-Wap-Profile',
    page((headers) => headers['x-wap-profile'] && fetchQuietly(String(headers['x-wap-profile']))),
  ],
};
for (const [what, [header, handler]] of firstRows(Object.entries(vulnerable), 1))
  test(`${what} is found`, async () => {
    const found = await result(handler);
    assert.equal([found.outcome.kind, places(found)], ['found', [`GET / ${header}`]], found.outcome.reason);
  });

const clean: Record<string, Handler> = {
  'addresses of the site itself': page(({ referer, host }) => {
    if (URL.parse(String(referer))?.host === host) fetchQuietly(String(referer));
  }),
  nothing: page(() => {}),
  'every address of a request, in whatever header': page((headers) => {
    for (const value of Object.values(headers)) if (/^http:/.test(String(value))) fetchQuietly(String(value));
  }),
};
for (const [what, handler] of firstRows(Object.entries(clean), 1))
  test(`a server that fetches ${what} is clean`, async () => {
    const found = await result(handler);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
  });

test('without a listener it is not run, and says why', async () => {
  const site = await startSite(page(() => {}));
  try {
    const { outcome } = await runOn(site.url, ssrfHeader);
    assert.equal([outcome.kind, outcome.omitted.map(({ code }) => code)], ['not-run', ['no_callback_listener']]);
  } finally {
    await site.close();
  }
});

suiteOfAll.run();
