import { randomInt } from 'node:crypto';
import type { Exchange } from '../model/http.ts';
import { ProbeError } from '../model/probe-error.ts';
import type { PageSurface } from '../model/surface.ts';
import { piecesOf } from '../probe/html/page-pieces.ts';
import { documentTypeOf } from '../probe/http/document-type.ts';
import type { SendRequest } from './origins.ts';

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
};

/** @param known pages that were read so far */
export function createEchoes(
  send: SendRequest,
  known: () => readonly Pick<PageSurface, 'url' | 'status' | 'title'>[],
): Echoes {
  const asked = new Map<string, { count: number; shown: Shown | undefined }>();

  const isShownFor = async (folder: string, own: readonly string[]): Promise<boolean> => {
    const kept = asked.get(folder);
    if (kept && (kept.shown === undefined || areAlike(kept.shown, own))) return kept.shown !== undefined;
    if (!kept && asked.size >= maxFolders) return false;
    const count = (kept?.count ?? 0) + 1;
    if (count > maxAsked) return false;
    const shown = await answeredWith(send, folder);
    asked.set(folder, { count, shown });
    return shown !== undefined && areAlike(shown, own);
  };

  return {
    async isEcho(url, exchange) {
      if (exchange.status !== 200 || !/html/.test(documentTypeOf(exchange))) return false;
      const [title, links] = [titleOf(exchange.text), exchange.text.match(/<a\s[^>]*href/gi)?.length ?? 0];
      if (links < fewLinks || !isBelowKnown(url, title, known())) return false;
      return isShownFor(folderOf(url), piecesOf(exchange.text));
    },
  };
}

/** What is shown for a name that nobody has. */
type Shown = { name: string; pieces: readonly string[] };

async function answeredWith(send: SendRequest, folder: string): Promise<Shown | undefined> {
  const name = Array.from({ length: 10 }, () => String.fromCharCode(97 + randomInt(26))).join('');
  try {
    const exchange = await send({ url: folder + name, timeoutMs, maxBodyBytes });
    return exchange.status === 200 ? { name, pieces: piecesOf(exchange.text) } : undefined;
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

const withoutAddresses = (piece: string): string => piece.replace(/[\w.%-]*(?:\/[\w.%-]*)+/g, '/');

const titleOf = (html: string): string => /<title[^>]*>([^<]{0,300})/i.exec(html)?.[1]?.trim() ?? '';

/** The folder of an address without its query, with the last slash; of one that ends with a slash the folder around it. */
function folderOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname.replace(/\/+$/, '').replace(/[^/]*$/, '');
}

/** A page of the same title answers at the beginning of the path, and not only at the root: "/shop" for "/shop/a/b". A number names one of many. */
function isBelowKnown(
  url: string,
  title: string,
  known: readonly Pick<PageSurface, 'url' | 'status' | 'title'>[],
): boolean {
  const { origin, pathname } = new URL(url);
  const path = pathname.replace(/\/+$/, '');
  return known.some((page) => {
    if (page.status !== 200 || page.title !== title) return false;
    const other = new URL(page.url);
    const above = other.pathname.replace(/\/+$/, '');
    return (
      other.origin === origin && above !== '' && path.startsWith(`${above}/`) && !/\d/.test(path.slice(above.length))
    );
  });
}
