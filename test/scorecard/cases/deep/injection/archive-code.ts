import { isHere } from '../../../../support/programs.ts';
import type { ScoreCase } from '../../../case.ts';
import { archiveSites } from '../../../sites/archive-sites.ts';

export const cases: ScoreCase[] = Object.entries(archiveSites).flatMap(([name, { programs, start }]) =>
  programs.every(isHere) ? [{ name, start }] : [],
);
