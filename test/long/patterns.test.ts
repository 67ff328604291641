import { glob, readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import { createContext, Script } from 'node:vm';
import { parse } from 'acorn';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

type Pattern = { source: string; flags: string };

const folder = fileURLToPath(new URL('../../workflows/', import.meta.url));
/** A pattern whose time grows with the square of its text takes seconds for this much, others some milliseconds. */
const baitLength = 30_000;
const limitMs = 1_500;

/** Every regular expression that stands in a source file. */
function patternsIn(code: string): Pattern[] {
  const found: Pattern[] = [];
  const nodes: unknown[] = [parse(code, { ecmaVersion: 'latest', sourceType: 'module' })];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    if ('regex' in node) {
      const { pattern, flags } = node.regex as { pattern: string; flags: string };
      found.push({ source: pattern, flags });
    } else nodes.push(...Object.values(node));
  }
  return found;
}

/** One character again and again, and the words of the pattern itself, alone and with blanks. */
function* baitsFor({ source }: Pattern): Generator<string> {
  for (const char of ' a<"/.0\n-&=A%;(?,_') yield char.repeat(baitLength);
  const words = source.match(/[\w<>"'=:/-]{2,}/g) ?? [];
  for (const word of new Set(words)) {
    yield `${word.repeat(Math.ceil(baitLength / word.length))}\u0001`;
    yield `${word}${' '.repeat(baitLength)}\u0001`;
  }
}

const context = createContext({ source: '', flags: '', text: '' });
/** All matches, up to as many as any caller takes. */
const search = new Script(
  "{ let left = 20000; for (const _ of text.matchAll(new RegExp(source, flags.replace('g', '') + 'g'))) if (--left === 0) break; }",
);

/** Whether the time for a text is bounded. */
function ends({ source, flags }: Pattern, text: string): boolean {
  Object.assign(context, { source, flags, text });
  try {
    search.runInContext(context, { timeout: limitMs });
    return true;
  } catch {
    return false;
  }
}

const test = suite('regular expressions over hostile text');

test('a pattern that is known to be slow is noticed', () => {
  assert.not(ends({ source: '(a+)+$', flags: '' }, `${'a'.repeat(baitLength)}!`));
});

test('no pattern of the audit takes long for any bait', async () => {
  const slow: string[] = [];
  let count = 0;
  for await (const file of glob('{checks,probe,proof,login,permissions,planner}/**/*.ts', { cwd: folder })) {
    for (const pattern of patternsIn(stripTypeScriptTypes(await readFile(folder + file, 'utf8')))) {
      count += 1;
      for (const bait of baitsFor(pattern)) {
        if (ends(pattern, bait)) continue;
        slow.push(`${file}: /${pattern.source}/ with ${JSON.stringify(bait.slice(0, 40))}`);
        break;
      }
    }
  }
  assert.ok(count > 500);
  assert.equal(slow, []);
});

test.run();
