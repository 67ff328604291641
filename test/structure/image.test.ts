import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const project = join(import.meta.dirname, '..', '..');
const linesOf = async (file: string): Promise<string[]> => (await readFile(join(project, file), 'utf8')).split('\n');

const Image = suite('the image');

Image('is built of what .dockerignore lets through', async () => {
  const allowed = (await linesOf('.dockerignore')).flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));
  const copied = (await linesOf('Dockerfile'))
    .filter((line) => line.startsWith('COPY '))
    .flatMap((line) => line.split(' ').slice(1, -1));
  assert.equal(copied.toSorted(), allowed.toSorted());
});

Image('has the programs that the compose file starts', async () => {
  const allowed = (await linesOf('.dockerignore')).map((line) => line.slice(1));
  const started = (await linesOf('docs/operations/compose.yaml')).flatMap(
    (line) => /command: \[(\w+)\/main\.ts\]/.exec(line)?.[1] ?? [],
  );
  assert.ok(started.length >= 4);
  assert.equal(
    started.filter((folder) => !allowed.includes(folder)),
    [],
  );
});

Image.run();
