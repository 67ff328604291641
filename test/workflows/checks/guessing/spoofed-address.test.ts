import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { spoofedAddress } from '../../../../workflows/checks/guessing/spoofed-address.check.ts';
import { type Answer, html, startSite } from '../../../fixtures/site.ts';
import { firstRows } from '../../../support/further.ts';
import { runOn } from '../harness.ts';

const test = suite('limits of guesses that count by an address');

const form = '<form method=post action=/box><input name=pin maxlength=4><button>Open</button></form>';

/** @param answer to a wrong PIN of this number, counted from 1 by the address that its header names */
async function found(answer: (count: number, all: number) => Answer, header = 'x-forwarded-for'): Promise<number> {
  const counts = new Map<string, number>();
  let all = 0;
  const site = await startSite(({ method, path, headers }) => {
    if (path === '/') return html('<a href=/box>Your box</a>');
    if (path !== '/box') return undefined;
    if (method !== 'POST') return html(form);
    const from = String(headers[header] ?? '');
    counts.set(from, (counts.get(from) ?? 0) + 1);
    all += 1;
    return answer(counts.get(from) ?? 0, all);
  });
  try {
    const result = await runOn(site.url, spoofedAddress as Parameters<typeof runOn>[1], { depth: 'deep' });
    return result.findings.length;
  } finally {
    await site.close();
  }
}

const wrong = html('<p>Wrong PIN</p>');
const closed = html('Too many requests', 429);

test('a limit that begins anew with each address is found', async () => {
  assert.is(await found((count) => (count > 4 ? closed : wrong)), 1);
});

const silent: [what: string, answer: Parameters<typeof found>[0], header?: string][] = [
  ['a limit for all', (_count, all) => (all > 4 ? closed : wrong)],
  ['no limit', () => wrong],
  [
    'a header that is refused for itself',
    (count, all) => (all > 4 ? (count === all ? closed : html('Bad', 500)) : wrong),
  ],
  ['a limit that lets every third guess pass', (_count, all) => (all > 4 && all % 3 > 0 ? closed : wrong)],
  ['a limit that counts by a header of no proxy', (count) => (count > 4 ? closed : wrong), 'x-device'],
];
for (const [what, answer, header] of firstRows(silent, 2))
  test(`${what}: nothing is found`, async () => {
    assert.is(await found(answer, header), 0);
  });

test.run();
