import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createGate } from '../../../workflows/probe/gate/gate.ts';
import { scopeOf } from '../../../workflows/probe/scope.ts';
import { createFrontier } from '../../../workflows/survey/frontier.ts';
import { createTally } from '../../../workflows/survey/left-out.ts';
import { createScribe } from '../../../workflows/survey/scribe.ts';
import { answer, pageUrl } from '../../security/hostile-input/answer.ts';

const scribe = suite('what is read of a page');

scribe('is all of it on a machine that is so busy that the links take seconds', () => {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  // This thread waits, as it does where others have the processors.
  const refusesNothing = () => void Atomics.wait(pause, 0, 0, 60);
  const scope = scopeOf(pageUrl);
  const frontier = createFrontier(scope, [], createTally(), () => undefined);
  const reader = createScribe(
    scope,
    frontier,
    createGate({ depth: 'standard', writes: 'reversible' }),
    refusesNothing,
    { add: () => {} },
    { add: () => {} },
  );
  const links = Array.from({ length: 20 }, (_, index) => `<a href="/goods/${index}">x</a>`);
  reader.read({ url: pageUrl, source: 'link' }, answer(links.join('')));
  assert.equal(reader.cut, []);
});

scribe.run();
