import type { Exchange } from '../../model/http.ts';

/** Where a script says that its source map is. */
export type MapReference = {
  /** As the script or its header names it. */
  reference: string;
  /** The header that names it, in lower case; undefined when a comment does. */
  header?: 'sourcemap' | 'x-sourcemap';
  /** Undefined when the map stands in the script itself. */
  url?: string;
};

/** Characters in which the comment stands; before it there may be a map of megabytes. */
const maxCommentLength = 4_096;

/** @returns undefined when it names none, or one on another host */
export function mapReferenceIn({
  request,
  text,
  header,
}: Pick<Exchange, 'request' | 'text' | 'header'>): MapReference | undefined {
  for (const name of ['sourcemap', 'x-sourcemap'] as const) {
    const reference = header(name);
    if (reference !== undefined) return located(reference, request.url, name);
  }
  // The last one counts: ECMA-426 §11.1.2.1.
  if (
    /[#@]\s{0,9}sourceMappingURL=data:application\/json[^\s'"]*\s{0,9}(?:\*\/)?\s{0,9}$/.test(
      text.slice(text.lastIndexOf('sourceMappingURL=') - 4),
    )
  )
    return { reference: 'data:application/json' };
  const comment = /[#@]\s{0,9}sourceMappingURL=([^\s'"*]+)\s{0,9}(?:\*\/)?\s{0,9}$/.exec(
    text.slice(-maxCommentLength),
  )?.[1];
  return comment === undefined ? undefined : located(comment, request.url);
}

function located(reference: string, script: string, header?: 'sourcemap' | 'x-sourcemap'): MapReference | undefined {
  const url = URL.parse(reference, script);
  if (!url || url.origin !== new URL(script).origin) return undefined;
  return { reference, url: url.href, ...(header ? { header } : {}) };
}
