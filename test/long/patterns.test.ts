import { glob, readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import { createContext, Script } from 'node:vm';
import { parse } from 'acorn';
import fc from 'fast-check';
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

/** One character again and again, and what the pattern itself looks for with a part of it again and again and a bad end. */
function* baitsFor({ source, flags }: Pattern): Generator<string> {
  for (const char of ' a<"/.0\n-&=A%;(?,_') yield char.repeat(baitLength);
  // What the generator does not know would keep it busy for ever.
  if (flags.includes('u') || flags.includes('v') || /\\[pP]\{|\(\?<|\[\^?[^\]]*`/.test(source)) return;
  for (const sample of samplesOf(source)) {
    const middle = Math.floor(sample.length / 2);
    for (const [from, to] of [
      [0, sample.length],
      [0, middle],
      [middle, sample.length],
      [1, sample.length - 1],
    ] as const) {
      const part = sample.slice(from, to);
      if (part !== '') yield `${sample.slice(0, from)}${part.repeat(Math.ceil(baitLength / part.length))}\u0001`;
    }
  }
}

/** Texts that a pattern matches; none when the generator does not know all that is in it. */
function samplesOf(source: string): string[] {
  try {
    return fc.sample(fc.stringMatching(new RegExp(source), { size: 'small' }), { numRuns: 5, seed: 7 });
  } catch {
    return [];
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
