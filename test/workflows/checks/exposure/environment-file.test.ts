import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { environmentFile } from '../../../../workflows/checks/exposure/environment-file.check.ts';
import { type Handler, html, json, startSite } from '../../../fixtures/site.ts';
import { firstRows } from '../../../support/further.ts';
import { places, runOn, stored } from '../harness.ts';

const test = suite('exposure.environment-file');

async function result(handler: Handler) {
  const site = await startSite(handler);
  try {
    return await runOn(site.url, environmentFile);
  } finally {
    await site.close();
  }
}

const laravel = [
  'APP_NAME="North Wind"',
  'APP_ENV=production',
  'APP_KEY=base64:Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyMTI=',
  '',
  '# database',
  'DB_HOST=127.0.0.1',
  'DB_PASSWORD="tRz8 kk#41"',
  'MAIL_FROM=post@northwind.example',
].join('\r\n');
const node =
  'export NODE_ENV=production\nexport DATABASE_URL=postgres://shop:hGt5_2kd@db/shop\nPRIVATE_KEY="-----BEGIN\nabc==\n-----END"\n';

const serving =
  (at: string, body: string, headers = {}): Handler =>
  ({ path }) =>
    path === at
      ? { body, headers }
      : path === '/'
        ? html('<a href="/shop/list.php">list</a>')
        : path.startsWith('/shop/list')
          ? html('list')
          : undefined;

const exposed: Record<string, [string, string]> = {
  'of Laravel at the root': ['/.env', laravel],
  'of Node with exports and a value of several lines': ['/.env.production', node],
  'below a folder of the site': ['/shop/.env', laravel],
  'that somebody copied': ['/.env.bak', laravel],
  'in a folder of the application that no page leads to': ['/backend/.env', node],
  'with nothing but one random key': ['/.env', 'MAPS_API_KEY=p9VtQ2x7LmZr4KsWn8Yb3HdF\n'],
  'with a line of a shell in it': ['/.env', `${node}[ -f .env.local ] && . ./.env.local\n`],
  'with a quote that nothing closes': ['/.env', `${node}DB_NAME="shop\n`],
};

for (const [what, [at, body]] of firstRows(Object.entries(exposed), 2)) {
  test(`a file ${what} is found, and none of its values is kept`, async () => {
    const found = await result(serving(at, body, { 'content-type': 'application/octet-stream' }));
    assert.equal([found.outcome.kind, places(found)], ['found', [`GET ${at}`]], found.outcome.reason);
    assert.not.match(stored(found), /tRz8|Zm9vYmFy|hGt5|northwind\.example|abc==/);
  });
}

test('a file without secrets is a milder case', async () => {
  const found = await result(serving('/.env', 'APP_ENV=production\nAPP_DEBUG=false\nLOG_LEVEL=info\n'));
  assert.is(found.findings[0]?.cvss?.score, 5.3);
});

const clean: Record<string, Handler> = {
  'refuses hidden files': ({ path }) => (path.includes('/.') ? html('no', 403) : html('hello')),
  'shows its home page for every path': () => html('<p>DB_PASSWORD=1</p>'),
  'answers every path with JSON': () => json({ DB_PASSWORD: 'x' }),
  'answers every path with settings': ({ path }) => (path === '/' ? html('x') : { body: laravel }),
  'serves settings that are meant for the browser': serving(
    '/.env',
    'VITE_API_KEY=AIzaSyA-public\nREACT_APP_TOKEN=abcdef\nVITE_URL=/api\n',
  ),
  'serves settings that are yet to be filled in': serving(
    '/.env',
    'APP_NAME=\nDB_USER=your_user\nDB_PASSWORD=\nSECRET_KEY=<random>\nMAIL_HOST=changeme\n',
  ),
  'serves a template': serving('/.env.example', laravel),
  'serves prose with an assignment in it': serving(
    '/.env',
    'Please set\nDB_PASSWORD=x\nAPP_KEY=y\nbefore you start.\n',
  ),
  'serves a single setting': serving('/.env', 'APP_KEY=base64:xyz\n'),
  'serves a page with settings in it': serving('/.env', '<pre>\nAPP_KEY=a1b2c3\nDB_PASSWORD=d4e5f6\n</pre>'),
  'answers with an error': ({ path }) => (path === '/' ? html('x') : { status: 404, body: laravel }),
};

for (const [what, handler] of firstRows(Object.entries(clean), 3)) {
  test(`a site that ${what} is clean`, async () => {
    const found = await result(handler);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
  });
}

test.run();
