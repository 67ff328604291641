import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { completeDuring, type ExampleContext, startExamples } from './support/examples.ts';

const run = promisify(execFile);
const project = join(import.meta.dirname, '../..');

const test = suite('internal services call core', {} as ExampleContext);

test.before(async (context) => void Object.assign(context, await startExamples()));
test.after((context) => context.close());

test('a service in Node starts a scan and waits for its end', async (context) => {
  const host = 'node.example.com';
  const file = join(project, 'docs/examples/node/start-scan.ts');
  const example = run(process.execPath, [file, `https://${host}/`], { env: context.env });
  assert.match(
    await completeDuring(context, host, example),
    /started [\w-]+ of node\.example\.com\nVERDICT_FAIL - 1 verified finding /,
  );
});

test('a service in Node gets the reason of its refusal, in the words of the service', async (context) => {
  const file = join(project, 'docs/examples/node/start-scan.ts');
  const example = run(process.execPath, [file, 'https://foreign.test/'], { env: context.env });
  const refused = await example.then(
    () => '',
    (error: { stderr: string }) => error.stderr,
  );
  assert.match(refused, 'refused with PERMISSION_DENIED: ');
  assert.match(refused, 'POST /api/v1/domains {"domain": "foreign.test"}');
});

test.run();
