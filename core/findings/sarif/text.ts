/** At most `max` UTF-16 units, well-formed, with an ellipsis for what is cut away. */
export function clipped(text: string, max: number): string {
  const whole = text.toWellFormed();
  return whole.length <= max ? whole : `${whole.slice(0, max - 1).toWellFormed()}…`;
}

/** Text of a result's message, in which nothing is a link or a placeholder. Source: SARIF 2.1.0 §3.11.5 and §3.11.6. */
export const messageText = (text: string): string => text.replace(/[\\[\]]/g, '\\$&').replace(/[{}]/g, '$&$&');

/** Plain text, in which `backticks` mark code, as Markdown that shows the same and nothing else. */
export function markdownText(text: string): string {
  const pieces = text.split('`');
  return pieces
    .map((piece, index) => {
      const isCode = index % 2 === 1 && index < pieces.length - 1;
      if (isCode) return piece.trim() === '' ? '' : `\`${piece}\``;
      const escaped = piece.replace(/[\\*_{}[\]<>#|!~&]/g, '\\$&');
      return index % 2 === 1 ? `\\\`${escaped}` : escaped;
    })
    .join('');
}

/**
 * The place of a URL as a relative path: host, port and path. Code scanning services take locations for files of a
 * repository, and refuse those with a scheme; "host:8443/" would read as one, so the colon is percent-encoded.
 * Without the query, which has values that change from scan to scan.
 */
export function artifactUri(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed || parsed.host === '') return encodeURIComponent(clipped(url, maxPathLength)) || 'unknown';
  return `${encodeURIComponent(parsed.host)}${pathOf(parsed)}`;
}

/** Longer ones are no names of pages. */
const maxPathLength = 1_000;

const pathOf = ({ pathname }: URL): string =>
  withoutSlashes(pathname)
    // Escapes only make it longer: what is behind here is cut away below.
    .slice(0, maxPathLength + 2)
    .replace(/%(?![0-9a-f]{2})/gi, '%25')
    .replace(/[^\w\-.~!$&'()*+,;=:@/%]/g, encodeURIComponent)
    .slice(0, maxPathLength)
    .replace(/%[0-9a-f]?$/i, '');

/** A pattern for the end of a text would be tried at each slash. */
function withoutSlashes(pathname: string): string {
  let end = pathname.length;
  while (pathname[end - 1] === '/') end -= 1;
  return pathname.slice(0, end);
}
