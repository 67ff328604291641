import { type ExposedPath, fileOf, grave, inBody, mild, notPage, slight, textOf } from './entry.ts';

const check = 'version-control-folder';

/** The first entry of a revlog: format 1, at offset 0, base and link revision 0, no parents. Source: Mercurial, `hg help internals.revlogs`. */
const firstRevision = '^000[0-3]0001[0-9a-f]{24}0{16}f{16}$';

export const versionControl: readonly ExposedPath[] = [
  {
    check,
    paths: ['.hg/store/00manifest.i', '.hg/store/00changelog.i'],
    inFolders: true,
    readings: [fileOf('the history that Mercurial keeps of the site', 'body:hex', firstRevision, grave)],
  },
  {
    check,
    paths: ['.hg/store/fncache'],
    readings: [textOf('the list of files of a Mercurial repository', ['(?m)^data/\\S+\\.[id]$'], mild)],
  },
  {
    check,
    paths: ['.bzr/repository/pack-names'],
    readings: [
      textOf(
        'the list of packs in which Bazaar keeps the history of the site',
        ['^B\\+Tree Graph Index \\d\\nnode_ref_lists=\\d+\\nkey_elements=\\d+\\nlen=[1-9]'],
        mild,
      ),
    ],
  },
  {
    check,
    // The same words stand in each branch: they show no more than that Bazaar was used.
    paths: ['.bzr/branch-format'],
    readings: [textOf('the format of a branch of Bazaar', ['^Bazaar-NG meta directory, format \\d'], slight)],
  },
  {
    check,
    paths: ['CVS/Entries'],
    inFolders: true,
    readings: [
      textOf('the list of files that CVS keeps', ['(?m)^/[^/\\n]{1,120}/\\d+(?:\\.\\d+)+/[^/\\n]{0,80}/'], mild),
    ],
  },
  {
    check,
    paths: ['CVS/Root'],
    readings: [textOf('where the CVS repository is', ['^:(?:pserver|ext|local|fork|gserver|ssh):'], mild)],
  },
  {
    check,
    paths: ['_darcs/hashed_inventory'],
    readings: [
      textOf('the list of changes of a Darcs repository', ['(?m)^(?:hash: \\d{10}-|pristine:)[0-9a-f]{64}'], mild),
    ],
  },
  {
    check,
    paths: ['_FOSSIL_', '.fslckout'],
    readings: [fileOf('the checkout database of Fossil', 'body:sqlite', '(?m)^vfile$', mild)],
  },
  {
    check,
    paths: ['.gitmodules'],
    readings: [
      {
        holds: 'the list of Git submodules',
        claims: [inBody('(?m)^\\[submodule "'), inBody('(?m)^\\s+url\\s*='), notPage],
        cvss: mild,
      },
    ],
  },
];
