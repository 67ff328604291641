import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { delayedBy } from '../../../../workflows/checks/injection/delays.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import { openAudit } from '../harness.ts';

const test = suite('delays of answers');

/** What is found, and what is left open, on a page that takes so many seconds for each that the value asks for. */
async function found(factor: number) {
  const site = await startSite(({ path, query }) => {
    if (path !== '/') return undefined;
    const [, seconds = '0'] = /^wait (\d)$/.exec(query.get('q') ?? '') ?? [];
    return { ...html('<form><input name=q><button>Search</button></form>'), afterMs: 1_000 * factor * Number(seconds) };
  });
  const audit = await openAudit(site.url);
  const left: string[] = [];
  try {
    const input = audit.context.surface.inputs.find(({ parameter }) => parameter === 'q');
    assert.ok(input);
    const context = { ...audit.context, leave: ({ code }: { code: string }) => void left.push(code) };
    const waiting = { where: 'a call', value: (s: string) => `wait ${s}`, broken: (s: string) => `waitq ${s}` };
    const delayed = await delayedBy(context, input, [waiting]);
    return { times: delayed?.times, left };
  } finally {
    await audit.close();
    await site.close();
  }
}

test('that follow the value are found', async () => {
  assert.equal(await found(1), { times: 1, left: [] });
});

test('that come with the value, and do not follow it, are left open', async () => {
  assert.equal(await found(1.38), { times: undefined, left: ['unclear'] });
});

test('that do not come are none', async () => {
  assert.equal(await found(0), { times: undefined, left: [] });
});

test.run();
