import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ScoreCase } from '../../../case.ts';
import { startValuePage } from '../../../sites/value-page.ts';

const folder = import.meta.dirname;

export const cases: ScoreCase[] = [
  {
    name: 'a queue for printing that says how large a sheet is',
    start: (variant) =>
      startValuePage({
        link: `/queue?sheet=${basename(import.meta.filename)}`,
        make: async (name) => {
          const found = await stat(join(folder, variant === 'vulnerable' ? name : basename(name))).catch(
            () => undefined,
          );
          return found?.isFile() ? `<p>Queued, ${found.size} bytes</p>` : '<p>No sheet of this name</p>';
        },
      }),
  },
];
