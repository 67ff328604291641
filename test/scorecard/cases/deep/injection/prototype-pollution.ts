import type { ScoreCase } from '../../../case.ts';
import { startMerging } from '../../../sites/merging-sites.ts';

const everyName = ['__proto__', 'constructor', 'prototype'];

export const cases: ScoreCase[] = [
  {
    name: 'settings of a page that are merged with what is sent',
    start: (variant) => startMerging({ kind: 'settings', skips: variant === 'vulnerable' ? [] : everyName }),
  },
  {
    name: 'merge that skips the first name of the prototype and not the second',
    start: (variant) => startMerging({ kind: 'settings', skips: variant === 'vulnerable' ? ['__proto__'] : everyName }),
  },
  {
    name: 'shopping cart that merges one object of the request',
    start: (variant) => startMerging({ kind: 'cart', skips: variant === 'vulnerable' ? [] : everyName }),
  },
  {
    name: 'timetable that its script replaces by PATCH, of members alone',
    start: (variant) => startMerging({ kind: 'timetable', skips: variant === 'vulnerable' ? [] : everyName }),
  },
  {
    name: 'club without a framework whose reports ask for a right by name',
    start: (variant) => startMerging({ kind: 'club', skips: variant === 'vulnerable' ? [] : everyName }),
  },
];
