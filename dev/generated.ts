import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { commentsIn } from './contract-comments.ts';

/** Where buf.gen.yaml writes, relative to a project. */
const outputFolder = join('proto', 'gen');
const contractPackage = 'scanaudit.v1';

/** Generates the contract's code from a project's proto/ with buf, offline. @param target gets proto/gen */
export async function generate(project: string, target = project): Promise<void> {
  // buf finds its plugin on PATH.
  const path = [join(project, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
  const buf = (...words: string[]) =>
    promisify(execFile)('buf', words, { cwd: project, env: { ...process.env, PATH: path } });
  await buf('generate', '--output', target);
  await inScratch(async (scratch) => {
    const image = join(scratch, 'image.binpb');
    await buf('build', '--output', image);
    const comments = commentsIn(await readFile(image), contractPackage);
    const text = `/** Comments of the contract by full name. Generated. */\nexport const comments: Readonly<Record<string, string>> = ${JSON.stringify(comments, null, 2)};\n`;
    await mkdir(join(target, outputFolder), { recursive: true });
    await writeFile(join(target, outputFolder, 'comments.ts'), text);
  });
}

/** Files of proto/gen that are not what proto/ generates now. */
export async function staleFiles(project: string): Promise<string[]> {
  return inScratch(async (scratch) => {
    await generate(project, scratch);
    const [fresh, committed] = await Promise.all([
      readTree(join(scratch, outputFolder)),
      readTree(join(project, outputFolder)),
    ]);
    const names = new Set([...fresh.keys(), ...committed.keys()]);
    return [...names].filter((name) => fresh.get(name) !== committed.get(name)).sort();
  });
}

async function inScratch<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const scratch = await mkdtemp(join(tmpdir(), 'scan-audit-generated-'));
  try {
    return await work(scratch);
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
