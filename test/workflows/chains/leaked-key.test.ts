import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { leakedKey } from '../../../workflows/chains/leaked-key.step.ts';
import { backupFile } from '../../../workflows/checks/exposure/backup-file.check.ts';
import { environmentFile } from '../../../workflows/checks/exposure/environment-file.check.ts';
import { gitRepository } from '../../../workflows/checks/exposure/git-repository.check.ts';
import { logFile } from '../../../workflows/checks/exposure/log-file.check.ts';
import { makeRepository } from '../../fixtures/repository.ts';
import { type Answer, html, json, type Request, startSite } from '../../fixtures/site.ts';
import { further } from '../../support/further.ts';
import { chainsOn } from '../checks/chain-harness.ts';

const test = suite('the chain from an exposed file to a page that needs a key');

type Works = {
  /** What it serves besides its pages. */
  file(path: string): Answer | undefined;
  takes(request: Request): boolean;
  /** What its first page leads to. */
  leadsTo?: string;
};

const key = 'kx71-tide-0042-rope';
const orders = { orders: [{ customer: 'Ann Lee', total: 1240 }], accountant: 'Bob Ray' };

/** A works whose interface for its own programs needs a key. */
const works = ({ file, takes, leadsTo = '/api/orders' }: Works) =>
  startSite((request) => {
    if (request.path === '/') return html(`<h1>Works</h1><a href="${leadsTo}">Orders</a><p>We weave ropes.</p>`);
    if (request.path !== '/api/orders') return file(request.path);
    return takes(request) ? json(orders) : json({ error: 'A key is needed.' }, 401);
  });

const text = (content: string): Answer => ({ headers: { 'content-type': 'text/plain' }, body: content });
const only = (at: string, content: string) => (path: string) => (path === at ? text(content) : undefined);
const header =
  (name: string, value: string) =>
  ({ headers }: Request): boolean =>
    headers[name] === value;

async function chainsFor(parts: Works) {
  const site = await works(parts);
  try {
    const { held } = await chainsOn(site.url, [environmentFile, backupFile, gitRepository, logFile], [leakedKey], {});
    return held.map(({ goal, links }) => [goal, ...links.map(({ actionId }) => actionId)].join(' '));
  } finally {
    await site.close();
  }
}

const env = (line: string) => only('/.env', `APP_ENV=production\nDB_HOST=10.0.0.7\n${line}\n`);
const opened = (check: string) => [`read(protected page) ${check} chains.leaked-key`];

test('a key in a file of settings opens the page by a header that is called like it', async () => {
  const found = await chainsFor({ file: env(`WORKS_API_KEY=${key}`), takes: header('x-api-key', key) });
  assert.equal(found, opened('exposure.environment-file'));
});

const sent: Record<string, Works['takes']> = {
  'the header for tokens': header('authorization', `Bearer ${key}`),
  'a header with the whole name of the setting': header('x-works-api-key', key),
  'a parameter': ({ query }) => query.get('key') === key,
};
for (const [way, takes] of Object.entries(sent))
  further(test)(`a key in a file of settings opens the page by ${way}`, async () => {
    assert.equal(await chainsFor({ file: env(`WORKS_API_KEY=${key}`), takes }), opened('exposure.environment-file'));
  });

further(test)('a key with signs of its own is encoded in a parameter', async () => {
  const signed = 'kx71+tide/0042=';
  const takes = ({ query }: Request) => query.get('key') === signed;
  assert.equal(await chainsFor({ file: env(`WORKS_API_KEY=${signed}`), takes }), opened('exposure.environment-file'));
});

further(test)('a key that stands in a file twice is sent in each way that the file names', async () => {
  const lines = `CLIENT_HEADERS="X-Works-Pass: ${key}"\nWORKS_API_KEY=${key}`;
  assert.equal(
    await chainsFor({ file: env(lines), takes: header('x-works-pass', key) }),
    opened('exposure.environment-file'),
  );
});

further(test)('a key in a copy of the source opens the page that the source names', async () => {
  const source = `<?php\n$ch = curl_init('http://10.0.0.7/api/orders');\ncurl_setopt($ch, CURLOPT_HTTPHEADER, ['X-Works-Pass: ${key}']);\n`;
  const found = await chainsFor({
    file: (path) =>
      only('/config.php.bak', source.replace("'http://10.0.0.7/api/orders'", "$host . '/api/orders'"))(path),
    takes: header('x-works-pass', key),
    leadsTo: '/about',
  });
  assert.equal(found, opened('exposure.backup-file'));
});

further(test)('a key in a repository opens the page', async () => {
  const repository = await makeRepository([{ 'client.py': `ADMIN_TOKEN = "${key}"\n` }]);
  try {
    const file = (path: string) => (path.startsWith('/.git/') ? repository.serve(path.slice(6)) : undefined);
    assert.equal(await chainsFor({ file, takes: header('x-admin-token', key) }), opened('exposure.git-repository'));
  } finally {
    await repository.remove();
  }
});

const closed: Record<string, Works> = {
  'is not taken any more': { file: env(`WORKS_API_KEY=${key}`), takes: header('x-api-key', 'kx72-ebbe-0043-rope') },
  'stands in no file': { file: () => undefined, takes: header('x-api-key', key) },
  'is as good as any other': { file: env(`WORKS_API_KEY=${key}`), takes: ({ headers }) => 'x-api-key' in headers },
  'is not needed': { file: env(`WORKS_API_KEY=${key}`), takes: () => true },
};
for (const [what, parts] of Object.entries(closed))
  test(`a key that ${what} opens nothing`, async () => {
    assert.equal(await chainsFor(parts), []);
  });

test('keys of other services are sent nowhere', async () => {
  const asked: string[] = [];
  const takes = ({ headers }: Request) => {
    asked.push(JSON.stringify(headers));
    return false;
  };
  const lines = 'STRIPE_API_KEY=rope-tide-4711-live\nGITHUB_TOKEN=tide-4712-rope\nSLACK_API_TOKEN=ebbe-4713-flut';
  assert.equal(await chainsFor({ file: env(lines), takes }), []);
  assert.ok(asked.length > 0);
  assert.not.match(asked.join('\n'), /471[123]/);
});

test.run();
