import { Gauge } from 'prom-client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Operations, startOperations } from '../../kit/operations.ts';

let missing: Record<string, string> = {};
let operations: Operations;
const test = suite('the operations door');
test.before(async () => {
  operations = await startOperations({
    port: 0,
    ready: async () => {
      if (missing.fault) throw new Error(missing.fault);
      return missing;
    },
  });
});
test.after(() => operations.close());
test.before.each(() => {
  missing = {};
});

async function ask(path: string): Promise<[status: number, text: string]> {
  const answer = await fetch(`http://127.0.0.1:${operations.port}${path}`);
  return [answer.status, await answer.text()];
}

test('says that the program is up, and nothing about pages that it has not', async () => {
  assert.equal(await ask('/healthz'), [200, '{"status":"up"}']);
  assert.equal(await ask('/healthz?from=balancer'), [200, '{"status":"up"}']);
  assert.equal((await ask('/'))[0], 404);
});

test('is ready when nothing is missing, and names what is', async () => {
  assert.equal(await ask('/readyz'), [200, '{"status":"ready","missing":{}}']);
  missing = { postgresql: 'no answer in 2000 ms' };
  const [status, text] = await ask('/readyz');
  assert.equal([status, JSON.parse(text).missing], [503, missing]);
  missing = { fault: 'cannot look' };
  assert.match((await ask('/readyz'))[1], 'cannot look');
});

test('a figure that cannot be read is an answer of 500, and the program goes on', async () => {
  const name = 'broken';
  const collect = () => {
    throw new Error('no such figure');
  };
  operations.registry.registerMetric(new Gauge({ name, help: 'x', registers: [], collect }));
  const [status, text] = await ask('/metrics');
  assert.is(status, 500);
  assert.match(text, 'no such figure');
  operations.registry.removeSingleMetric(name);
  const [again, figures] = await ask('/metrics');
  assert.is(again, 200);
  assert.match(figures, 'process_cpu_seconds_total');
});

test.run();
