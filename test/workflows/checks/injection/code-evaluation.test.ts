import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { codeEvaluation } from '../../../../workflows/checks/injection/code-evaluation.check.ts';
import { template } from '../../../../workflows/checks/injection/template.check.ts';
import { escapeHtml } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { sideBySide } from '../../../support/side-by-side.ts';
import { places, stored } from '../harness.ts';
import { resultOn, type Show } from './interpreter-sites.ts';

const all = suite('injection.code-evaluation');
/** Most of the time they wait. */
const test = sideBySide(all, 4);

const program = promisify(execFile);
const pre = (text: unknown): string => `<pre>${escapeHtml(String(text))}</pre>`;
const found = (show: Show, link: string) => resultOn(codeEvaluation, link, show);

/** An evaluator of formulas that knows a few functions by name, and lets them be asked for their members or not. */
const formula =
  (members: 'open' | 'closed'): Show =>
  (text) => {
    const names =
      text.replace(/"[^"]*"/g, '').match(members === 'open' ? /(?<![\w.])[a-z_]\w*/gi : /[a-z_]\w*/gi) ?? [];
    if (names.some((name) => name !== 'sqrt') || /[;`&|'$]/.test(text.replace(/"[^"]*"/g, '')))
      throw new Error('unknown symbol');
    return pre(runInNewContext(text, { sqrt: Math.sqrt }));
  };

const vulnerable: [language: string, what: string, link: string, show: Show][] = [
  ['JavaScript', 'eval of a sum', '/sum?of=1%2B2', (sum) => pre(runInNewContext(sum))],
  ['JavaScript', 'a text in single quotes', '/hello?name=Ada', (name) => pre(runInNewContext(`'Hello ' + '${name}'`))],
  ['JavaScript', 'a formula whose functions lead to others', '/calc?eqn=sqrt(9)', formula('open')],
  ['JavaScript', 'an argument', '/label?x=1.5', (x) => pre(runInNewContext(`["x", ${x}].join(" = ")`))],
];

for (const [language, what, link, show] of firstRows(vulnerable, 1)) {
  test(`${language}: ${what} is found by what the code gives`, async () => {
    const result = await found(show, link);
    assert.is(result.outcome.kind, 'found', result.outcome.reason);
    assert.match(stored(result), /‹product:int:int2›/);
    assert.match(result.findings[0]?.description ?? '', new RegExp(language));
  });
}

test('PHP: a key in double quotes, whose value nothing shows, is found by what the code prints', async () => {
  // PHP prints at once; a key that is not there compares as nothing, and what cannot be parsed is answered with no list.
  const sorted = (mayPrint: boolean) => (key: string) => {
    const [, first, second] = /^[^"]*"\.\(print\(str_pad\((\d+)\*(\d+),20,0,0\)\)\)\."$/.exec(key) ?? [];
    if (first !== undefined && mayPrint)
      return pre(`${String(Number(first) * Number(second)).padStart(20, '0')}Night Basic`);
    return /["$(]/.test(key) ? pre('No list') : pre('Night Basic');
  };
  const result = await found(sorted(true), '/rates.php?by=name');
  assert.is(result.outcome.kind, 'found', result.outcome.reason);
  assert.match(result.findings[0]?.description ?? '', /a text that nothing shows of PHP/);
  assert.is((await found(sorted(false), '/rates.php?by=name')).outcome.kind, 'clean');
});

further(test)('a site that shows what it is written in is sent no code of other languages', async () => {
  const sentTo = async (link: string) => {
    const seen: string[] = [];
    const result = await found((sum) => {
      seen.push(sum);
      if (/[^\d+-]/.test(sum)) throw new Error('no sum');
      return pre(runInNewContext(sum));
    }, link);
    const words = ['padStart', 'zfill', 'str_pad', 'rjust'].filter((word) => seen.some((sum) => sum.includes(word)));
    return { words, left: result.outcome.omitted.map(({ text }) => text) };
  };
  const node = await sentTo('/sum?of=1%2B2');
  assert.equal(node.words, ['padStart']);
  assert.match(
    node.left.join(),
    'code of other languages than JavaScript, which the site is written in, was not tried',
  );
  const both = await sentTo('/sum.php?of=1%2B2');
  assert.equal(both.words, ['padStart', 'zfill', 'str_pad', 'rjust']);
});

further(all)('code whose result nobody sees is found by the time that it takes', async () => {
  const result = await found(async (rule) => {
    await program(process.execPath, ['-e', 'eval("var discount = " + process.argv[1])', '--', rule]);
    return '<p>Thank you</p>';
  }, '/rules?rule=5');
  assert.is(result.outcome.kind, 'found', result.outcome.reason);
  assert.match(stored(result), /timing:slope:/);
});

further(all)('code whose result nobody sees is found where quotes are refused', async () => {
  const result = await found(async (rule) => {
    if (/['"]/.test(rule)) return '<p>No quotes</p>';
    await program(process.execPath, ['-e', 'eval("var discount = " + process.argv[1])', '--', rule]);
    return '<p>Thank you</p>';
  }, '/rules?rule=5');
  assert.is(result.outcome.kind, 'found', result.outcome.reason);
  assert.match(stored(result), /timing:slope:/);
});

further(all)('a key in quotes of code, whose errors are answered as unknown keys are, is found by time', async () => {
  const columns = (key: string) => (key === 'price' ? pre('Oak table 35') : pre('No such column'));
  const evaluated = await found(async (key) => {
    const { stdout } = await program(process.execPath, ['-p', 'eval("\'" + process.argv[1] + "\'")', '--', key]).catch(
      () => ({ stdout: '' }),
    );
    return columns(stdout.trim());
  }, '/pick?by=price');
  assert.is(evaluated.outcome.kind, 'found', evaluated.outcome.reason);
  assert.equal((await found(columns, '/pick?by=price')).findings, []);
});

further(all)('a text of an expression that cannot end at the value is found by time', async () => {
  const filtered =
    (isEvaluated: boolean): Show =>
    async (word) => {
      const code = isEvaluated ? `[1, 2, 3].filter((each) => each != '${word}').length` : '3';
      const { stdout } = await program(process.execPath, ['-p', code]).catch(() => ({ stdout: '' }));
      return pre(/'/.test(word) && !isEvaluated ? '0' : stdout || '0');
    };
  const result = await found(filtered(true), '/filter?word=tea');
  assert.is(result.outcome.kind, 'found', result.outcome.reason);
  assert.match(result.findings[0]?.description ?? '', /JavaScript/);
  assert.equal((await found(filtered(false), '/filter?word=tea')).findings, []);
});

further(all)(
  'an expression of Java whose result and errors nobody sees is found by time on a test system',
  async () => {
    const waits = /^'\+T\(java\.lang\.Thread\)\.sleep\((\d)\*1000\)\+'$/;
    const sorted =
      (isEvaluated: boolean): Show =>
      async (by) => {
        const seconds = isEvaluated ? Number(waits.exec(by)?.[1] ?? 0) : 0;
        await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
        return '<p>Sorted.</p>';
      };
    const onTestSystem = { writes: 'create' } as const;
    const result = await resultOn(codeEvaluation, '/sort.jsp?by=price', sorted(true), onTestSystem);
    assert.is(result.outcome.kind, 'found', result.outcome.reason);
    assert.match(result.findings[0]?.description ?? '', /Java \(SpEL\), a text in single quotes/);
    const mended = await resultOn(codeEvaluation, '/sort.jsp?by=price', sorted(false), onTestSystem);
    assert.equal(mended.findings, []);
    assert.match(JSON.stringify(mended.outcome.omitted), 'double quotes were not tried');
  },
);

const clean: Record<string, Show> = {
  'an evaluator of formulas whose functions have no members': formula('closed'),
  'a calculator that takes numbers and signs only': (sum) =>
    /^[\d+*/().\s-]{1,40}$/.test(sum) ? pre(runInNewContext(sum)) : pre('Numbers only'),
  'a calculator that looks for a product': (sum) =>
    pre(sum.replace(/(\d{4})\*(\d{4})/, (_all, x, y) => String(Number(x) * Number(y)).padStart(7, '0'))),
  'a value that is repeated': (sum) => pre(`You said ${sum}`),
  'a value that is parsed as JSON': (sum) => pre(JSON.stringify(JSON.parse(sum))),
  'an error page with the words of a language': (sum) =>
    /['"]/.test(sum) ? pre(`SyntaxError: unexpected token in eval(${sum})`) : pre('3'),
};

for (const [what, show] of firstRows(Object.entries(clean), 2)) {
  test(`${what} is clean`, async () => {
    const result = await found(show, '/sum?of=12');
    assert.equal([result.outcome.kind, places(result)], ['clean', []], result.outcome.reason);
  });
}

test('evaluated code is not reported as a template too', async () => {
  const result = await resultOn(template, '/hello?name=Ada', (name) => pre(runInNewContext(`'Hello ' + '${name}'`)));
  assert.is(result.findings.length, 0);
});

all.run();
