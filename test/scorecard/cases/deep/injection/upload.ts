import { isHere } from '../../../../support/programs.ts';
import type { ScoreCase } from '../../../case.ts';
import { galleries, startPhpPhotos } from '../../../sites/upload-sites.ts';

export const cases: ScoreCase[] = [
  ...Object.entries(galleries).map(([name, start]) => ({ name, start })),
  ...(isHere('php') ? [{ name: 'PHP that keeps files in a folder whose scripts are run', start: startPhpPhotos }] : []),
];
