import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sourceFiles } from './imports.ts';

const project = join(import.meta.dirname, '..', '..');
const programs = /^(?:workflows|core|gateway|listener|kit|cli)\//;

/** What throws, or makes a tree without bounds, on a text that nobody has looked at; and the places that make it safe. */
const rules: { what: string; use: string; pattern: RegExp; places: RegExp; exceptions: Record<string, string> }[] = [
  {
    what: 'decodeURIComponent',
    use: 'kit/percent.ts',
    pattern: /\bdecodeURI(?:Component)?\(/,
    places: /^kit\/percent\.ts$/,
    exceptions: {},
  },
  {
    what: 'JSON.parse',
    use: 'kit/json.ts, and parseJson of workflows/model/json.ts for what a target sent',
    // Where a schema reads it at once, only what it describes comes out.
    pattern: /(?<!\.(?:parse|safeParse)\()\bJSON\.parse\(/,
    places: /^kit\/json\.ts$/,
    exceptions: {
      'workflows/library-feed.ts': 'readLibraryData validates it',
      'workflows/probe/browser/relay/sift.ts': 'runs in the process of the relay, which imports nothing of the project',
      'workflows/checks/client/message-visits.ts': 'the words in a pattern',
      'workflows/checks/client/stored-tokens.ts': 'a script for the browser',
    },
  },
  {
    what: 'parse5',
    use: 'workflows/probe/html/',
    pattern: /from 'parse5'/,
    places: /^workflows\/probe\/html\//,
    exceptions: {},
  },
];

const test = suite('parsers that nobody guards');
const files = (await sourceFiles(project)).filter((path) => programs.test(path));
const texts = new Map(
  await Promise.all(files.map(async (path) => [path, await readFile(join(project, path), 'utf8')] as const)),
);

for (const { what, use, pattern, places, exceptions } of rules) {
  const users = files.filter((path) => pattern.test(texts.get(path) ?? ''));

  test(`${what} stands in its own place alone`, () => {
    assert.equal(
      users.filter((path) => !places.test(path) && !(path in exceptions)),
      [],
      `use ${use}`,
    );
  });

  test(`places and exceptions of ${what} are there`, () => {
    assert.ok(users.some((path) => places.test(path)));
    assert.equal(
      Object.keys(exceptions).filter((path) => !users.includes(path)),
      [],
    );
  });
}

test.run();
