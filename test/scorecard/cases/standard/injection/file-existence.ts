import { existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ScoreCase } from '../../../case.ts';
import { startValuePage } from '../../../sites/value-page.ts';

const folder = import.meta.dirname;
const own = basename(import.meta.filename);

/** @param say what the page shows of a file that is there, by its path, or is not */
const caseOf = (name: string, link: string, say: (path: string | undefined, asked: string) => string): ScoreCase => ({
  name,
  start: (variant) =>
    startValuePage({
      link: `${link}=${own}`,
      make: (asked) => {
        const path = join(folder, variant === 'vulnerable' ? asked : basename(asked));
        return say(existsSync(path) && statSync(path).isFile() ? path : undefined, asked);
      },
    }),
});

export const cases: ScoreCase[] = [
  caseOf('a queue for printing that says how large a sheet is', '/queue?sheet', (path) =>
    path === undefined ? '<p>No sheet of this name</p>' : `<p>Queued, ${statSync(path).size} bytes</p>`,
  ),
  caseOf('a letter whose enclosure is named, in JSON', '/letter?enclosure', (path) =>
    JSON.stringify({ letter: 'Ready to send', enclosure: path === undefined ? 'missing' : 'attached' }),
  ),
  caseOf('a converter whose error repeats the name', '/convert?drawing', (path, asked) =>
    path === undefined
      ? `<p>Cannot find ${asked.replace(/[<&]/g, '')}</p>`
      : '<h1>Conversion</h1><p>The drawing is converted</p>',
  ),
];
