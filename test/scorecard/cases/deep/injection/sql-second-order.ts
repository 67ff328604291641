import type { ScoreCase } from '../../../case.ts';
import { startNotebook } from '../../../sites/notebook.ts';

const nameBy = (variant: string) => (variant === 'vulnerable' ? 'concatenated' : 'bound');

export const cases: ScoreCase[] = [
  { name: 'notes on the page after the login', start: (variant) => startNotebook({ name: nameBy(variant) }) },
  { name: 'notes behind an overview', start: (variant) => startNotebook({ name: nameBy(variant), hasOverview: true }) },
  {
    name: 'notes by an interface that the page asks',
    start: (variant) => startNotebook({ name: nameBy(variant), isApi: true }),
  },
  {
    name: 'notes of which none is shown where the database fails',
    start: (variant) => startNotebook({ name: nameBy(variant), isSilent: true }),
  },
];
