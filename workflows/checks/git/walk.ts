import { counted, wasOrWere } from '../../model/words.ts';
import type { OmissionReporter } from '../inputs/at-most.ts';
import { parseCommit, parseTree, type Repository, type StoredObject } from './repository.ts';

type SourceFile = { path: string; object: StoredObject };

/** What one walk may read. */
const maxFiles = 120;
const maxFolders = 60;
const maxCommits = 8;
const maxFileBytes = 256 * 1024;

/** Files whose content nobody wrote, or that only tests use. */
const uninteresting =
  /(?:^|\/)(?:node_modules|bower_components|vendor|dist|build|coverage|\.git|\.github|__pycache__|tests?|__tests__|spec|fixtures|docs?|examples?|locales?|i18n)(?:\/|$)|\.(?:png|jpe?g|gif|svg|ico|webp|avif|woff2?|ttf|eot|mp[34]|webm|pdf|zip|gz|jar|class|exe|so|map|lock|css|scss|less|md|min\.js)$|(?:^|\/)(?:package-lock\.json|yarn\.lock|composer\.lock|go\.sum)$/i;

/** Where settings and the code of sessions stand, by the habits of common frameworks. */
const likely =
  /(?:^|\/)\.env|config|setting|secret|credential|auth|jwt|token|session|security|passport|(?:^|\/)(?:app|server|index|main|wsgi|application|startup|program|docker-compose|web|values)[.\w-]*\.\w+$/i;

/**
 * The files of the newest commit and, after those, what older commits had instead: settings first, each content once.
 */
export async function* walkFiles({ leave }: OmissionReporter, repository: Repository): AsyncGenerator<SourceFile> {
  const left = { folders: 0, files: 0, commits: 0 };
  yield* filesOf(repository, left);
  const report = (count: number, what: string, bound: string) => {
    const text = `${counted(count, what)} of the repository ${wasOrWere(count)} not read: the check reads ${bound}`;
    if (count > 0) leave({ code: 'too_many', count, text });
  };
  report(left.files, 'file', `${maxFiles} at most, of ${maxFileBytes / 1024} KiB each`);
  report(left.folders, 'folder', `${maxFolders} at most`);
  report(left.commits, 'older commit', `${maxCommits} commits at most`);
}

type UnreadObjects = { folders: number; files: number; commits: number };

async function* filesOf(repository: Repository, left: UnreadObjects): AsyncGenerator<SourceFile> {
  const seen = new Set<string>();
  const budget = { files: maxFiles, folders: maxFolders };
  let commit = await repository.head();
  for (let depth = 0; commit !== undefined; depth += 1) {
    if (depth === maxCommits || budget.files === 0) {
      left.commits = 1;
      return;
    }
    const object = await repository.read(commit);
    if (object?.type !== 'commit') return;
    const { tree, parents } = parseCommit(object.content);
    const files = tree === undefined ? [] : await listFiles(repository, tree, seen, budget, left);
    files.sort((a, b) => rank(a.path) - rank(b.path));
    left.files += Math.max(0, files.length - budget.files);
    for (const { path, id } of files.slice(0, budget.files)) {
      budget.files -= 1;
      const blob = await repository.read(id);
      if (blob?.type !== 'blob') continue;
      if (blob.content.length <= maxFileBytes) yield { path, object: blob };
      else left.files += 1;
    }
    [commit] = parents;
  }
}

const rank = (path: string): number => (likely.test(path) ? 0 : 1) + path.split('/').length / 100;

/** Paths of one tree whose content was not seen before, folder by folder. */
async function listFiles(
  repository: Repository,
  root: string,
  seen: Set<string>,
  budget: { folders: number },
  left: UnreadObjects,
): Promise<{ path: string; id: string }[]> {
  const files: { path: string; id: string }[] = [];
  const queue = [{ path: '', id: root }];
  for (let folder = queue.shift(); folder !== undefined; folder = queue.shift()) {
    if (seen.has(folder.id)) continue;
    seen.add(folder.id);
    if (budget.folders === 0) {
      left.folders += 1;
      continue;
    }
    budget.folders -= 1;
    const object = await repository.read(folder.id);
    for (const { name, id, isFolder } of object?.type === 'tree' ? parseTree(object.content) : []) {
      const path = `${folder.path}${name}`;
      if (seen.has(id) || uninteresting.test(path)) continue;
      if (isFolder) queue.push({ path: `${path}/`, id });
      else {
        seen.add(id);
        files.push({ path, id });
      }
    }
  }
  return files;
}
