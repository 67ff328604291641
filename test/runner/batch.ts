/**
 * `node test/runner/batch.ts FILE…` runs uvu files one after the other in this process, each up to its totals: most of
 * a small file's cost is to load what all of them need, and to start a browser or core. It ends with the first file that
 * fails: what that one leaves behind could disturb those after it.
 */
import { pathToFileURL } from 'node:url';
import { beginBatch } from '../support/batch-end.ts';

const endBatch = beginBatch();
// How uvu's own command keeps files from starting by themselves.
Object.assign(globalThis, { UVU_DEFER: 1 });
const { exec } = await import('uvu');
for (const file of process.argv.slice(2)) {
  Object.assign(globalThis, { UVU_QUEUE: [[null]] });
  await import(pathToFileURL(file).href);
  await exec();
  if (process.exitCode) break;
}
await endBatch();
// What the tests of a file that failed have left open would keep this process.
if (process.exitCode) process.exit();
