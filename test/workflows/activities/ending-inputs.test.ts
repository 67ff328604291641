import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { makeNonce } from '../../../workflows/activities/audit-context.ts';
import { createEndingInputs } from '../../../workflows/activities/ending-inputs.ts';
import type { CheckContext } from '../../../workflows/checks/contract.ts';
import type { HttpRequest } from '../../../workflows/model/http.ts';
import type { InputSurface } from '../../../workflows/model/surface.ts';

const test = suite('inputs that end a session');

const input = (route: string, parameter: string): InputSurface => ({
  ...{ method: 'GET', url: `https://example.com${route}`, route, parameter, in: 'query', sample: '1', others: [] },
});
const inputs = ['/list', '/page', '/table'].flatMap((route) => [input(route, 'sort'), input(route, 'server')]);

/** @param ends whether a request ends the session that it is sent in */
async function lookAt(ends: (request: URL) => boolean) {
  let isAlive = true;
  const counts = { requests: 0, logins: 0 };
  const send = async ({ url }: HttpRequest) => {
    counts.requests += 1;
    if (ends(new URL(url))) isAlive = false;
    return { status: 200, text: '', headers: [] };
  };
  const renew = async () => {
    if (isAlive) return [];
    isAlive = true;
    counts.logins += 1;
    return ['ada'];
  };
  const surface = { inputs, forms: [], pages: [] };
  const context = { http: { send }, nonce: makeNonce, surface, visitor: 'ada' } as unknown as CheckContext;
  const ending = createEndingInputs(renew);
  await ending.look(context);
  await ending.look(context);
  const left = ending.without(context).surface;
  assert.is(ending.without(context).surface, left);
  return {
    left: left.inputs.map(({ route, parameter }) => `${route} ${parameter}`),
    reported: ending.omitted(),
    ...counts,
  };
}

test('leaves out a name that ends it, whichever page takes it, and reports that', async () => {
  const { left, reported, requests, logins } = await lookAt(
    ({ searchParams }) => searchParams.get('server') !== '1' && searchParams.has('server'),
  );
  assert.equal(left, ['/list sort', '/page sort', '/table sort']);
  assert.equal(
    reported.map(({ code, count, text }) => [code, count, text.includes('"server" of /list')]),
    [['would_act', 1, true]],
  );
  assert.equal([requests, logins], [11, 3]);
});

test('keeps all where the session ended for another reason', async () => {
  let isFirst = true;
  const { left, reported } = await lookAt(() => {
    const ends = isFirst;
    isFirst = false;
    return ends;
  });
  assert.equal([left.length, reported], [inputs.length, []]);
});

test.run();
