import { isHere } from '../../../../support/programs.ts';
import type { ScoreCase, Variant } from '../../../case.ts';
import { byContent, galleries, startNumberedGallery, startPhpPhotos } from '../../../sites/upload-sites.ts';

export const cases: ScoreCase[] = [
  ...Object.entries(galleries).map(([name, start]) => ({ name, start })),
  { name: 'gallery whose files have identifiers without an ending', start: startNumberedGallery },
  ...(isHere('php')
    ? [
        { name: 'PHP that keeps files in a folder whose scripts are run', start: startPhpPhotos },
        {
          name: 'PHP that looks at pictures and for the usual way to begin code',
          start: (variant: Variant) => startPhpPhotos(variant, byContent),
        },
      ]
    : []),
];
