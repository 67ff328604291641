import type { Surface } from '../../model/surface.ts';
import { type ArchiveEntry, type ArchiveFormat, inArchive } from '../../proof/archives.ts';
import type { CheckContext } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import type { UploadedFile } from '../inputs/input-request.ts';
import { maxForms, type Taking, takingForms } from './upload-forms.ts';

/** A form that unpacks archives. */
export type ArchiveForm = Taking & {
  format: ArchiveFormat;
  /** Files that an archive has to have to be taken. */
  needed: readonly ArchiveEntry[];
};

const endings: Record<ArchiveFormat, readonly [ending: string, type: string]> = {
  zip: ['zip', 'application/zip'],
  tar: ['tar', 'application/x-tar'],
  targz: ['tar.gz', 'application/gzip'],
};

const takesArchives =
  /\bzip|[-_.]zip|\btar\b|tgz|gzip|archive|compressed|\bbundles?\b|\bpackages?\b|\bthemes?\b|\bplugins?\b|\bextensions?\b|\bbackups?\b|\brestore\b|\bunpack|\bextract/i;

/** The format that a form names; a ZIP archive where it names none. */
function formatOf({ accept, called }: Taking): ArchiveFormat {
  const hint = takesArchives.test(accept) ? accept : called;
  if (/zip(?!ped)/i.test(hint.replace(/gzip/gi, ''))) return 'zip';
  return /tgz|gz\b|gzip/i.test(hint) ? 'targz' : /\btar\b/i.test(hint) ? 'tar' : 'zip';
}

/** Names nothing but archives, or nothing at all. */
const mayTakeArchives = (accept: string): boolean => accept === '' || accept === '*/*' || takesArchives.test(accept);

const known = new WeakMap<Surface, ArchiveForm[]>();

/** Each form that takes an archive, by what it is called and what it takes. */
export function archiveForms(context: CheckContext): ArchiveForm[] {
  const before = known.get(context.surface);
  if (before) return before;
  const all = takingForms(context).filter(
    ({ accept, called }) => mayTakeArchives(accept) && takesArchives.test(`${accept} ${called}`),
  );
  const forms = likeliest(context, all, maxForms, 'forms that take an archive').map((form) => ({
    ...form,
    input: { ...form.input, others: form.input.others.map(namedAnew) },
    format: formatOf(form),
    needed: [],
  }));
  known.set(context.surface, forms);
  return forms;
}

/** What is typed beside an archive may be the name of its folder, of which there is one. */
const namedAnew = (other: { name: string; value: string }) =>
  other.value === 'audit' ? { ...other, value: archiveName } : other;

/** Name of an archive, and what is typed beside it; of the text file in it, and a word that only that has. */
export const archiveName = '‹nonce4›';
export const [textFile, fileWord] = ['‹nonce3›.txt', '‹nonce›'];
/** A folder of an archive. */
export const innerFolder = '‹nonce8›';

/** The same with other names and words: the control of an experiment must not find what its steps have left. */
export function anew<T>(value: T): T {
  if (typeof value === 'string') return value.replace(/‹nonce(\d?)›/g, (_, digit) => `‹nonce2${digit || '0'}›`) as T;
  if (Array.isArray(value)) return value.map(anew) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, anew(each)])) as T;
}

/** The archive as it is sent: what it has to have stands before what is given, which may stand in its place. */
export function archiveFile({ format, needed }: ArchiveForm, entries: readonly ArchiveEntry[]): UploadedFile {
  const [ending, type] = endings[format];
  const others = needed.filter(({ name }) => !entries.some((entry) => entry.name === name));
  return { name: `${archiveName}.${ending}`, type, content: inArchive(format, [...others, ...entries]) };
}

const fileNames =
  /(?<![\w./-])(?:[\w-]{1,40}\/)?[\w-]{1,40}\.(?:json|ya?ml|xml|html?|ini|toml|txt|md|css|csv|conf)\b/gi;

/** Files that an answer names. */
export const filesNamedIn = (text: string, own: string): string[] =>
  [...new Set([...text.replace(/<[^>]*>/g, ' ').matchAll(fileNames)].map(([name]) => name))].filter(
    (name) => !name.includes(own),
  );

/** A file of a format with a word in it that pages may show. */
export function neededFile(name: string, shown: string): ArchiveEntry {
  const ending = name.replace(/^.*\./s, '').toLowerCase();
  const content =
    ending === 'json'
      ? JSON.stringify({ name: shown, title: shown, version: '1.0.0', description: shown, author: 'audit' })
      : /^ya?ml$/.test(ending)
        ? `name: ${shown}\ntitle: ${shown}\nversion: 1.0.0\n`
        : ending === 'xml'
          ? `<?xml version="1.0"?><root><name>${shown}</name><version>1.0.0</version></root>`
          : /^html?$/.test(ending)
            ? `<!doctype html><title>${shown}</title><p>${shown}</p>`
            : ending === 'ini' || ending === 'toml' || ending === 'conf'
              ? `name = "${shown}"\nversion = "1.0.0"\n`
              : shown;
  return { name, content };
}
