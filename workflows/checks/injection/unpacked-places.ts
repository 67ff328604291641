import type { Exchange } from '../../model/http.ts';
import { ProbeError } from '../../model/probe-error.ts';
import type { Surface } from '../../model/surface.ts';
import type { ArchiveEntry } from '../../proof/archives.ts';
import { escapePattern } from '../../proof/pattern.ts';
import { fill, newTrialValues } from '../../proof/template.ts';
import { targetOf } from '../addresses/redirect-target.ts';
import type { CheckContext } from '../contract.ts';
import { openInput, requestOfInput } from '../inputs/open-input.ts';
import {
  type ArchiveForm,
  archiveFile,
  archiveForms,
  archiveName,
  filesNamedIn,
  fileWord,
  innerFolder,
  neededFile,
  textFile,
} from './archive-forms.ts';
import { contextOf } from './plant.ts';
import { read } from './stored-reads.ts';
import { sending } from './upload-forms.ts';
import { addressesIn, type KeptFile, keptFile, pagesWithFiles } from './upload-places.ts';

/** A form whose archives were seen to be unpacked, and where one of their files is shown. */
export type Unpacked = ArchiveForm & {
  /** Name of that file. */
  entry: string;
  /** With references where it has the name of the archive, or that of the file. */
  url: string;
  viewer: string;
  /** Where the folder is another one each time: the page that names the file, what stands before the address there, and that as a pattern. */
  linkedOn?: { url: string; before: string; pattern: string };
  /** The same where the answer to the form names the folder: what stands before and behind its name in the address, and a pattern of it. */
  namedInAnswer?: { before: string; pattern: string; after: string };
};

export const isUnpacked = (form: ArchiveForm | Unpacked): form is Unpacked => 'entry' in form;

const known = new WeakMap<Surface, Promise<(ArchiveForm | Unpacked)[]>>();

/** Forms that take an archive, with what it has to have, and where its files are shown if anywhere; asked once for all checks. @throws ProbeError */
export function archivesTaken(context: CheckContext): Promise<(ArchiveForm | Unpacked)[]> {
  const before = known.get(context.surface);
  if (before) return before.catch(() => lookAtForms(context));
  const looking = lookAtForms(context);
  known.set(context.surface, looking);
  looking.catch(() => known.delete(context.surface));
  return looking;
}

async function lookAtForms(context: CheckContext): Promise<(ArchiveForm | Unpacked)[]> {
  const found: (ArchiveForm | Unpacked)[] = [];
  for (const form of archiveForms(context)) {
    const unpacked = await unpackedAt(context, form);
    if (unpacked) found.push(unpacked);
  }
  return found;
}

/** Sends an archive. @returns what comes of it; undefined where the form is not sent. @throws ProbeError */
export async function sendArchive<T>(
  context: CheckContext,
  form: ArchiveForm,
  entries: readonly ArchiveEntry[],
  look: (put: (text: string) => string, answer: Exchange) => Promise<T | undefined>,
): Promise<T | undefined> {
  const sender = contextOf(context, form.identity);
  const values = newTrialValues(context.nonce);
  const opened = await openInput(sender, form.input);
  const request = await requestOfInput(sender, opened, sending(form, opened, archiveFile(form, entries)), values);
  try {
    return await context.store?.(form.identity, request, (answer) => look((text) => fill(text, values), answer));
  } catch (error) {
    if (error instanceof ProbeError && error.code === 'refused') return undefined;
    throw error;
  }
}

const innerFile = `${innerFolder}/${textFile}`;
const maxNeeded = 2;
/** A word of the files that an archive has to have, which a page may show. */
const neededWord = '‹nonce5›';

/** Where the file of an archive is shown. A site may say which file an archive lacks: it gets that one. */
async function unpackedAt(context: CheckContext, form: ArchiveForm): Promise<ArchiveForm | Unpacked | undefined> {
  const { identity, pageUrl, input } = form;
  const place = { identity, pageUrl, url: input.url };
  const before = addressesIn(await pagesWithFiles(context, place));
  // A site may keep what is in folders, and refuse what is not.
  const texts = [textFile, innerFile].map((name) => ({ name, content: fileWord }));
  const looked = await sendArchive(context, form, texts, async (put, answer) => {
    const words = { nonce: put('‹nonce3›'), word: put(fileWord), archive: put(archiveName), inner: put(innerFolder) };
    const kept = await keptFile(context, answer, { ...place, ...words, name: put(textFile), before });
    const asTemplate = (url: string) =>
      [
        ['‹nonce3›', words.nonce] as const,
        [archiveName, words.archive] as const,
        [innerFolder, words.inner] as const,
      ].reduce((text, [reference, word]) => text.replaceAll(word, reference), url);
    const entry = [innerFile, textFile].find((name) => kept?.url.endsWith(put(name)));
    if (kept && entry !== undefined) {
      const { url, viewer } = kept;
      const isOwnFolder = !url.slice(0, -put(entry).length).includes(words.archive);
      return { ...form, entry, url: asTemplate(url), viewer, ...(isOwnFolder && folderPlace(kept, put(entry))) };
    }
    for (const { url, text } of await shownPages(context, form, answer, put)) {
      const entry = form.needed.find(() => text.includes(put(neededWord)) && url.includes(words.archive));
      if (entry) return { ...form, entry: entry.name, url: asTemplate(url), viewer: identity };
    }
    return { missing: filesNamedIn(answer.text, words.nonce) };
  });
  if (!looked || 'url' in looked) return looked;
  const missing = looked.missing.filter((name) => !form.needed.some((entry) => entry.name === name));
  if (missing.length === 0 || form.needed.length + missing.length > maxNeeded) return form;
  return unpackedAt(context, {
    ...form,
    needed: [...form.needed, ...missing.map((name) => neededFile(name, neededWord))],
  });
}

/** A pattern of what may stand in a link before the name of a file. */
export const partOfLink = `[^\\s"'<>()=,;]*`;

/** How to find the folder of an archive anew, where the site names it: by the page that leads to its file, or by the answer to the form. */
function folderPlace(
  { url, linkedOn, folderInAnswer }: KeptFile,
  entry: string,
): Pick<Unpacked, 'linkedOn' | 'namedInAnswer'> {
  if (folderInAnswer !== undefined) {
    const [, above, name] = /^(.*\/)([^/]+)\/$/.exec(folderInAnswer) ?? [];
    const after = `/${entry}`;
    if (above === undefined || name === undefined || !url.endsWith(`/${name}${after}`)) return {};
    const pattern = `${escapePattern(above)}([^/\\s"'<>()=,;]+)`;
    return { namedInAnswer: { before: url.slice(0, -`${name}${after}`.length), pattern, after: '/' } };
  }
  if (!linkedOn || !url.endsWith(linkedOn.written)) return {};
  const pattern = `(${partOfLink}${escapePattern(textFile)})`;
  return { linkedOn: { url: linkedOn.url, before: url.slice(0, -linkedOn.written.length), pattern } };
}

/** Pages that may show what the files of an archive say: the one that the answer leads to, and those that are called as the archive. */
async function shownPages(
  context: CheckContext,
  form: ArchiveForm,
  answer: Exchange,
  put: (text: string) => string,
): Promise<{ url: string; text: string }[]> {
  const { identity, pageUrl, input } = form;
  const led = targetOf(answer);
  const around = await pagesWithFiles(context, { identity, pageUrl, url: input.url });
  const linked = [...addressesIn([answer, ...around])].filter((url) => url.includes(put(archiveName)));
  const pages: { url: string; text: string }[] = [];
  for (const url of new Set([...(led === undefined ? [] : [led]), ...linked.slice(0, maxLinked)])) {
    const page = await read(context, identity, url);
    if (page?.status === 200) pages.push({ url, text: page.text });
  }
  return pages;
}

const maxLinked = 3;
