import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { TestWorkflowEnvironment } from '@temporalio/testing';

/**
 * Fetches the official Temporal CLI with the SDK's own downloader, which knows each platform's archive.
 * @param target where the program goes
 * @throws Error when there is no network
 */
export async function downloadTemporal(target: string): Promise<void> {
  const downloadDir = await mkdtemp(join(dirname(target), 'download-'));
  try {
    // The downloader only comes with starting a server: it is stopped at once.
    const environment = await TestWorkflowEnvironment.createLocal({
      server: { executable: { type: 'cached-download', downloadDir } },
    });
    await environment.teardown();
    const [file] = await readdir(downloadDir);
    if (!file) throw new Error('The downloader left no program behind.');
    await rename(join(downloadDir, file), target);
  } finally {
    await rm(downloadDir, { recursive: true, force: true });
  }
}
