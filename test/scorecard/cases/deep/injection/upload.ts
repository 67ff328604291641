import { isHere } from '../../../../support/programs.ts';
import type { ScoreCase } from '../../../case.ts';
import { galleries, startNumberedGallery, startPhpPhotos } from '../../../sites/upload-sites.ts';

export const cases: ScoreCase[] = [
  ...Object.entries(galleries).map(([name, start]) => ({ name, start })),
  { name: 'gallery whose files have identifiers without an ending', start: startNumberedGallery },
  ...(isHere('php') ? [{ name: 'PHP that keeps files in a folder whose scripts are run', start: startPhpPhotos }] : []),
];
