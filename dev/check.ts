/** `npm run check`: everything that can be said about the code without running it. Exits 1 when anything is wrong. */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { catalogueFile, isCatalogueFresh } from './check-catalogue.ts';
import { projectFolder } from './config.ts';
import { contractBreaks } from './contract-breaks.ts';
import { staleFiles } from './generated.ts';

/** What is wrong, in words; empty when all is well. */
type CheckStep = () => Promise<string>;

const command =
  (name: string, ...args: string[]): CheckStep =>
  async () => {
    const child = spawn(name, args, { cwd: projectFolder, stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
    const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return code === 0 ? '' : `${output}${errors}`.trim() || `${name} ended with exit code ${code}`;
  };

const checks: [string, CheckStep][] = [
  ['types', command('tsc', '--noEmit')],
  ['format and lint', command('biome', 'check', '--error-on-warnings', '.')],
  ['contract: lint', command('buf', 'lint', 'proto')],
  ['contract: breaks', () => contractBreaks(projectFolder)],
  ['contract: format', command('buf', 'format', '--diff', '--exit-code', 'proto')],
  [
    'generated code is fresh',
    async () => {
      const stale = await staleFiles(projectFolder);
      return stale.length === 0 ? '' : `Run npm run generate. Stale in proto/gen:\n${stale.join('\n')}`;
    },
  ],
  [
    'catalogue of checks is fresh',
    async () => ((await isCatalogueFresh(projectFolder)) ? '' : `Run npm run generate: ${catalogueFile} is stale.`),
  ],
  ['imports keep to the folders', command(process.execPath, 'test/structure/imports.test.ts')],
  ['imports keep to the layers', command(process.execPath, 'test/structure/layers.test.ts')],
  ['exports are used', command(process.execPath, 'test/structure/exports.test.ts')],
];

async function run([name, check]: [string, CheckStep]): Promise<boolean> {
  const startedAt = performance.now();
  const wrong = await check().catch((error: unknown) => String(error));
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${wrong === '' ? '✓' : '✘'} ${name} (${seconds} s)`);
  if (wrong !== '') console.log(wrong.replace(/^/gm, '  '));
  return wrong === '';
}

const results = await Promise.all(checks.map(run));
process.exitCode = results.every(Boolean) ? 0 : 1;
