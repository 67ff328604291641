import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fuzz, hasPython } from '../fuzz/schemathesis.ts';
import { setStage } from '../fuzz/stage.ts';
import { firstRows } from '../support/further.ts';

const test = suite('requests made out of /openapi.json');

/** The short form of `npm run fuzz`. Machines without Python do without it; the one that guards the project has it. */
const isPossible = process.env.CI !== undefined || (await hasPython());

(isPossible ? test : test.skip)('are answered as it says', async () => {
  const stage = await setStage();
  try {
    const phases = firstRows(['examples', 'fuzzing', 'stateful'], 2);
    const { passed, failed } = await fuzz(stage, { maxExamples: 1, phases, seed: 1, env: process.env });
    assert.is(failed, 0, 'see the output of schemathesis');
    assert.ok(passed > 50, `${passed} requests`);
  } finally {
    await stage.close();
  }
});

test.run();
