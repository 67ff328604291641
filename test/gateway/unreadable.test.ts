import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { AccessService } from '../../proto/gen/scanaudit/v1/access_pb.ts';
import { ScanService } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { assertSaysWhatToDo } from '../support/says-what-to-do.ts';
import { type GatewayUnderTest, missingKey, startGateway } from './support.ts';

type World = { it: GatewayUnderTest; started: number; checked: string[]; check: () => void };
const test = suite('requests that cannot be read', {} as World);

test.before(async (world) => {
  world.it = await startGateway((router) => {
    router.service(AccessService, {
      check: ({ method }) => {
        world.checked.push(method);
        world.check();
        return {};
      },
    });
    router.service(ScanService, {
      startScan: () => {
        world.started += 1;
        return {};
      },
    });
  });
});
test.before.each((world) => {
  Object.assign(world, { started: 0, checked: [], check: () => {} });
});
test.after((world) => world.it.close());

type Init = RequestInit & { path?: string };
const send = ({ it }: World, { path = '/api/v1/scans', ...init }: Init = {}) => fetch(`${it.baseUrl}${path}`, init);
const post = (body: BodyInit, headers: Record<string, string> = {}): Init => ({
  method: 'POST',
  body,
  headers: { 'content-type': 'application/json', ...headers },
});

const unreadable: [what: string, init: Init, status: number, code: string][] = [
  ['a body that is not JSON', post('{'), 400, 'invalid_body'],
  ['an unknown field', post('{"url":"a","deph":"deep"}'), 400, 'unknown_field'],
  ['a wrong depth', post('{"url":"a","depth":"DEEP"}'), 400, 'invalid_depth'],
  ['a url that is no string', post('{"url":1}'), 400, 'invalid_url'],
  ['an unknown parameter', { path: '/api/v1/scans?colour=1' }, 400, 'invalid_parameter'],
  ['a parameter beside a body', { ...post('{"url":"a"}'), path: '/api/v1/scans?depth=deep' }, 400, 'invalid_parameter'],
  [
    'an idempotency key that gRPC cannot carry',
    post('{"url":"a"}', { 'idempotency-key': 'é' }),
    400,
    'invalid_parameter',
  ],
  ['a path field in the body', { ...post('{"runId":"b"}'), path: '/api/v1/scans/a/cancel' }, 400, 'unknown_field'],
  ['an Accept that cannot be served', { headers: { accept: 'image/png' } }, 406, 'not_acceptable'],
  ['a body that is too large', post(`{"url":"${'a'.repeat(65_536)}"}`), 413, 'content_too_large'],
  ['a form', post('url=a', { 'content-type': 'application/x-www-form-urlencoded' }), 415, 'unsupported_media_type'],
  [
    'another charset',
    post('{"url":"a"}', { 'content-type': 'application/json; charset=latin1' }),
    415,
    'unsupported_media_type',
  ],
  ['a compressed body', post('{"url":"a"}', { 'content-encoding': 'gzip' }), 415, 'unsupported_media_type'],
  [
    'a body without a type',
    { method: 'POST', body: new TextEncoder().encode('{"url":"a"}') },
    415,
    'unsupported_media_type',
  ],
];
for (const [what, init, status, code] of unreadable) {
  test(`answers ${status} for ${what}, and never reaches the RPC`, async (world) => {
    const answer = await send(world, init);
    assert.is(answer.status, status);
    const problem = (await answer.json()) as { code: string; detail: string };
    assert.is(problem.code, code);
    assertSaysWhatToDo(problem.detail);
    assert.is(world.started, 0);
    assert.is(world.checked.length, 1);
    assert.match(world.checked[0] ?? '', /^scanaudit\.v1\.ScanService\/(StartScan|ListScans|CancelScan)$/);
  });

  test(`answers what core refuses first instead of ${status} for ${what}`, async (world) => {
    world.check = () => {
      throw missingKey();
    };
    const answer = await send(world, init);
    assert.is(answer.status, 401);
    assert.is(answer.headers.get('www-authenticate'), 'Bearer');
    assert.is(((await answer.json()) as { code: string }).code, 'missing_key');
  });
}

test.run();
