import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { lookAtPages } from '../../../../workflows/checks/pages/look-at-pages.ts';
import type { Omitted } from '../../../../workflows/model/omission.ts';
import { ProbeError } from '../../../../workflows/model/probe-error.ts';
import { RefusedError } from '../../../../workflows/probe/gate/refusal.ts';

const test = suite('looking at pages');

const pages = ['/', '/edit', '/handbook'].map((url) => ({ url }));

test('a page that is refused or too large hides no other, and is reported', async () => {
  const left: Omitted[] = [];
  const looked = await lookAtPages({ leave: (omitted) => void left.push(omitted) }, pages, async ({ url }) => {
    if (url === '/edit')
      throw new RefusedError({ method: 'GET', url, headers: [] }, 'GET /edit', {
        allowed: false,
        code: 'would-act',
        reason: 'it may do something',
      });
    if (url === '/handbook') throw new ProbeError('too_large', 'too large');
    return url;
  });
  assert.equal(looked, ['/']);
  assert.equal(
    left.map(({ code, count, places }) => [code, count, places]),
    [
      ['would_act', 1, ['GET /edit']],
      ['page_cut', 1, undefined],
    ],
  );
});

test('any other failure is that of the check', async () => {
  const look = async () => {
    throw new ProbeError('timeout', 'no answer');
  };
  const failure = await lookAtPages({ leave: () => {} }, pages, look).catch((error: unknown) => error);
  assert.is(failure instanceof ProbeError && failure.code, 'timeout');
});

test.run();
