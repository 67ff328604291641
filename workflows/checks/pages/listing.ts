import { percentDecodedOrSame } from '../../../kit/percent.ts';
import type { Exchange } from '../../model/http.ts';
import { attributeOf, isElement, nodesOf } from '../../probe/html/tree.ts';
import { isHtml } from '../../probe/http/document-type.ts';
import { escapePattern, firstMatch } from '../../proof/pattern.ts';

/** A generated list of a folder: the server it looks like, the pattern that shows it, and the files it names. */
type Listing = { server: string; pattern: string; entries: ListedFile[] };

/** A file that a list names, and the pattern by which it does. */
export type ListedFile = { url: string; pattern: string };

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
  {
    server: 'Apache httpd',
    // Below a text of the owner's own, which takes the place of the heading.
    pattern: '(?is)<title>Index of {path}</title>.*?<a href="\\?C=N;O=[AD]">',
  },
  { server: 'nginx', pattern: '(?is)<h1>Index of {path}/?</h1><hr><pre><a href="\\.\\./">' },
  { server: 'nginx (fancyindex)', pattern: '(?is)<h1>Index of\\s+{path}/?</h1>\\s*<table id="list">' },
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
      // The words for the folder above are in the server's language.
      '(?is)<H1>[^<>]{1,255} - {path}/?</H1><hr>\\s*<pre>(?:<A HREF="[^"]{0,300}">\\[[^\\]<]{1,60}\\]</A>|\\s*<br>|\\s*\\d)',
  },
  { server: 'Tomcat', pattern: '(?is)<title>Directory Listing For \\[?{path}/?\\]?</title>' },
  {
    server: 'Jetty',
    pattern: '(?is)<title>Directory: {path}/?</title>.*?<h1[^<>]{0,80}>Directory: {path}/?</h1>',
  },
  { server: 'serve-index (Node.js)', pattern: '(?is)<title>listing directory {path}/?</title>' },
  {
    server: 'serve (Node.js)',
    pattern: '(?is)<title>Files within [^<]{1,400}</title>.*<h1>\\s*<i>Index of&nbsp;</i>.*<ul id="files">',
  },
  { server: 'ASP.NET Core', pattern: '(?is)<title>[^<]{0,80}{path}</title>.*<table id="index" summary="' },
  { server: 'Deno', pattern: '(?is)<title>Deno File Server</title>.*<h1>\\s*Index of ' },
  {
    server: 'Caddy',
    pattern:
      '(?is)<div id="summary">\\s*<span class="meta-item"><b>\\d+</b> director(?:y|ies)</span>.*<table aria-describedby="summary"',
  },
  {
    server: 'Go',
    pattern:
      '(?is)^(?:<!doctype html>\\s*<meta name="viewport"[^<>]{0,80}>\\s*)?<pre>\\n(?:<a href="[^"\\n]+">[^<\\n]+</a>\\n)+</pre>\\s*$',
  },
];

/** A list that is data, with names of files and, in RE2, what stands around one; "{name}" stands for it. */
type DataShape = Shape & { name: RegExp; entry: string };

/**
 * Stores of objects list a whole bucket in XML. Sources: Amazon S3 API, ListObjects; Azure Storage API, List Blobs; nginx,
 * autoindex_format.
 */
const dataShapes: readonly DataShape[] = [
  {
    server: 'a bucket of Amazon S3 or a store like it',
    pattern: '(?s)<ListBucketResult\\b[^>]{0,200}>.*<Contents>\\s*<Key>',
    name: /<Contents>\s*<Key>([^<]{1,500})<\/Key>/g,
    entry: '<Key>{name}</Key>',
  },
  {
    server: 'a container of Azure Storage',
    pattern: '(?s)<EnumerationResults\\b[^>]{0,300}>.*<Blobs>\\s*<Blob>\\s*<Name>',
    name: /<Blob>\s*<Name>([^<]{1,500})<\/Name>/g,
    entry: '<Name>{name}</Name>',
  },
  {
    server: 'nginx (JSON)',
    pattern:
      '^\\s*\\[\\s*\\{\\s*"name"\\s*:\\s*"[^"\\n]{1,300}",\\s*"type"\\s*:\\s*"(?:file|directory)",\\s*"mtime"\\s*:',
    name: /"name"\s*:\s*"([^"\n]{1,300})",\s*"type"\s*:\s*"file"/g,
    entry: '"name"\\s*:\\s*"{name}"',
  },
  {
    server: 'nginx (XML)',
    pattern: '(?s)<list>\\s*<(?:file|directory) mtime="',
    name: /<file mtime="[^"]{1,40}" size="\d+">([^<]{1,300})<\/file>/g,
    entry: '>{name}</file>',
  },
];

function dataListing(folder: string, { text }: Exchange): Listing | undefined {
  const shape = dataShapes.find(({ pattern }) => firstMatch(pattern, text) !== undefined);
  if (!shape) return undefined;
  const names = [...text.matchAll(shape.name)].flatMap(([, name = '']) => (name.endsWith('/') ? [] : name));
  const entries = names.map((name) => ({
    url: folder + name.replaceAll('&amp;', '&').split('/').map(encodeURIComponent).join('/'),
    pattern: shape.entry.replace('{name}', () => escapePattern(name)),
  }));
  return entries.length === 0 ? undefined : { server: shape.server, pattern: shape.pattern, entries };
}

/** Characters of a page that the patterns are tried on, one after the other; a list of so many shows what it is. */
const maxLength = 384 * 1024;

/** @returns undefined when the answer is no list of the folder that its URL names, or an empty one */
export function listingOf(folder: string, exchange: Exchange): Listing | undefined {
  if (exchange.status !== 200) return undefined;
  if (!isHtml(exchange)) return dataListing(folder, exchange);
  const text = exchange.text.slice(0, maxLength);
  for (const { server, pattern } of shapes) {
    const own = pattern.replaceAll('{path}', pathPattern(folder));
    if (firstMatch(own, text) === undefined) continue;
    const entries = entriesIn(folder, text);
    return entries.length === 0 ? undefined : { server, pattern: own, entries };
  }
  return undefined;
}

/** The path of a folder with or without its last slash, and as it may be escaped. */
function pathPattern(folder: string): string {
  const { pathname } = new URL(folder);
  const decoded = percentDecodedOrSame(pathname).replaceAll('&', '&amp;');
  const spellings = new Set([pathname, decoded].flatMap((path) => [path, path.replace(/\/$/, '')]).filter(Boolean));
  return `(?:${[...spellings].map(escapePattern).join('|')})`;
}

/** What stands directly in the folder, files before folders: sorting links and parents are none. */
function entriesIn(folder: string, html: string): ListedFile[] {
  const entries = [...nodesOf(html)].filter(isElement).flatMap((element) => {
    const href = element.tagName === 'a' ? attributeOf(element, 'href') : undefined;
    const url = href === undefined ? undefined : URL.parse(href, folder);
    if (href === undefined || !url || url.search || url.hash) return [];
    const name = url.href.startsWith(folder) ? url.href.slice(folder.length) : '';
    return /^[^/]+\/?$/.test(name) ? [{ url: url.href, pattern: hrefPattern(href) }] : [];
  });
  const isFolder = ({ url }: ListedFile) => Number(url.endsWith('/'));
  return entries.toSorted((a, b) => isFolder(a) - isFolder(b));
}

/** An attribute as servers escape it. */
const hrefPattern = (href: string): string =>
  `(?i)href=["']?${escapePattern(href).replaceAll('&', '&(?:amp;)?').replaceAll('/', '(?:/|&#47;|&#x2f;)')}`;
