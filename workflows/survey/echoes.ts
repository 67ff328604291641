import { randomBytes } from 'node:crypto';
import { percentDecodedOrSame } from '../../kit/percent.ts';
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

  const isShownFor = async (folder: string, own: Shown): Promise<boolean> => {
    const kept = asked.get(folder);
    if (kept && (kept.shown === undefined || areAlike(kept.shown, own))) return kept.shown !== undefined;
    if (!kept && asked.size >= maxFolders) return false;
    const count = (kept?.count ?? 0) + 1;
    if (count > maxAsked) return false;
    const shown = await answeredWith(send, `${folder}k${randomBytes(4).toString('hex')}`);
    asked.set(folder, { count, shown });
    return shown !== undefined && areAlike(shown, own);
  };

  return {
    async isEcho(url, exchange) {
      if (exchange.status !== 200 || !/html/.test(documentTypeOf(exchange))) return false;
      const [title, links] = [titleOf(exchange.text), exchange.text.match(/<a\s[^>]*href/gi)?.length ?? 0];
      if (links < fewLinks || !isBelowKnown(url, title, known())) return false;
      return isShownFor(folderOf(url), { url, pieces: piecesOf(exchange.text) });
    },
  };
}

/** What is shown at an address. */
type Shown = { url: string; pieces: readonly string[] };

async function answeredWith(send: SendRequest, url: string): Promise<Shown | undefined> {
  try {
    const exchange = await send({ url, timeoutMs, maxBodyBytes });
    return exchange.status === 200 ? { url, pieces: piecesOf(exchange.text) } : undefined;
  } catch (error) {
    if (error instanceof ProbeError && error.code !== 'canceled') return undefined;
    throw error;
  }
}

function areAlike(one: Shown, other: Shown): boolean {
  const addresses = [one.url, other.url].flatMap(writtenForms).sort((a, b) => b.length - a.length);
  const [left, right] = [solidPieces(one, addresses), solidPieces(other, addresses)];
  return left.size === right.size && [...left].every((piece) => right.has(piece));
}

const titleOf = (html: string): string => /<title[^>]*>([^<]{0,300})/i.exec(html)?.[1]?.trim() ?? '';

/** What has a digit in it may be made anew each time. Where a page prints its own address, or links to the other one, says nothing. */
const solidPieces = ({ pieces }: Shown, addresses: readonly string[]): ReadonlySet<string> =>
  new Set(pieces.map((piece) => withoutAddresses(piece, addresses)).filter((piece) => !/\d/.test(piece)));

function withoutAddresses(piece: string, addresses: readonly string[]): string {
  let rest = piece;
  for (const address of addresses) {
    for (let at = rest.indexOf(address); at >= 0; at = rest.indexOf(address, at + 1)) {
      const end = at + address.length;
      if (!/^(?:[\w%/-]|\.\w)/.test(rest.slice(end, end + 2))) rest = rest.slice(0, at) + rest.slice(end);
    }
  }
  return rest;
}

/** How pages write their address: with its query or without, with its last slash or without, decoded or not, in HTML or not. */
function writtenForms(url: string): string[] {
  const { pathname, search } = new URL(url);
  const paths = [pathname + search, pathname, pathname.replace(/\/+$/, '')];
  const decoded = paths.flatMap((path) => [path, percentDecodedOrSame(path)]);
  return [...new Set(decoded.flatMap((path) => [path, path.replaceAll('&', '&amp;')]))];
}

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
