import { createRequire } from 'node:module';
import published from '@salesforce/code-analyzer-retirejs-engine/vulnerabilities/RetireJsVulns.json' with {
  type: 'json',
};
import { z } from 'zod';

/** A published weakness of a library. */
type KnownWeakness = { id: string; summary: string; fixedIn: string };

/** By what a file of a library is known. */
export type LibraryMarks = {
  /** By the name that the data has for it, for instance "moment.js". */
  library: string;
  /** Regular expressions whose first group is the version. */
  patterns: string[];
  /** Versions by the SHA-1 digest of the whole file. */
  hashes: Record<string, string>;
};

/** What is published on libraries, at one time. */
export type LibraryData = {
  /** Where it is from, and of when or which version. */
  origin: string;
  /** Weaknesses of a version, of medium severity or more and with a number. */
  weaknessesOf(library: string, version: string): KnownWeakness[];
  marks: LibraryMarks[];
  /** The operator has turned off that newer data is fetched. */
  isOff?: true;
  /** Newer data could not be fetched when it was last tried. */
  isOutdated?: true;
};

const entry = z.object({
  below: z.string().optional(),
  atOrAbove: z.string().optional(),
  excludes: z.array(z.string()).optional(),
  severity: z.enum(['none', 'low', 'medium', 'high', 'critical']),
  cwe: z.array(z.string()).optional(),
  identifiers: z.object({
    summary: z.string().optional(),
    CVE: z.array(z.string()).optional(),
    githubID: z.string().optional(),
  }),
});
type LibraryEntry = z.infer<typeof entry>;

const extractors = z.object({
  filecontent: z.array(z.string()).optional(),
  hashes: z.record(z.string(), z.string()).optional(),
});

const shape = z.record(z.string(), z.object({ vulnerabilities: z.array(entry), extractors: extractors.optional() }));

/** What stands for a version in a pattern, as Retire.js reads it. */
const versionPattern = '[0-9][0-9.a-z_\\-]+';

/**
 * Reads data of Retire.js (https://github.com/RetireJS/retire.js/tree/master/repository).
 * @throws ZodError when it has not that shape
 */
export function readLibraryData(json: unknown, origin: string): LibraryData {
  const libraries = new Map(Object.entries(shape.parse(json)));
  return {
    origin,
    weaknessesOf: (library, version) =>
      (libraries.get(library)?.vulnerabilities ?? []).flatMap((each) => weaknessOf(each, version)),
    marks: [...libraries].map(([library, { extractors: { filecontent = [], hashes = {} } = {} }]) => ({
      library,
      patterns: filecontent.map((pattern) => pattern.replaceAll('§§version§§', versionPattern)),
      hashes,
    })),
  };
}

const { version: shippedVersion } = z
  .object({ version: z.string() })
  .parse(createRequire(import.meta.url)('@salesforce/code-analyzer-retirejs-engine/package.json'));

/** The data as it was when the package that ships it was made. */
export const shippedLibraryData: LibraryData = readLibraryData(
  published,
  `as shipped in code-analyzer-retirejs-engine ${shippedVersion}`,
);

/** A script that takes long holds up the visitor's own browser only; a version without support is no weakness by itself. */
const mildCwes = new Set(['CWE-400', 'CWE-770', 'CWE-1333', 'CWE-1104', 'CWE-185']);

function weaknessOf(weakness: LibraryEntry, version: string): KnownWeakness[] {
  const { below, atOrAbove, excludes = [], severity, cwe = [], identifiers } = weakness;
  const id = identifiers.CVE?.[0] ?? identifiers.githubID;
  const isMild =
    severity === 'none' || severity === 'low' || (cwe.length > 0 && cwe.every((each) => mildCwes.has(each)));
  if (id === undefined || below === undefined || isMild || excludes.includes(version)) return [];
  // An end that no version has says that it was never repaired; whether that still holds, the data does not say.
  if (/^\d*\.?999/.test(below) || compareVersions(version, below) >= 0) return [];
  if (atOrAbove !== undefined && compareVersions(version, atOrAbove) < 0) return [];
  return [{ id, summary: (identifiers.summary ?? '').split('\n')[0] ?? '', fixedIn: below }];
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
