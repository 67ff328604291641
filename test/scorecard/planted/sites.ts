import { html, startSite } from '../../fixtures/site.ts';
import type { ScoreCase } from '../case.ts';

/** A page that says that it has the weakness, or does not. */
export const startWordSite: ScoreCase['start'] = (variant) =>
  startSite(({ path }) =>
    path === '/' ? html(variant === 'vulnerable' ? 'Welcome to the weakness' : 'Welcome') : undefined,
  );

const names = ['first', 'second', 'third'];

/** Three cases; the one in the middle starts in a way of its own. */
export const casesWith = (start: ScoreCase['start']): ScoreCase[] =>
  names.map((name, index) => ({ name, start: index === 1 ? start : startWordSite }));
