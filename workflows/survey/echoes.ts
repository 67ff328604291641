import { createHash, randomInt } from 'node:crypto';
import type { Exchange } from '../model/http.ts';
import { ProbeError } from '../model/probe-error.ts';
import type { PageSurface } from '../model/surface.ts';
import { piecesOf } from '../probe/html/page-pieces.ts';
import { documentTypeOf } from '../probe/http/document-type.ts';
import { isBelow, sendsToItself } from './fallback-pages.ts';
import type { SendRequest } from './origins.ts';
import { textHash } from './same-text.ts';

const timeoutMs = 8_000;
const maxBodyBytes = 1024 * 1024;
/** Folders that are asked for a name that nobody has. */
const maxFolders = 40;
/** Of each, so often: what the page lists may have grown since. */
const maxAsked = 6;
/** A server that writes pages writes their navigation; of a page that script draws, each address may show another view. */
const fewLinks = 5;

/** Pages that a program gives for whatever stands behind its own address, as it does for a name that nobody has. */
export type Echoes = {
  /** Whether the page is one of those, and the program's own page is known. @throws ProbeError */
  isEcho(url: string, exchange: Exchange): Promise<boolean>;
  /** Whether such a page was given at the address, whatever its query. */
  covers(url: string): boolean;
};

/** @param known pages that were read so far */
export function createEchoes(
  send: SendRequest,
  known: () => readonly Pick<PageSurface, 'url' | 'status' | 'title'>[],
): Echoes {
  const asked = new Map<string, { count: number; shown: Shown | undefined }>();
  const found = new Set<string>();
  const texts = new Map<string, string>();

  const isShownFor = async (folder: string, isAlike: (shown: Shown) => boolean, times: number): Promise<boolean> => {
    const kept = asked.get(folder);
    if (kept && (kept.shown === undefined || isAlike(kept.shown))) return kept.shown !== undefined;
    if (!kept && asked.size >= maxFolders) return false;
    const count = (kept?.count ?? 0) + 1;
    if (count > times) return false;
    const shown = await answeredWith(send, folder);
    asked.set(folder, { count, shown });
    return shown !== undefined && isAlike(shown);
  };

  /**
   * A page that is known from a folder above, and that this folder shows for any name. Its forms go to the address that shows it:
   * where a program of its own is behind each, a name that nobody has shows another page.
   */
  const isShownAnywhere = async (url: string, text: string): Promise<boolean> => {
    const hash = textHash(text);
    const shownAt = texts.get(hash);
    if (shownAt === undefined) texts.set(hash, url);
    if (shownAt === undefined || !isBelow(url, shownAt) || !sendsToItself.test(text)) return false;
    const isEcho = await isShownFor(folderOf(url), (shown) => shown.hash === hash, 1);
    if (isEcho) found.add(pageOf(url));
    return isEcho;
  };

  return {
    async isEcho(url, exchange) {
      if (exchange.status !== 200 || !/html/.test(documentTypeOf(exchange))) return false;
      const { text } = exchange;
      if ((text.match(/<a\s[^>]*href/gi)?.length ?? 0) < fewLinks) return false;
      const below = partBelowKnown(url, titleOf(text), known());
      if (below === undefined) return isShownAnywhere(url, text);
      // A number names one of many: then all that a page shows has to be what it shows for any name.
      const isEcho = /\d/.test(below)
        ? await isShownFor(folderOf(url), (shown) => shown.digest === digestOf(text), 1)
        : await isShownFor(folderOf(url), (shown) => areAlike(shown, piecesOf(text)), maxAsked);
      if (isEcho) found.add(pageOf(url));
      return isEcho;
    },
    covers: (url) => found.has(pageOf(url)),
  };
}

/** What is shown for a name that nobody has. */
type Shown = { name: string; pieces: readonly string[]; digest: string; hash: string };

async function answeredWith(send: SendRequest, folder: string): Promise<Shown | undefined> {
  const name = Array.from({ length: 10 }, () => String.fromCharCode(97 + randomInt(26))).join('');
  try {
    const exchange = await send({ url: folder + name, timeoutMs, maxBodyBytes });
    const { status, text } = exchange;
    return status === 200 ? { name, pieces: piecesOf(text), digest: digestOf(text), hash: textHash(text) } : undefined;
  } catch (error) {
    if (error instanceof ProbeError && error.code !== 'canceled') return undefined;
    throw error;
  }
}

/** The pages differ only where they print their own address, or a part of it. */
function areAlike({ name, pieces }: Shown, own: readonly string[]): boolean {
  const [others, owns] = [new Set(pieces), new Set(own)];
  const theirs = pieces.filter((piece) => !owns.has(piece) && isSolid(piece));
  if (!theirs.every((piece) => piece.includes(name))) return false;
  const printed = new Set(theirs.map((piece) => withoutAddresses(piece.replaceAll(name, `/${name}`))));
  return own.every((piece) => others.has(piece) || !isSolid(piece) || printed.has(withoutAddresses(piece)));
}

/** What has a digit in it may be made anew each time. */
const isSolid = (piece: string): boolean => !/\d/.test(piece);

const digestOf = (text: string): string => createHash('sha256').update(withoutAddresses(text)).digest('base64');

const withoutAddresses = (piece: string): string => piece.replace(/[\w.%-]*(?:\/[\w.%-]*)+/g, '/');

const titleOf = (html: string): string => /<title[^>]*>([^<]{0,300})/i.exec(html)?.[1]?.trim() ?? '';

/** The folder of an address without its query, with the last slash; of one that ends with a slash the folder around it. */
function folderOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname.replace(/\/+$/, '').replace(/[^/]*$/, '');
}

const pageOf = (url: string): string => url.replace(/[?#].*$/s, '');

/** What an address has behind that of a page of the same title, which is not the root: "/a/b" of "/shop/a/b" where "/shop" answers. */
function partBelowKnown(
  url: string,
  title: string,
  known: readonly Pick<PageSurface, 'url' | 'status' | 'title'>[],
): string | undefined {
  const { origin, pathname } = new URL(url);
  const path = pathname.replace(/\/+$/, '');
  const above = known.flatMap((page) => {
    if (page.status !== 200 || page.title !== title) return [];
    const other = new URL(page.url);
    const program = other.pathname.replace(/\/+$/, '');
    return other.origin === origin && program !== '' && path.startsWith(`${program}/`) ? [program.length] : [];
  });
  return above.length === 0 ? undefined : path.slice(Math.max(...above));
}
