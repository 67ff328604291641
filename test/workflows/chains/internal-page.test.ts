import type { AddressInfo } from 'node:net';
import express from 'express';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { internalPage } from '../../../workflows/chains/internal-page.step.ts';
import { ssrf } from '../../../workflows/checks/injection/ssrf.check.ts';
import { startSite } from '../../fixtures/site.ts';
import { further } from '../../support/further.ts';
import { chainsOn } from '../checks/chain-harness.ts';

const test = suite('the chain from a request of the server to an internal page');

type Board = {
  /** What stands on the page about the board. */
  about?: string;
  /** Whom the internal page is shown. */
  internal?: 'the machine' | 'everybody' | 'nobody';
  allows?: (url: URL) => boolean;
};

/** Shows previews of addresses that visitors give it, and a state of the queue to requests of its own machine. */
async function board({ about = '', internal = 'the machine', allows = () => true }: Board) {
  const app = express();
  app.get('/', (_request, response) => {
    response.send('<h1>Board</h1><a href="/about">About</a> <a href="/preview?url=%2Fabout">Preview</a>');
  });
  app.get('/about', (_request, response) => {
    response.send(`<h1>About</h1><p>A board of links that people have shared since two thousand and two.</p>${about}`);
  });
  app.get('/queue/state', ({ headers }, response) => {
    const isInside = /^(?:127\.|localhost)/.test(headers.host ?? '');
    if (internal === 'everybody' || (internal === 'the machine' && isInside))
      return void response.send('<h1>Queue</h1><p>Jobs that wait for the worker of the night: twelve</p>');
    response.status(403).send('Forbidden');
  });
  app.get('/preview', async ({ query }, response) => {
    const url = URL.parse(String(query.url));
    if (url?.protocol !== 'http:' || !allows(url)) return void response.send('Not an address of ours');
    const text = await fetch(url, { redirect: 'error' })
      .then((got) => got.text())
      .catch(() => 'unreachable');
    response.send(`<blockquote>${text.replaceAll('<', '&lt;')}</blockquote>`);
  });
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return { url: `http://board.localhost:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

async function chainsFor(parts: Board) {
  const site = await board(parts);
  try {
    const { held } = await chainsOn(site.url, [ssrf], [internalPage], {});
    return held.map(({ replayed }) => {
      const [{ candidate }] = [replayed.at(-1)?.place ?? { candidate: { detail: '' } }];
      return candidate.detail?.replace(/:\d+/g, '');
    });
  } finally {
    site.close();
  }
}

const hint = '<p>The state of the queue is at <code>/queue/state</code>, for ourselves.</p>';

further(test)('a page that texts of the site name is read, though visitors are refused it', async () => {
  const expected = [
    'http://board.localhost/queue/state, which visitors are not shown, was read by way of the server itself.',
  ];
  assert.equal(await chainsFor({ about: hint }), expected);
});

test('a service at a port that the site names is read', async () => {
  const service = await startSite(({ path }) =>
    path === '/' ? { body: 'Store of sessions, for the programs of this machine alone' } : undefined,
  );
  try {
    const about = `<!-- cache: http://127.0.0.1:${service.port}/ -->`;
    const expected = ['http://127.0.0.1/, which visitors are not shown, was read by way of the server itself.'];
    assert.equal(await chainsFor({ about }), expected);
  } finally {
    await service.close();
  }
});

test('a service that answers every address alike shows no page', async () => {
  const service = await startSite(() => ({ status: 404, body: 'There is nothing of that name at this service' }));
  try {
    assert.equal(await chainsFor({ about: `<!-- http://127.0.0.1:${service.port}/list -->` }), []);
  } finally {
    await service.close();
  }
});

further(test)('an address of the machine that acts is left alone', async () => {
  const service = await startSite(({ path }) =>
    path === '/worker/stop' ? { body: 'The worker was stopped' } : undefined,
  );
  try {
    const named = (path: string) => `<!-- http://127.0.0.1:${service.port}${path} -->`;
    assert.equal(await chainsFor({ about: named('/worker/stop') + named('/worker/list') }), []);
    assert.ok(service.requests.includes('GET /worker/list'));
    assert.not.ok(service.requests.includes('GET /worker/stop'));
  } finally {
    await service.close();
  }
});

further(test)(
  'a page for everybody, one that is shut to the machine as well, and a mended fetch are no chain',
  async () => {
    assert.equal(await chainsFor({ about: hint, internal: 'everybody' }), []);
    assert.equal(await chainsFor({ about: hint, internal: 'nobody' }), []);
    assert.equal(await chainsFor({ about: hint, allows: ({ hostname }) => hostname === 'partner.example' }), []);
  },
);

test.run();
