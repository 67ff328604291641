import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { further } from '../support/further.ts';
import { type Installation, openInstallation } from './support/installation.ts';

const worker = suite<{ installation: Installation }>('worker program');
worker.before(async (world) => {
  world.installation = await openInstallation({ host: 'site.localhost' });
});
worker.after(({ installation }) => installation.close());

further(worker)(
  'it is ready when core and Temporal answer, says so on one line, and stops on SIGTERM',
  async ({ installation }) => {
    const { program, ready } = await installation.startWorker();
    assert.equal(Object.keys(ready).sort(), ['operationsPort', 'ready']);
    assert.is(ready.ready, 'worker');
    const answer = await fetch(`http://127.0.0.1:${ready.operationsPort}/readyz`);
    assert.is(answer.status, 200, await answer.text());
    process.kill(program.pid, 'SIGTERM');
    assert.equal(await program.exited, { code: 0, signal: null });
  },
);

further(worker)('it is not ready while core is away, and names it', async ({ installation }) => {
  const { program, ready } = await installation.startWorker();
  await installation.program('core')?.stop();
  const answer = await fetch(`http://127.0.0.1:${ready.operationsPort}/readyz`);
  assert.is(answer.status, 503);
  const { missing } = (await answer.json()) as { missing: Record<string, string> };
  assert.equal(Object.keys(missing), ['core']);
  await installation.restartCore();
  await program.stop();
});

worker('asked to stop while Temporal is away, it stops properly', async ({ installation }) => {
  const { program } = await installation.spawnWorker({ TEMPORAL_ADDRESS: '127.0.0.1:9' });
  while (!(await installation.log('lonely')).includes('does not answer yet'))
    await new Promise((resolve) => setTimeout(resolve, 50));
  process.kill(program.pid, 'SIGTERM');
  assert.equal(await program.exited, { code: 0, signal: null });
});

worker.run();
