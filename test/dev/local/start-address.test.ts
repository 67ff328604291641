import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startAddress } from '../../../dev/local/start-address.ts';
import { html, redirect, startSite } from '../../fixtures/site.ts';

const test = suite('where an application of this machine is at home');

async function startOf(location: string | undefined): Promise<[asked: string, start: string]> {
  const site = await startSite(() => (location === undefined ? html('Shop') : redirect(location)), {
    host: '127.0.0.1',
  });
  try {
    const start = await startAddress(new URL(`${site.url}/`));
    return [`${site.url}/`, start.href];
  } finally {
    await site.close();
  }
}

test('is where its start page leads to, on this machine', async () => {
  const [, start] = await startOf('http://localhost:8080/shop');
  assert.is(start, 'http://localhost:8080/shop');
});

test('is the address itself where that answers, leads on within it, or away from this machine', async () => {
  for (const location of [undefined, '/login', 'http://192.0.2.1/', 'http://[bad', 'mailto:a@example.com']) {
    const [asked, start] = await startOf(location);
    assert.is(start, asked, location);
  }
});

test('is the address itself where nothing answers', async () => {
  const url = new URL('http://127.0.0.1:9/');
  assert.is(await startAddress(url), url);
});

test.run();
