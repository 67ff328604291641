import { execFile } from 'node:child_process';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { html, startSite } from '../../fixtures/site.ts';

const test = suite('scan-audit local');
const project = join(import.meta.dirname, '../../..');

function run(args: string[], home: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { ...process.env, SCAN_AUDIT_HOME: home, SCAN_AUDIT_API: '', SCAN_AUDIT_KEY: '' };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(project, 'cli/scan-audit.mjs'), 'local', ...args],
      { env },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    );
  });
}

test('starts the service, audits the application, writes the files and ends as the gate does', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'local-'));
  const site = await startSite(
    ({ path, query }) =>
      path === '/' ? html(`<form><input type=search name=q></form><p>${query.get('q') ?? ''}</p>`) : undefined,
    { host: 'localhost' },
  );
  try {
    const file = join(folder, 'result.json');
    const { code, stdout, stderr } = await run(
      [site.url, '--standard', '--threshold', 'medium', '--json', file],
      join(folder, 'home'),
    );
    assert.is(code, 2, stderr);
    assert.match(stdout, 'Reflected cross-site scripting');
    const { findings } = JSON.parse(await readFile(file, 'utf8'));
    assert.ok(findings.some(({ checkId }: { checkId: string }) => checkId === 'injection.reflected-xss'));
  } finally {
    await site.close();
  }
});

test('says what is wrong with its command line, and starts nothing', async () => {
  const { code, stderr } = await run(['http://192.0.2.1/'], join(tmpdir(), 'never-made'));
  assert.is(code, 1);
  assert.match(stderr, 'audits what runs on this machine alone');
});

test.run();
