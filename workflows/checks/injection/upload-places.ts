import type { Exchange } from '../../model/http.ts';
import { escapePattern } from '../../proof/pattern.ts';
import { pagesAround } from '../../survey/pages-around.ts';
import type { CheckContext } from '../contract.ts';
import { read } from './stored-reads.ts';

/** Where a file that was sent can be asked for. */
export type KeptFile = {
  url: string;
  /** Whose session is shown it, "" for everybody. */
  viewer: string;
  answer: Exchange;
  /** What the answer to the form says of it, where its name is another one than ours. */
  written?: string;
  /** The page that says so, where the answer does not: it names the newest of all files first or last. */
  listedIn?: { url: string; isLast: boolean };
  /** The page that says so of a name which has ours in it with something of the site's own. */
  renamedOn?: { url: string; written: string };
  /** The page that has its address with our name in it, and how that is written there; not of the answer to the form. */
  linkedOn?: { url: string; written: string };
  /** The folder in which it is, as the answer to the form writes it. */
  folderInAnswer?: string;
};

type Sent = {
  /** Whose session sent it. */
  identity: string;
  pageUrl: string;
  url: string;
  /** Name that it was sent by, the part of it that nothing else has, and a word of what is in it. */
  name: string;
  nonce: string;
  word: string;
  /** The part of an archive's name that nothing else has: a folder may be called so in which its file is. */
  archive?: string;
  /** A folder of the archive in which the file is once more. */
  inner?: string;
  /** Addresses that were on the pages around before. */
  before: ReadonlySet<string>;
};

/** Folders that applications keep such files in, below the root and below the form. */
const usualFolders = ['uploads/', 'upload/', 'files/', 'images/', 'media/', 'static/uploads/'];
const maxNew = 4;
const addressed =
  /(?:src|href|data)\s*=\s*["']?([^"'\s>]+)|"(?:url|path|file|src|location|link|href|image|picture|photo|avatar|thumbnail)"\s*:\s*"([^"]+)"/gi;

/** Pages on which a file would show, as its sender is shown them. @throws ProbeError */
export async function pagesWithFiles(
  context: CheckContext,
  { identity, pageUrl, url }: Pick<Sent, 'identity' | 'pageUrl' | 'url'>,
): Promise<Exchange[]> {
  const surface = context.surfaces[identity] ?? context.surface;
  const pages: Exchange[] = [];
  for (const each of pagesAround(surface, { url, pageUrl }).pages) {
    const page = await read(context, identity, each);
    if (page) pages.push(page);
  }
  return pages;
}

export const addressesIn = (pages: readonly Exchange[]): Set<string> =>
  new Set(pages.flatMap((page) => writtenIn(page).flatMap((written) => resolved(written, page) ?? [])));

const writtenIn = ({ text }: Exchange): string[] =>
  [...text.matchAll(addressed)].map(([, attribute, member = '']) =>
    (attribute ?? member).replaceAll('&amp;', '&').replaceAll('\\/', '/'),
  );

const resolved = (written: string, { request }: Exchange): string | undefined =>
  URL.parse(written, request.url)?.href.replace(/#.*$/s, '');

/** Finds a file by the answer to the form, the pages around it, and the folders that are usual. @throws ProbeError */
export async function keptFile(context: CheckContext, answer: Exchange, sent: Sent): Promise<KeptFile | undefined> {
  const location = answer.header('location');
  const next = location === undefined ? undefined : resolved(location, answer);
  const led = next === undefined ? undefined : await read(context, sent.identity, next);
  const around = [...(led ? [led] : []), ...(await pagesWithFiles(context, sent))];
  const { origin } = new URL(sent.url);
  const tried = new Set<string>();
  for (const place of placesIn([answer, ...around], sent)) {
    if (tried.has(place.url) || new URL(place.url).origin !== origin) continue;
    tried.add(place.url);
    const kept = await asked(context, sent, place.url);
    if (!kept) continue;
    const isOurs = place.url.includes(sent.nonce);
    const listedIn = isOurs || place.page === answer ? undefined : listOf(place, sent);
    if (!isOurs && place.page !== answer && !listedIn) continue;
    // A name of ours with something before it is another one each time.
    const isWhole = place.url.split(/[/?#=]/).includes(sent.name);
    const isSame = isOurs && (place.page !== answer || isWhole);
    const { written, page } = place;
    const isLinked = isOurs && page !== answer;
    const isRenamed = isLinked && !isWhole && !written.includes('&');
    const on = { url: page.request.url, written };
    return {
      ...{ ...kept, ...(isSame ? {} : { written }), ...(listedIn && { listedIn }) },
      ...{ ...(isLinked && { linkedOn: on }), ...(isRenamed && { renamedOn: on }) },
      ...(place.folder !== undefined && page === answer && { folderInAnswer: place.folder }),
    };
  }
  if (answer.status >= 400) return undefined;
  for (const folder of usualFolders)
    for (const base of new Set([`${origin}/`, new URL('.', sent.url).href])) {
      const kept = await asked(context, sent, `${base}${folder}${sent.name}`, true);
      if (kept) return kept;
    }
  return undefined;
}

type UploadPlace = { url: string; written: string; page: Exchange; folder?: string };

/** What has the file's name in it, then what was not there before. */
function placesIn(pages: readonly Exchange[], { nonce, before, name, archive, inner }: Sent): UploadPlace[] {
  const ending = name.slice(name.lastIndexOf('.'));
  const named = pages.flatMap((page) =>
    [...page.text.matchAll(new RegExp(`[^\\s"'<>()=,;]*${nonce}[^\\s"'<>(),;]*`, 'g'))].flatMap(([written]) =>
      placeOf(written.replaceAll('&amp;', '&').replaceAll('\\/', '/'), page),
    ),
  );
  const inFolders =
    archive === undefined
      ? []
      : pages.flatMap((page, index) =>
          writtenIn(page)
            .filter(
              (written) =>
                (written.includes(archive) || (index === 0 && written.endsWith('/'))) && !written.includes(nonce),
            )
            .map(folderOf)
            .flatMap((folder) =>
              [name, ...(inner === undefined ? [] : [`${inner}/${name}`])].flatMap((path) =>
                placeOf(folder + path, page).map((place) => ({ ...place, folder })),
              ),
            ),
        );
  const added = pages.flatMap((page) =>
    writtenIn(page)
      .filter((written) => written.split(/[?#]/)[0]?.endsWith(ending))
      .flatMap((written) => placeOf(written, page)),
  );
  // What a database keeps is called by an identifier.
  const numbered = pages.flatMap((page) =>
    writtenIn(page)
      .filter((written) => /^[^?#]*[^/.?#]$/.test(written) && !/\.[^/]*$/.test(written))
      .flatMap((written) => placeOf(written, page)),
  );
  const newest = [added, numbered].flatMap((places) => places.filter(({ url }) => !before.has(url)).slice(-maxNew));
  return [...named, ...inFolders, ...newest];
}

/** A folder, or the one in which a file is. */
const folderOf = (written: string): string =>
  /\.\w+$/.test(written) ? written.replace(/[^/]*$/, '') : written.replace(/\/?$/, '/');

/** The page as a list of files by names of the site's own, where the new one is at an end of it. */
function listOf({ written, page }: UploadPlace, { nonce }: Sent): KeptFile['listedIn'] {
  const all = [...page.text.matchAll(new RegExp(namePattern(written, nonce), 'g'))].map(([each]) =>
    each.replaceAll('\\/', '/'),
  );
  const isLast = all.at(-1) === written;
  return isLast || all[0] === written ? { url: page.request.url, isLast } : undefined;
}

/** What the site calls a file stands behind the last slash, in the first group; it may have our name in it. */
export const namePattern = (written: string, nonce: string): string => {
  const folder = written.replace(/[^/]*$/, '');
  const ending = /\.\w+(?=[?#]|$)/.exec(written)?.[0] ?? '';
  const name = `[^/"'<>\\s?#]`;
  const own = written.includes(nonce) ? `${name}*‹nonce3›${name}*` : `${name}+`;
  // JSON may have a backslash before each slash.
  return `${escapePattern(folder).replaceAll('/', String.raw`\\?/`)}(${own}${escapePattern(ending)})`;
};

function placeOf(written: string, page: Exchange): UploadPlace[] {
  const url = resolved(written, page);
  return url === undefined ? [] : [{ url, written, page }];
}

/** As everybody, or else as who has sent it. A folder that is guessed has the file for nobody where it is not there for everybody. */
async function asked(
  context: CheckContext,
  { identity, word }: Sent,
  url: string,
  isGuess = false,
): Promise<KeptFile | undefined> {
  for (const viewer of identity === '' ? [''] : ['', identity]) {
    const answer = await read(context, viewer, url);
    if (answer?.status === 200 && answer.text.includes(word)) return { url, viewer, answer };
    if (isGuess && (answer?.status === 404 || answer?.status === 410)) return undefined;
  }
  return undefined;
}
