import type { ScoreCase } from '../../../case.ts';
import { guestBoards } from '../../../sites/block-cookies.ts';

export const cases: ScoreCase[] = Object.entries(guestBoards).map(([how, start]) => ({
  name: `board that keeps the name of a guest in a cookie: ${how}`,
  start,
}));
