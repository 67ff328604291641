import { gunzipSync, constants as zlib } from 'node:zlib';
import type { Exchange } from '../model/http.ts';

/** What may be unpacked: a sitemap has at most 50 MB (sitemaps.org protocol), of which more links than are taken fit into this. */
const maxUnpackedBytes = 16 * 1024 * 1024;
const maxTextLength = 2 * 1024 * 1024;

/** The text of a sitemap that is a gzipped file, not a gzipped answer; undefined when it is none. Source: sitemaps.org protocol. */
export function packedSitemap({ body }: Pick<Exchange, 'body'>): string | undefined {
  if (body[0] !== 0x1f || body[1] !== 0x8b) return undefined;
  try {
    // What is cut off has no proper end.
    const options = { finishFlush: zlib.Z_SYNC_FLUSH, maxOutputLength: maxUnpackedBytes };
    const text = gunzipSync(body, options).toString('utf8', 0, maxTextLength).trimStart();
    return text.startsWith('<') || /^https?:\/\//.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}
