import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ProbeError } from '../../../../workflows/model/probe-error.ts';
import type { BrowserPool } from '../../../../workflows/probe/browser/launch.ts';
import { type Handler, html, redirect, startSite } from '../../../fixtures/site.ts';
import { openAudit, testBrowsers } from '../../checks/harness.ts';
import { openTestProbes } from '../../support/checks.ts';

type Given = { browsers: BrowserPool };
const test = suite<Given>('requests behind the write gate');

test.before((given) => {
  given.browsers = testBrowsers();
});
test.after(({ browsers }) => browsers.close());

/** A site that notes what it was asked for. */
async function startNoting(answer: Handler) {
  const asked: string[] = [];
  const site = await startSite((request) => {
    asked.push(`${request.method} ${request.path}`);
    return answer(request);
  });
  return { ...site, asked };
}

const isRefused = (error: unknown): boolean => error instanceof ProbeError && error.code === 'refused';

test('what the gate refuses is sent by no instrument, and counted', async ({ browsers }) => {
  const site = await startNoting(() =>
    html(`<p>Shop</p><script>
      fetch('/notes/3', { method: 'DELETE' });
      fetch('/notes', { method: 'POST', body: 'text=a' });
      fetch('/notes/3/delete');
      new Image().src = '/logout';
      new WebSocket('ws://' + location.host + '/live');
      fetch('/list');
    </script>`),
  );
  const probes = openTestProbes(site.url, undefined, browsers);
  try {
    for (const request of [
      { url: `${site.url}/notes/3/delete` },
      { url: `${site.url}/notes/3`, method: 'DELETE' },
      { url: `${site.url}/notes`, method: 'POST', body: 'text=a' },
    ])
      await probes.http.send(request).then(
        () => assert.unreachable(request.url),
        (error: unknown) => assert.ok(isRefused(error)),
      );
    await probes.browser.visit({ url: `${site.url}/` });
    assert.equal([...new Set(site.asked)].filter((line) => !line.endsWith('/favicon.ico')).toSorted(), [
      'GET /',
      'GET /list',
    ]);
    const codes = probes.gate.refusals().map(({ code }) => code);
    assert.equal(codes.toSorted(), ['ends-session', 'not-observed', 'unsafe-method', 'websocket', 'would-act']);
  } finally {
    await Promise.all([probes.close(), site.close()]);
  }
});

test('a redirect that leads to an action is not followed', async () => {
  const site = await startNoting(({ path }) => (path === '/go' ? redirect('/notes/3/delete') : html('gone')));
  const probes = openTestProbes(site.url);
  try {
    const answer = await probes.http.get(`${site.url}/go`, { maxRedirects: 3 });
    assert.is(answer.status, 302);
    assert.equal(site.asked, ['GET /go']);
  } finally {
    await Promise.all([probes.close(), site.close()]);
  }
});

test('checks are given no place that the gate refuses, and the engine can still send what it has recorded', async () => {
  const site = await startNoting(({ path }) =>
    path === '/'
      ? html(`<a href="/item?id=1">Lamp</a> <a href="/x/5"><i class="icon-trash"></i></a> <a href="/y/6">Delete this note</a>
        <form method="post" action="/guestbook"><input name="who"><textarea name="words"></textarea></form>
        <form method="post" action="/search"><input name="q"></form>`)
      : html('page'),
  );
  const audit = await openAudit(site.url);
  try {
    const places = audit.context.surface.inputs.map(
      ({ method, route, parameter }) => `${method} ${route} ${parameter}`,
    );
    assert.equal(places.toSorted(), ['GET /item id', 'POST /search Referer', 'POST /search q']);
    assert.equal(
      site.asked.filter((line) => /\/[xy]\//.test(line)),
      [],
    );
    const { http } = audit.context;
    await http.get(`${site.url}/y/7`).then(
      () => assert.unreachable(),
      (error: unknown) => assert.ok(isRefused(error)),
    );
    await audit.licensed('write').send({ url: `${site.url}/profile`, method: 'PUT', body: 'a=b' });
    assert.ok(site.asked.includes('PUT /profile'));
    assert.not.ok('licensed' in audit.context || 'gate' in audit.context);
  } finally {
    await Promise.all([audit.close(), site.close()]);
  }
});

test.run();
