import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sandboxFault } from '../../dev/browser-sandbox.ts';
import { createLogger } from '../../kit/logger.ts';
import { bundledChromium } from '../../workflows/probe/browser/files.ts';
import { createBrowserPool } from '../../workflows/probe/browser/launch.ts';

const sandbox = suite('the sandbox of the browser');
const logger = createLogger('test', 'silent');

/** A Chromium in a user namespace that allows no other: so its kernel refuses its sandbox. */
async function confinedChromium() {
  const { path, env } = await bundledChromium();
  const folder = await mkdtemp('/var/tmp/scan-audit-refusing-');
  await chmod(folder, 0o755);
  const file = join(folder, 'chromium');
  const inside = 'echo 0 > /proc/sys/user/max_user_namespaces && exec setpriv --inh-caps=-all --ambient-caps=-all "$@"';
  await writeFile(
    file,
    `#!/bin/sh\nexport LD_LIBRARY_PATH=${env.LD_LIBRARY_PATH}\nexec unshare --user --map-current-user --keep-caps sh -c '${inside}' sh ${path} "$@"\n`,
  );
  await chmod(file, 0o755);
  return { file, remove: () => rm(folder, { recursive: true, force: true }) };
}

const fault = await sandboxFault();
if (fault) console.log(`How the sandbox is refused cannot be tried here: ${fault}.`);
const tried = fault ? sandbox.skip : sandbox;

tried('is never given up: where it is refused there is no browser, and the reason says what to do', async () => {
  const chromium = await confinedChromium();
  const browsers = createBrowserPool({ logger, chromiumPath: chromium.file });
  try {
    const reason = (await browsers.unavailable()) ?? 'a browser';
    assert.match(reason, /does not start with its sandbox/);
    assert.match(reason, /namespace|sandbox/i);
    assert.match(reason, /BROWSER_SANDBOX=off/);
  } finally {
    await browsers.close();
    await chromium.remove();
  }
});

tried('is off where the worker’s settings say so, and nowhere else', async () => {
  const chromium = await confinedChromium();
  const browsers = createBrowserPool({ logger, chromiumPath: chromium.file, sandbox: 'off' });
  try {
    assert.is(await browsers.unavailable(), undefined);
  } finally {
    await browsers.close();
    await chromium.remove();
  }
});

tried('stays after a start that failed for another reason', async () => {
  const missing = createBrowserPool({ logger, chromiumPath: '/nowhere/chromium' });
  assert.match((await missing.unavailable()) ?? '', /does not start with its sandbox .*BROWSER_SANDBOX=off/);
  await missing.close();
});

sandbox.run();
