import type { Exchange } from '../../probe/types.ts';
import { escapePattern, firstMatch } from '../../proof/pattern.ts';
import { attributeOf, isElement, isHtml, nodesOf } from './html.ts';

/** A generated list of a folder: the server it looks like, the pattern that shows it, and the files it names. */
export type Listing = { server: string; pattern: string; entries: { href: string; url: string }[] };

type Shape = {
  server: string /** RE2; "{path}" stands for the folder's own path, as it is written there. */;
  pattern: string;
};

/** What servers write above a list that they made. Each names the folder itself, which no page on the subject does. */
const shapes: readonly Shape[] = [
  {
    server: 'Apache httpd',
    pattern: '(?is)<title>Index of {path}</title>.*?<h1>Index of {path}</h1>\\s*(?:<table|<pre|<ul)',
  },
  { server: 'nginx', pattern: '(?is)<h1>Index of {path}/?</h1><hr><pre><a href="\\.\\./">' },
  {
    server: 'lighttpd',
    pattern: '(?is)<title>Index of {path}/?</title>.*?<h2>Index of {path}/?</h2>\\s*<div class="list">',
  },
  {
    server: "Python's http.server",
    pattern:
      '(?is)<title>Directory listing for {path}/?</title>.*?<h[12]>Directory listing for {path}/?</h[12]>\\s*<hr>',
  },
  {
    server: 'IIS',
    pattern:
      '(?is)<H1>[^<>]{1,255} - {path}/?</H1><hr>\\s*<pre>(?:<A HREF="[^"]{0,300}">\\[To Parent Directory\\]</A>|\\s*<br>|\\s*\\d)',
  },
  { server: 'Tomcat', pattern: '(?is)<title>Directory Listing For \\[?{path}/?\\]?</title>' },
  {
    server: 'Jetty',
    pattern: '(?is)<title>Directory: {path}/?</title>.*?<h1[^<>]{0,80}>Directory: {path}/?</h1>',
  },
  { server: 'serve-index (Node.js)', pattern: '(?is)<title>listing directory {path}/?</title>' },
  {
    server: 'Go',
    pattern:
      '(?is)^(?:<!doctype html>\\s*<meta name="viewport"[^<>]{0,80}>\\s*)?<pre>\\n(?:<a href="[^"\\n]+">[^<\\n]+</a>\\n)+</pre>\\s*$',
  },
];

/** @returns undefined when the answer is no list of the folder that its URL names, or an empty one */
export function listingOf(folder: string, exchange: Exchange): Listing | undefined {
  if (exchange.status !== 200 || !isHtml(exchange)) return undefined;
  for (const { server, pattern } of shapes) {
    const own = pattern.replaceAll('{path}', pathPattern(folder));
    if (firstMatch(own, exchange.text) === undefined) continue;
    const entries = entriesIn(folder, exchange.text);
    return entries.length === 0 ? undefined : { server, pattern: own, entries };
  }
  return undefined;
}

/** The path of a folder with or without its last slash, and as it may be escaped. */
function pathPattern(folder: string): string {
  const { pathname } = new URL(folder);
  const decoded = decodedOr(pathname).replaceAll('&', '&amp;');
  const spellings = new Set([pathname, decoded].flatMap((path) => [path, path.replace(/\/$/, '')]).filter(Boolean));
  return `(?:${[...spellings].map(escapePattern).join('|')})`;
}

function decodedOr(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Files that stand directly in the folder: sorting links, parents and folders are none. */
function entriesIn(folder: string, html: string): Listing['entries'] {
  return [...nodesOf(html)].filter(isElement).flatMap((element) => {
    const href = element.tagName === 'a' ? attributeOf(element, 'href') : undefined;
    const url = href === undefined ? undefined : URL.parse(href, folder);
    if (href === undefined || !url || url.search || url.hash) return [];
    const name = url.href.startsWith(folder) ? url.href.slice(folder.length) : '';
    return name !== '' && !name.includes('/') ? [{ href, url: url.href }] : [];
  });
}
