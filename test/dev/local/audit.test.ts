import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { html, type Site, startSite } from '../../fixtures/site.ts';
import { further } from '../../support/further.ts';
import { eventually, processesWith } from '../../support/processes.ts';

const test = suite('scan-audit local');
const project = join(import.meta.dirname, '../../..');

const launcher = join(project, 'cli/scan-audit.mjs');
const envWith = (home: string) => ({ ...process.env, SCAN_AUDIT_HOME: home, SCAN_AUDIT_API: '', SCAN_AUDIT_KEY: '' });

function run(args: string[], home: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = envWith(home);
  return new Promise((resolve) => {
    execFile(process.execPath, [launcher, 'local', ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    );
  });
}

/** In a process group of its own. */
function startLocal(
  args: string[],
  home: string,
): { child: ChildProcess; exited: Promise<number | null>; stderr: Promise<string> } {
  const child = spawn(process.execPath, [launcher, 'local', ...args], {
    env: envWith(home),
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  assert.ok(child.stderr);
  return { child, exited: once(child, 'exit').then(([code]) => code), stderr: text(child.stderr) };
}

const endlessPages = ({ path }: { path: string }) =>
  html([1, 2, 3].map((n) => `<a href="${path === '/' ? '' : path}/${n}${'x'.repeat(n)}">${n}</a>`).join(''));

further(test)('starts the service, audits the application, writes the files and ends as the gate does', async () => {
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

further(test)(
  'does not go on with an audit that was killed, and an interrupted one leaves nothing running',
  async () => {
    const home = join(await mkdtemp(join(tmpdir(), 'local-')), 'home');
    const sites = await Promise.all(
      ['one.localhost', 'two.localhost'].map((host) => startSite(endlessPages, { host })),
    );
    const [first, second] = sites as [Site, Site];
    try {
      const killed = startLocal([first.url], home);
      await eventually('the first site is asked', async () => first.requests.length > 5, 120_000);
      process.kill(-(killed.child.pid ?? 0), 'SIGKILL');
      await killed.exited;
      const left = await processesWith(home);

      const interrupted = startLocal([second.url], home);
      await eventually('the second site is asked', async () => second.requests.length > 5, 120_000);
      const asked = first.requests.length;
      // Only this process gets the signal, as from a supervisor or a script.
      interrupted.child.kill('SIGTERM');
      const [code, stderr] = await Promise.all([interrupted.exited, interrupted.stderr]);
      assert.is(code, 1);
      assert.match(stderr, 'Canceling the scan.');
      assert.not.match(stderr, 'The scan goes on');
      assert.is(first.requests.length, asked, 'the killed audit went on');
      const others = (await processesWith(home)).filter((pid) => !left.includes(pid));
      assert.equal(others, []);
    } finally {
      // What only asks for the verdict of the killed audit.
      for (const pid of await processesWith(home)) process.kill(pid, 'SIGKILL');
      await Promise.all(sites.map((site) => site.close()));
    }
  },
);

test('says what is wrong with its command line, and starts nothing', async () => {
  const { code, stderr } = await run(['http://192.0.2.1/'], join(tmpdir(), 'never-made'));
  assert.is(code, 1);
  assert.match(stderr, 'audits what runs on this machine alone');
});

test.run();
