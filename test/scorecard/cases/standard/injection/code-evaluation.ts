import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { escapeHtml } from '../../../../fixtures/site.ts';
import type { ScoreCase } from '../../../case.ts';
import { startValuePage } from '../../../sites/value-page.ts';

const pre = (text: unknown): string => `<pre>${escapeHtml(String(text))}</pre>`;

const calculator: ScoreCase = {
  name: 'calculator that evaluates what it is given',
  start: (variant) =>
    startValuePage({
      link: '/calculate?of=1%2B2',
      make: (sum) =>
        variant === 'vulnerable' || /^[\d+*/().\s-]{1,40}$/.test(sum) ? pre(runInNewContext(sum)) : pre('Numbers only'),
    }),
};

const greeting: ScoreCase = {
  name: 'greeting that is put together as code',
  start: (variant) =>
    startValuePage({
      link: '/hello?name=Ada',
      make: (name) =>
        pre(
          variant === 'vulnerable'
            ? runInNewContext(`"Hello " + "${name}".trim()`)
            : runInNewContext('"Hello " + name.trim()', { name }),
        ),
    }),
};

/** In a process of its own, so that what waits there keeps nothing else waiting. */
const rule: ScoreCase = {
  name: 'rule that is tried and whose result nobody sees',
  start: (variant) =>
    startValuePage({
      link: '/rules?discount=5',
      make: async (discount) => {
        const script = variant === 'vulnerable' ? 'eval("var d = " + process.argv[1])' : 'Number(process.argv[1])';
        await promisify(execFile)(process.execPath, ['-e', script, '--', discount]);
        return '<p>The rule was tried.</p>';
      },
    }),
};

export const cases: ScoreCase[] = [calculator, greeting, rule];
