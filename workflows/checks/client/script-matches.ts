import { likeliest, type Teller } from '../inputs/at-most.ts';

/** Bundles of libraries have thousands of what looks like a name. */
const maxMatches = 200;

/** Where a pattern stands in a script, from its begin; what is beyond the bound is told of. */
export const matchesIn = (context: Teller, script: string, pattern: RegExp): RegExpExecArray[] =>
  likeliest(context, [...script.matchAll(pattern)], maxMatches, 'mentions of names in a script');
