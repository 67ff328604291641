import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** What would break a client that was made from the contract before. */
type Break = { rule: string; message: string; path: string };

const run = promisify(execFile);

/**
 * Compares the contract with that of the last release (the newest tag "v…"), or, while there is none, with the one before its
 * last change: on a branch the commit that it began at, on main the parent of the last commit that changed `proto/`.
 * @param project folder of a git repository, whose node_modules has buf
 * @returns what breaks and is not accepted in CHANGELOG.md, in words; empty when all is well, or there is no history to compare with
 */
export async function contractBreaks(project: string): Promise<string> {
  const base = await baseOf(project);
  if (base === undefined) return '';
  const accepted = await acceptedNames(project);
  const breaks = (await compare(project, base)).filter(
    ({ message }) => !namesIn(message).some((name) => accepted.has(name)),
  );
  if (breaks.length === 0) return '';
  const lines = breaks.map(({ rule, message, path }) => `${path}: ${message} (${rule})`);
  return [
    `The contract of ${base.slice(0, 12)} is broken. Keep it, or accept the break in the topmost section of CHANGELOG.md:`,
    '- Breaking (contract): `NameOfTheMessage` …',
    ...lines,
  ].join('\n');
}

/** Reads a repository, whoever owns it: a build machine may have checked it out as another user. */
async function git(project: string, ...args: string[]): Promise<string> {
  const { stdout } = await run('git', ['-c', 'safe.directory=*', ...args], { cwd: project });
  return stdout.trim();
}

async function baseOf(project: string): Promise<string | undefined> {
  if (!existsSync(join(project, '.git')) || (await git(project, 'rev-list', '--all', '--max-count=1')) === '')
    return undefined;
  const [release] = (await git(project, 'tag', '--list', 'v*', '--merged', 'HEAD', '--sort=-v:refname')).split('\n');
  if (release) return release;
  const head = await git(project, 'rev-parse', 'HEAD');
  const hasMain = (await git(project, 'for-each-ref', 'refs/remotes/origin/main')) !== '';
  const fork = hasMain ? await git(project, 'merge-base', 'HEAD', 'origin/main') : head;
  if (fork !== head) return fork;
  const isChanged = (await git(project, 'status', '--porcelain', '--', 'proto/scanaudit')) !== '';
  if (isChanged) return head;
  const lastAndParents = await git(project, 'log', '-1', '--format=%H %P', '--', 'proto/scanaudit');
  return lastAndParents.split(' ')[1];
}

async function compare(project: string, base: string): Promise<Break[]> {
  const folder = await mkdtemp(join(tmpdir(), 'scan-audit-contract-'));
  try {
    const archive = join(folder, 'contract.tar');
    await git(project, 'archive', '--output', archive, base, 'proto/scanaudit', 'buf.yaml');
    await run('tar', ['-xf', archive, '-C', folder]);
    // The modules of other projects, which the contract imports.
    await symlink(join(project, 'node_modules'), join(folder, 'node_modules'));
    const image = join(folder, 'before.binpb');
    const buf = join(project, 'node_modules/.bin/buf');
    await run(buf, ['build', 'proto', '--output', image], { cwd: folder });
    const args = ['breaking', 'proto', '--against', image, '--error-format', 'json'];
    const { stdout } = await run(buf, args, { cwd: project, maxBuffer: 64 * 1024 * 1024 }).catch(foundBreaks);
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map(readBreak);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** buf ends with 100 when it has found something. */
function foundBreaks(error: unknown): { stdout: string } {
  if (error instanceof Error && 'code' in error && error.code === 100 && 'stdout' in error)
    return { stdout: String(error.stdout) };
  throw error;
}

function readBreak(line: string): Break {
  const { type, message, path }: Record<string, unknown> = JSON.parse(line);
  return { rule: String(type), message: String(message), path: String(path ?? 'proto') };
}

/** The messages, services, enums and files that buf quotes. */
const namesIn = (message: string): string[] =>
  [...message.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name).filter((name) => /^[A-Z]|\.proto$/.test(name));

/** What the lines "Breaking (contract):" of what is not released yet name. */
async function acceptedNames(project: string): Promise<ReadonlySet<string>> {
  const [, unreleased = ''] = (await readFile(join(project, 'CHANGELOG.md'), 'utf8')).split(/^## .*$/m);
  const lines = unreleased.split('\n').filter((line) => line.startsWith('- Breaking (contract):'));
  return new Set(lines.flatMap((line) => [...line.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)));
}
