import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readState } from '../../../../workflows/probe/browser/page-state.ts';

const test = suite('reading a page that is in the browser');

/** A page that goes elsewhere during its first reads, each of which the browser ends with an error. */
function pageThatLeaves({ reads, isClosed = false }: { reads: number; isClosed?: boolean }): Page {
  let left = reads;
  const answers: Record<string, () => unknown> = {
    'Page.getFrameTree': () => ({ frameTree: { frame: { id: 'main' } } }),
    'Page.createIsolatedWorld': () => ({ executionContextId: 1 }),
    'Runtime.evaluate': () => {
      if (left-- > 0) throw new Error('Cannot find context with specified id');
      return { result: { value: { html: '<h1>Arrived</h1>', left: 0 } } };
    },
  };
  const send = async (method: string) => answers[method]?.() ?? { count: 0 };
  return {
    context: () => ({ newCDPSession: async () => ({ send }) }),
    isClosed: () => isClosed,
    url: () => 'http://site.localhost/welcome',
    frames: () => [],
    mainFrame: () => undefined,
  } as unknown as Page;
}

test('is done again where the page arrives', async () => {
  const { html, left, finalUrl } = await readState(pageThatLeaves({ reads: 5 }));
  assert.equal([html, left, finalUrl], ['<h1>Arrived</h1>', 0, 'http://site.localhost/welcome']);
});

test('ends with a page that never stays, or that has closed, and says what the browser did', async () => {
  for (const page of [pageThatLeaves({ reads: 100 }), pageThatLeaves({ reads: 1, isClosed: true })]) {
    const { html, left, unreadable } = await readState(page);
    assert.equal([html, left, unreadable], ['', 1, 'Cannot find context with specified id']);
  }
});

test.run();
