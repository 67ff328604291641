import { execFile } from 'node:child_process';
import { chmod, chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const project = join(import.meta.dirname, '../..');
const worker = 1000;
const identity = suite('who the browser of the image is');

if (process.getuid?.() !== 0) console.log('Not root: the users of the image cannot be tried.');
const tried = process.getuid?.() === 0 ? identity : identity.skip;

tried('another user than the worker, without any capability; the worker itself is no root', async () => {
  const folder = await mkdtemp('/var/tmp/scan-audit-identity-');
  await chmod(folder, 0o755);
  await chown(folder, worker, worker);
  const temporary = await mkdtemp('/var/tmp/scan-audit-temporary-');
  await chmod(temporary, 0o1777);
  try {
    const program = 'workflows/../test/security/browser-identity.ts';
    // With no more capabilities than the compose file gives.
    const bounds = ['--bounding-set=-all,+setuid,+setgid,+kill', '--inh-caps=-all', '--'];
    const { stdout } = await promisify(execFile)(
      'setpriv',
      [...bounds, join(project, 'kit/docker-entrypoint.sh'), program, folder],
      { cwd: project, env: { ...process.env, TMPDIR: temporary } },
    );
    const { worker: self, browser } = JSON.parse(stdout);
    assert.equal(self, { uid: worker, capabilities: '00000000000000e0', noNewPrivileges: true });
    assert.equal(browser, { uid: 65534, capabilities: '0000000000000000', noNewPrivileges: true });
    assert.equal(await readdir(temporary), []);
  } finally {
    for (const made of [folder, temporary]) await rm(made, { recursive: true, force: true, maxRetries: 3 });
  }
});

identity.run();
