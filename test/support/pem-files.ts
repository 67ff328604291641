import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Credentials } from '../../kit/certificates.ts';

/** Files of PEM texts in a folder, as settings name them. */
export const pemFiles = (folder: string) => ({
  cert: join(folder, 'tls.crt'),
  key: join(folder, 'tls.key'),
  ca: join(folder, 'ca.crt'),
});

/** Puts new ones in the place of those that are there. */
export async function writePems(folder: string, credentials: Credentials): Promise<void> {
  const files = pemFiles(folder);
  for (const role of ['cert', 'key', 'ca'] as const) {
    const text = credentials[role];
    if (text === undefined) continue;
    await writeFile(files[role], text);
  }
}
