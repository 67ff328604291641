import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { requestSmuggling } from '../../../../workflows/checks/injection/request-smuggling.check.ts';
import { type Framing, startFramedSite } from '../../../fixtures/framing-site.ts';
import { firstRows } from '../../../support/further.ts';
import { places, runOn, stored } from '../harness.ts';

const test = suite('injection.request-smuggling');

const length: Framing = { by: 'length' };
const chunks: Framing = { by: 'chunks' };
const neither: Framing = { by: 'neither' };
/** Takes everything for chunks that has the word in it. */
const lax: Framing = { by: 'chunks', knows: (coding) => coding.includes('chunked') };

async function findings(front: Framing, behind: Framing) {
  const site = await startFramedSite(front, behind);
  try {
    return await runOn(site.url, requestSmuggling, { depth: 'deep' });
  } finally {
    await site.close();
  }
}

const vulnerable: [what: string, front: Framing, behind: Framing, detail: RegExp][] = [
  ['a length in front, chunks behind', length, chunks, /CL\.TE/],
  ['chunks in front, a length behind', chunks, length, /TE\.CL/],
  ['one spelling of chunks in front, any behind', chunks, lax, /CL\.TE/],
];
for (const [what, front, behind, detail] of firstRows(vulnerable, 1))
  test(`${what}: the servers disagree`, async () => {
    const result = await findings(front, behind);
    assert.equal(places(result), ['GET / Transfer-Encoding'], result.outcome.reason);
    assert.match(stored(result), detail);
    assert.match(stored(result), /sleep 6\) \| curl -sS telnet:/);
  });

const clean: [what: string, front: Framing, behind: Framing][] = [
  ['a length everywhere', length, length],
  ['chunks everywhere', chunks, chunks],
  ['a proxy that refuses both', neither, chunks],
  ['a site that refuses both', length, neither],
  ['any spelling of chunks everywhere', lax, lax],
];
for (const [what, front, behind] of firstRows(clean, 1))
  test(`${what}: nothing is found`, async () => {
    const result = await findings(front, behind);
    assert.equal(places(result), []);
    assert.is(result.outcome.kind, 'clean', result.outcome.reason);
  });

test('a server alone that waits for all that it is not asked in the usual way is none of it', async () => {
  const server = createServer({ insecureHTTPParser: true }, (request, response) => {
    // Whatever has a body takes long.
    setTimeout(() => response.end('<h1>Ferry</h1>'), request.headers['content-length'] ? 6_000 : 0);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const result = await runOn(`http://ferry.localhost:${port}/`, requestSmuggling, { depth: 'deep' });
    assert.equal(places(result), []);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test.run();
