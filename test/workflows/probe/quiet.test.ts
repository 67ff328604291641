import { setImmediate as turn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createQuiet } from '../../../workflows/probe/quiet.ts';

const test = suite('turns of what waits');

const world = () => {
  const seen: string[] = [];
  const work = (name: string) => async () => {
    seen.push(`${name} begins`);
    await turn();
    await turn();
    seen.push(`${name} ends`);
    return name;
  };
  return { seen, work, quiet: createQuiet() };
};

test('slow work runs beside other slow work', async () => {
  const { seen, work, quiet } = world();
  await Promise.all([quiet.beside(work('one')), quiet.beside(work('other'))]);
  assert.equal(seen.slice(0, 2), ['one begins', 'other begins']);
});

test('a measurement runs beside nothing that waits', async () => {
  const { seen, work, quiet } = world();
  const all = [
    quiet.beside(work('slow')),
    quiet.alone(work('first')),
    quiet.alone(work('second')),
    quiet.beside(work('late')),
  ];
  await Promise.all(all);
  assert.equal(
    seen,
    ['slow', 'first', 'second', 'late'].flatMap((name) => [`${name} begins`, `${name} ends`]),
  );
});

test('a measurement that fails keeps nobody else from theirs', async () => {
  const { work, quiet } = world();
  const failing = quiet.alone(async () => {
    throw new Error('no answer');
  });
  const next = quiet.alone(work('next'));
  await failing.catch(() => {});
  assert.is(await next, 'next');
});

test.run();
