import type { OmissionReporter } from '../inputs/at-most.ts';

/** Bundles of libraries have thousands of what looks like a name. */
const maxMatches = 200;

/** Where a pattern stands in a script, from its beginning; more than that is reported as left out, once for each script and pattern. */
export function matchesIn({ leave }: OmissionReporter, script: string, pattern: RegExp): RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  for (const match of script.matchAll(pattern)) {
    if (found.length < maxMatches) found.push(match);
    else {
      const text = `a script mentions more names than ${maxMatches}: those at its beginning were tried`;
      leave({ code: 'guessed', count: 1, text });
      break;
    }
  }
  return found;
}
