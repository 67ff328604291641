import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sqlBoolean } from '../../../../workflows/checks/injection/sql-boolean.check.ts';
import { startMessageSearch } from '../../../scorecard/sites/message-search.ts';
import { check, openAudit, places, testBrowsers } from '../harness.ts';

const test = suite('inputs of messages over a WebSocket');
const browsers = testBrowsers();
test.after(() => browsers.close());

async function result(variant: 'vulnerable' | 'patched') {
  const site = await startMessageSearch(variant);
  const audit = await openAudit(site.url, { browsers });
  try {
    const { surface } = audit.context;
    const { origin } = new URL(site.url);
    return { ...(await check(audit, sqlBoolean)), inputs: surface.inputs, origin };
  } finally {
    await audit.close();
    await site.close();
  }
}

test('a value of a message is an input like any other, and what it decides is found in the messages that answer', async () => {
  const found = await result('vulnerable');
  assert.equal(places(found), ['POST /live text'], found.outcome.reason);
  const urls = new Set(found.inputs.map(({ url }) => url));
  assert.equal([...urls], [`${found.origin.replace(/^http/, 'ws')}/live`]);
});

test('a message whose value is bound is clean', async () => {
  const found = await result('patched');
  assert.equal([found.outcome.kind, places(found)], ['clean', []], found.outcome.reason);
});

test.run();
