import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ScriptState, scriptStateAt } from '../../../../workflows/checks/dom/script-state.ts';

const test = suite('state of a script');

/** "§" marks the place that is asked about. */
const table: [string, ScriptState][] = [
  ['§', 'code'],
  ['var a = §1;', 'code'],
  ["var a = 'x§", "'"],
  ["var a = 'it\\'s §", "'"],
  ["var a = 'x' + §", 'code'],
  ['var a = "it\'s §', '"'],
  ["var a = 'unfinished\n§", 'code'],
  ['`a §', '`'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the script that is looked at
  ['`a ${ § } b`', 'code'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the script that is looked at
  ['`a ${ { b: 1 } } § b`', '`'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the script that is looked at
  ['`a ${ `b ${1} §` } c`', '`'],
  ['`a` + §', 'code'],
  ['// it is §', 'line-comment'],
  ['// it is\n§', 'code'],
  ['/* it is § */', 'block-comment'],
  ['/* it is */ §', 'code'],
  ['/*/ § */', 'block-comment'],
  ['a = b / c; "§', '"'],
  ['a = /x§/', 'regex'],
  ['a = /[/"]/; §', 'code'],
  ['a = /\\//.test("§', '"'],
  ['return /"§/', 'regex'],
  ['f(1) / 2; §', 'code'],
  ["x = 'http://a'; §", 'code'],
];

for (const [marked, state] of table) {
  test(`${JSON.stringify(marked)} is in ${state}`, () => {
    assert.is(scriptStateAt(marked.replace('§', ''), marked.indexOf('§')), state);
  });
}

test('a long script takes little time', () => {
  const startMs = performance.now();
  scriptStateAt('a / b; '.repeat(200_000), 1_400_000);
  assert.ok(performance.now() - startMs < 2_000);
});

test.run();
