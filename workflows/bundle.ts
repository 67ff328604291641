import { createHash, randomUUID } from 'node:crypto';
import { glob, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

const folder = fileURLToPath(new URL('./', import.meta.url));
const workflowsPath = join(folder, 'workflows.ts');

/** All that the workflows import, besides the SDK, stands here. */
const sources = ['workflows.ts', '*.workflow.ts', 'orchestration/*.ts'];

/**
 * Bundles the workflows' code for Temporal's sandbox, once for each state of the code: it takes seconds.
 * @returns path of the bundle in the cache folder
 */
export async function workflowBundle(cacheFolder: string): Promise<string> {
  const path = join(cacheFolder, `workflow-bundle-${await hashSources()}.js`);
  if (await exists(path)) return path;
  const { code } = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('WARN') });
  await mkdir(cacheFolder, { recursive: true });
  // Several workers may start at the same time: whoever is last replaces equal bytes in one step.
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, code);
  await rename(draft, path);
  return path;
}

async function hashSources(): Promise<string> {
  const hash = createHash('sha256');
  const { version } = createRequire(import.meta.url)('@temporalio/worker/package.json') as { version: string };
  hash.update(version);
  const paths: string[] = [];
  for await (const path of glob(sources, { cwd: folder })) paths.push(path);
  for (const path of paths.sort()) hash.update(path).update(await readFile(join(folder, path)));
  return hash.digest('hex').slice(0, 32);
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
