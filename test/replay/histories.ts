import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export const historiesFolder = join(import.meta.dirname, 'histories');

/** The recorded histories, each with its name as the workflow's id. */
export async function readHistories(): Promise<{ workflowId: string; history: { events: unknown[] } }[]> {
  const files = (await readdir(historiesFolder)).filter((file) => file.endsWith('.json')).sort();
  return Promise.all(
    files.map(async (file) => ({
      workflowId: file.replace('.json', ''),
      history: JSON.parse(await readFile(join(historiesFolder, file), 'utf8')) as { events: unknown[] },
    })),
  );
}
