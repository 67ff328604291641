import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/** Where buf.gen.yaml writes, relative to a project. */
const outputFolder = join('proto', 'gen');

/** Generates the contract's code from a project's proto/ with buf, offline. @param target gets proto/gen */
export async function generate(project: string, target = project): Promise<void> {
  // buf finds its plugin on PATH.
  const path = [join(project, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
  await promisify(execFile)('buf', ['generate', '--output', target], {
    cwd: project,
    env: { ...process.env, PATH: path },
  });
}

/** Files of proto/gen that are not what proto/ generates now. */
export async function staleFiles(project: string): Promise<string[]> {
  const scratch = await mkdtemp(join(tmpdir(), 'scan-audit-generated-'));
  try {
    await generate(project, scratch);
    const [fresh, committed] = await Promise.all([
      readTree(join(scratch, outputFolder)),
      readTree(join(project, outputFolder)),
    ]);
    const names = new Set([...fresh.keys(), ...committed.keys()]);
    return [...names].filter((name) => fresh.get(name) !== committed.get(name)).sort();
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Content of each file below a folder, by its path relative to it. */
async function readTree(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const contents = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return new Map(files.map((file, index) => [file.slice(folder.length + 1), contents[index] ?? '']));
}
