import { isHere } from '../../../../support/programs.ts';
import type { ScoreCase } from '../../../case.ts';
import { unpackingSites } from '../../../sites/unpacking-sites.ts';

export const cases: ScoreCase[] = Object.entries(unpackingSites).flatMap(([name, { programs, start }]) =>
  programs.every(isHere) ? [{ name, start }] : [],
);
