import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { makeNonce } from '../../../workflows/activities/audit-context.ts';
import { observeAs } from '../../../workflows/observation/visitor.ts';
import type { ScoreSite } from '../../scorecard/case.ts';
import { decoys, startFileTalk } from '../../scorecard/sites/message-talks.ts';
import { openAudit, testBrowsers } from '../checks/harness.ts';

const test = suite('who is told of a message over a WebSocket');
const browsers = testBrowsers();
test.after(() => browsers.close());

/** What an observation says of messages, and where it says that it stays. */
async function seenOf(start: () => Promise<ScoreSite>) {
  const site = await start();
  const audit = await openAudit(site.url, { browsers, depth: 'deep', writes: 'create' });
  try {
    const { http, surface } = audit.context;
    const { observed } = await observeAs({
      probes: { http, licensed: audit.licensed },
      ...{ gate: audit.gate, surface, nonce: makeNonce },
      known: () => undefined,
      record: async () => {},
      signal: new AbortController().signal,
    });
    return observed.map(({ submission, verdict, place }) => [
      submission.key.split(' ')[1],
      verdict,
      new URL(place).protocol,
    ]);
  } finally {
    await audit.close();
    await site.close();
  }
}

test('what others hear is written, and the page that sends it is the place for that', async () => {
  assert.equal(await seenOf(decoys.chat), [['/talk#chat', 'writes', 'http:']]);
});

test('what the sender alone is told is not', async () => {
  const seen = await seenOf(() => startFileTalk('patched'));
  assert.not.ok(seen.some(([, verdict]) => verdict === 'writes'));
});

test.run();
