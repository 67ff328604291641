import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type GateOptions, timeoutSecondsOf } from '../../cli/commands/gate-options.ts';

const test = suite('how long a gate waits');

const rows: [string, Partial<GateOptions>, number][] = [
  ['a standard scan', {}, 2_700],
  ['a deep scan', { deep: true }, 9_000],
  ['a scan that was started elsewhere, which may be deep', { run: 'x' }, 9_000],
  ['what the user says', { run: 'x', timeout: 5 }, 5],
];
for (const [what, options, seconds] of rows)
  test(what, () => assert.is(timeoutSecondsOf(options as GateOptions), seconds));

test.run();
