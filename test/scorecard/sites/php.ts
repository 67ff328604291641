import { rmSync } from 'node:fs';
import type { ScoreSite } from '../case.ts';
import { startProgram } from './program-site.ts';

/** PHP's own server for the files of a folder, which goes with it. */
export const startPhp = (folder: string): Promise<ScoreSite> =>
  startProgram({
    command: 'php',
    wordsFor: (port) => ['-S', `127.0.0.1:${port}`, '-t', folder],
    options: { depth: 'deep', writes: 'create' },
    close: () => rmSync(folder, { recursive: true }),
  });
