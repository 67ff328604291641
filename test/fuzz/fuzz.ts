/**
 * `npm run fuzz [-- requests [seed]]` holds a service of its own against its description, with up to that many
 * generated requests (50 when not given) for each operation and phase, and prints `N passed, N failed` at the end.
 */
import { fuzz } from './schemathesis.ts';
import { setStage } from './stage.ts';

const [maxExamples = '50', seed = '1'] = process.argv.slice(2);

const stage = await setStage();
try {
  const { passed, failed } = await fuzz(stage, {
    maxExamples: Number(maxExamples),
    phases: ['examples', 'coverage', 'fuzzing', 'stateful'],
    seed: Number(seed),
    env: process.env,
  });
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
} finally {
  await stage.close();
}
