import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { refusalBypass } from '../../../../workflows/checks/auth/refusal-bypass.check.ts';
import { type Answer, html, json, type Request, startSite } from '../../../fixtures/site.ts';
import { runOn } from '../harness.ts';

const test = suite('headers that a script or its source sends to a refused address');

const key = 'dsk_5b1e90c7aa42d8';
const script = (body: string): Answer => ({ headers: { 'content-type': 'text/javascript' }, body });
const source = (value: string, place: string) =>
  `const headers = { 'X-Api-Key': ${value} };\nexport const load = () => fetch('${place}', { headers });\n`;

type Design = { inMap?: true; value?: string; place?: string; opens: (sent: string) => boolean };

async function found({ inMap, value = `'${key}'`, place = '/api/desk/customers', opens }: Design) {
  const site = await startSite(({ path, headers }: Request): Answer | undefined => {
    if (path === '/') return html('<h1>Parcels</h1><script src="/app.js"></script>');
    if (path === '/app.js')
      return script(inMap ? 'run();\n//# sourceMappingURL=app.js.map' : `${source(value, place)}run();`);
    if (path === '/app.js.map' && inMap)
      return json({
        version: 3,
        sources: ['src/desk.js'],
        sourcesContent: [source(value, place)],
        names: [],
        mappings: '',
      });
    if (path !== place) return undefined;
    return opens(String(headers['x-api-key']))
      ? json([{ name: 'Ann Root', phone: '555 0190' }])
      : json({ error: 'key' }, 401);
  });
  try {
    const { findings, outcome } = await runOn(site.url, refusalBypass);
    return {
      urls: findings.map(({ location }) => new URL(location?.url ?? '').pathname),
      reason: outcome.reason,
    };
  } finally {
    await site.close();
  }
}

for (const inMap of [undefined, true] as const)
  test(`a key in ${inMap ? 'a source map' : 'a script'} that opens what is refused is found, and not one that is gone`, async () => {
    const design = inMap ? { inMap } : {};
    const leaked = await found({ ...design, opens: (sent) => sent === key });
    assert.equal(leaked.urls, ['/api/desk/customers'], leaked.reason);
    const changed = await found({ ...design, opens: (sent) => sent === 'another-key-71f0' });
    assert.equal(changed.urls, [], changed.reason);
  });

test('a key that a constant has is found, and not where the constant is a key that is gone', async () => {
  const value = `KEY };\nconst KEY = '${key}';\nconst more = { a: 1`;
  const leaked = await found({ inMap: true, value, opens: (sent) => sent === key });
  assert.equal(leaked.urls, ['/api/desk/customers'], leaked.reason);
  const changed = await found({ inMap: true, value, opens: (sent) => sent === 'another-key-71f0' });
  assert.equal(changed.urls, [], changed.reason);
});

test('the key of an app that shows everybody what there is to buy is no finding', async () => {
  assert.equal((await found({ place: '/api/desk/products', opens: (sent) => sent === key })).urls, []);
});

test('an address that any key opens, or nobody is refused, is no finding, nor is a key that stands elsewhere', async () => {
  assert.equal((await found({ opens: (sent) => sent !== 'undefined' })).urls, []);
  assert.equal((await found({ opens: () => true })).urls, []);
  assert.equal((await found({ value: 'settings.key', opens: (sent) => sent === key })).urls, []);
});

test.run();
