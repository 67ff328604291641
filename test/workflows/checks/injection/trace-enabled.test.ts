import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Severity } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { traceEnabled } from '../../../../workflows/checks/injection/trace-enabled.check.ts';
import { type Answer, type Handler, html, type Request, startSite } from '../../../fixtures/site.ts';
import { places, runOn } from '../harness.ts';

const test = suite('injection.trace-enabled');

async function result(handler: Handler) {
  const site = await startSite(handler);
  try {
    return await runOn(site.url, traceEnabled);
  } finally {
    await site.close();
  }
}

const message = ({ method, target, headers }: Request, lineEnd: string): string =>
  [`${method} ${target} HTTP/1.1`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), '', ''].join(
    lineEnd,
  );

const repeated = (request: Request, lineEnd = '\r\n'): Answer => ({
  headers: { 'content-type': 'message/http' },
  body: message(request, lineEnd),
});

test('a server that repeats the request is reported, for information', async () => {
  for (const lineEnd of ['\r\n', '\n']) {
    const found = await result((request) => (request.method === 'TRACE' ? repeated(request, lineEnd) : html('hello')));
    assert.equal(places(found), ['TRACE /'], found.outcome.reason);
    assert.is(found.findings[0]?.severity, Severity.INFO);
    assert.match(found.findings[0]?.proof?.curl ?? '', /-X TRACE/);
  }
});

const clean: Record<string, Handler> = {
  'a server that refuses the method': ({ method }) => html('no', method === 'TRACE' ? 405 : 200),
  'a server that treats it as GET': () => html('hello'),
  'a page for developers that repeats every request': (request) => repeated({ ...request, method: 'TRACE' }),
  'a server that repeats the request line without its headers': ({ method, target }) =>
    method === 'TRACE' ? { body: `TRACE ${target} HTTP/1.1\r\n\r\n` } : html('hello'),
};

for (const [what, handler] of Object.entries(clean)) {
  test(`${what} is clean`, async () => {
    assert.is((await result(handler)).outcome.kind, 'clean');
  });
}

test.run();
