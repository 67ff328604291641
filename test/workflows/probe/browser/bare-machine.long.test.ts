import { execFile, execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const project = join(import.meta.dirname, '../../../..');
const bare = join(project, 'dev/bare.sh');
const fonts = suite('the browser on a machine without fonts');

fonts('draws text of many scripts and every control, with the fonts of the project alone', async () => {
  const whyNot = execFileSync(bare, ['--why-not'], { encoding: 'utf8' }).trim();
  if (whyNot !== '') console.log(`The fonts of this machine could not be hidden: ${whyNot}.`);
  const program = [process.execPath, join(import.meta.dirname, 'bare-machine.ts')];
  const [command = '', ...args] = whyNot === '' ? [bare, ...program] : program;
  const { stdout } = await promisify(execFile)(command, args, { cwd: project });
  const { title, families } = JSON.parse(stdout);
  assert.is(title, 'drawn');
  assert.ok(families.length >= 3, families.join());
  assert.equal(
    families.filter((family: string) => !family.startsWith('DejaVu ')),
    [],
  );
});

fonts.run();
