import published from '@salesforce/code-analyzer-retirejs-engine/vulnerabilities/RetireJsVulns.json' with {
  type: 'json',
};
import { z } from 'zod';

/** A published weakness of a library. */
export type KnownWeakness = { id: string; summary: string; fixedIn: string };

const entry = z.object({
  below: z.string().optional(),
  atOrAbove: z.string().optional(),
  severity: z.enum(['low', 'medium', 'high', 'critical']),
  cwe: z.array(z.string()).optional(),
  identifiers: z.object({
    summary: z.string().optional(),
    CVE: z.array(z.string()).optional(),
    githubID: z.string().optional(),
  }),
});

/** The data of Retire.js, as it was when the package that ships it was made. */
const libraries = z.record(z.string(), z.looseObject({ vulnerabilities: z.array(entry) })).parse(published);

/** A script that takes long holds up the visitor's own browser only; a version without support is no weakness by itself. */
const mildCwes = new Set(['CWE-400', 'CWE-770', 'CWE-1333', 'CWE-1104', 'CWE-185']);

/**
 * Weaknesses that are published for a version of a library, of medium severity or more and with a number.
 * @param library by the name that the data has for it, for instance "moment.js"
 */
export function weaknessesOf(library: string, version: string): KnownWeakness[] {
  return (libraries[library]?.vulnerabilities ?? []).flatMap(
    ({ below, atOrAbove, severity, cwe = [], identifiers }) => {
      const id = identifiers.CVE?.[0] ?? identifiers.githubID;
      const isMild = severity === 'low' || (cwe.length > 0 && cwe.every((each) => mildCwes.has(each)));
      if (id === undefined || below === undefined || isMild) return [];
      // An end that no version has says that it was never repaired; whether that still holds, the data does not say.
      if (/^\d*\.?999/.test(below) || compareVersions(version, below) >= 0) return [];
      if (atOrAbove !== undefined && compareVersions(version, atOrAbove) < 0) return [];
      return [{ id, summary: (identifiers.summary ?? '').split('\n')[0] ?? '', fixedIn: below }];
    },
  );
}

/** Negative when `a` is the older one. Parts are numbers where they can be; a word ("beta", "rc1") comes before any number. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const difference = compareParts(left[index] ?? 0, right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

const partsOf = (version: string): (string | number)[] =>
  version
    .replace(/\+.*$/, '')
    .split(/[.-]/)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));

function compareParts(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === typeof b) return a === b ? 0 : a < b ? -1 : 1;
  return typeof a === 'string' ? -1 : 1;
}
