import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { testBrowsers } from '../../../support/browsers.ts';
import { openFor } from '../support.ts';

/** Each answer of "/step" comes late, and the page asks for the next one when it has the last. */
const pages: Record<string, string> = {
  '/chain': `<output></output><script>
    const step = async (left) => {
      if (left === 0) return document.querySelector('output').append('all is there');
      await fetch('/step?' + left);
      setTimeout(() => step(left - 1), 40);
    };
    step(4);</script>`,
  '/button': `<button onclick="fetch('/step').then(() => document.body.append('answered'))">Go</button>`,
  '/talk': `<button onclick="document.body.append('clicked')">Go</button><script>alert('hello')</script>`,
  '/soon': `<p>You are led on in three seconds.</p><script>
    setTimeout(() => document.body.append('led on'), 3_000);
    const again = (times) => setTimeout(() => { document.body.append('again ' + times); again(times + 1); }, 400);
    setTimeout(() => document.body.append('an hour later'), 3_600_000);
    again(0);</script>`,
  '/never': '<h1>still talking</h1><script>fetch("/silence")</script>',
};

/** Pages that are answered two at a time. */
const pairs: { waiting: ServerResponse[]; most: number } = { waiting: [], most: 0 };

function answerPair(response: ServerResponse): void {
  const { waiting } = pairs;
  pairs.most = Math.max(pairs.most, waiting.push(response));
  if (waiting.length < 2) return;
  for (const each of waiting.splice(0)) each.writeHead(200, { 'content-type': 'text/html' }).end('<p>one of two');
}

async function answer(path: string, response: ServerResponse): Promise<void> {
  if (path === '/silence') return;
  if (path.startsWith('/pair')) return answerPair(response);
  if (path.startsWith('/step')) await sleep(150);
  response.writeHead(200, { 'content-type': 'text/html' }).end(pages[path] ?? '');
}

const test = suite<{ server: Server; url: string }>('when a page is done');
const browsers = testBrowsers();

test.before(async (context) => {
  context.server = createServer(({ url = '' }, response) => void answer(url, response));
  await new Promise<void>((resolve) => context.server.listen(0, '127.0.0.1', resolve));
  context.url = `http://shop.localhost:${(context.server.address() as AddressInfo).port}`;
});
test.after(async ({ server }) => {
  server.closeAllConnections();
  server.close();
  await browsers.close();
});

async function htmlOf(base: string, path: string, clicks: string[] = []): Promise<string> {
  const probes = openFor(base, { browsers });
  try {
    return (await probes.browser.visit({ url: base + path, clicks })).html;
  } finally {
    await probes.close();
  }
}

test('what a page asks for one after the other after it was loaded is waited for', async ({ url }) => {
  assert.match(await htmlOf(url, '/chain'), 'all is there');
});

test('what a page does in a few seconds is seen at once, and what repeats itself stays at its pace', async ({
  url,
}) => {
  const html = await htmlOf(url, '/soon');
  assert.match(html, 'led on');
  assert.not.match(html, 'an hour later</body>');
  assert.not.match(html, 'again 4');
});

test('the answer to a click is waited for', async ({ url }) => {
  assert.match(await htmlOf(url, '/button', ['button']), 'answered');
});

test('what the visit is for has been seen, so that nothing is clicked any more', async ({ url }) => {
  const probes = openFor(url, { browsers });
  const visit = { url: `${url}/talk`, clicks: ['button'] };
  try {
    const done = await probes.browser.visit({ ...visit, isDone: ({ dialogs }) => dialogs.includes('hello') });
    assert.equal(done.dialogs, ['hello']);
    assert.not.match(done.html, 'clicked</body>');
    const other = await probes.browser.visit({ ...visit, isDone: ({ dialogs }) => dialogs.includes('good-bye') });
    assert.match(other.html, 'clicked</body>');
  } finally {
    await probes.close();
  }
});

test('two pages are open at the same time, and a third waits for its turn', async ({ url }) => {
  const probes = openFor(url, { browsers });
  try {
    await Promise.all(
      ['/pair?1', '/pair?2', '/pair?3', '/pair?4'].map((path) => probes.browser.visit({ url: url + path })),
    );
  } finally {
    await probes.close();
  }
  assert.is(pairs.most, 2);
});

test('a page that is never done is looked at as it is', async ({ url }) => {
  assert.match(await htmlOf(url, '/never'), 'still talking');
});

test.run();
