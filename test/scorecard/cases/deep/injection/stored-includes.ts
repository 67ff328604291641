import type { ScoreCase } from '../../../case.ts';
import { startCachedProfile, startCards, startVisitorsBook } from '../../../sites/stored-directives.ts';

export const cases: ScoreCase[] = [
  { name: 'visitors’ book whose page the server reads for includes (SSI)', start: startVisitorsBook },
  { name: 'greeting cards with a file each, whose filter leaves comments (SSI)', start: startCards },
  { name: 'motto of a profile on a page behind a cache that carries out ESI', start: startCachedProfile },
];
