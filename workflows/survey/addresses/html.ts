import { type HtmlAside, type HtmlToken, readTokens } from '../../probe/html/tokens.ts';
import { addressesInCss } from './css.ts';
import { addressesInNote, addressesInProse } from './prose.ts';
import { addressesOfTag } from './tag.ts';

/** Addresses of a page besides those of its links, forms and scripts. */
type PageAddresses = {
  /** What the page takes in, or names in an attribute. */
  parts: Set<string>;
  /** What stands in text, in comments and in what is switched off. */
  guesses: Set<string>;
};

const maxAddresses = 3_000;
/** HTML within attributes within HTML. */
const maxDepth = 2;

/** Collects addresses from tags, as they are written. */
export function addressReader(): {
  read(token: HtmlToken): void;
  readAside(aside: HtmlAside): void;
  addresses: PageAddresses;
  isWhole(): boolean;
} {
  const addresses: PageAddresses = { parts: new Set(), guesses: new Set() };
  let isWhole = true;
  /** Of the open style element; its text comes in pieces. */
  let css: string | undefined;
  let inScript = false;
  let isPosted = false;
  const add = (list: Set<string>, found: Iterable<string>) => {
    for (const address of found) {
      if (list.size < maxAddresses) list.add(address);
      else isWhole = false;
    }
  };
  const readMarkup = (html: string, list: Set<string>, depth: number): void => {
    if (depth > maxDepth) {
      isWhole = false;
      return;
    }
    readTokens(html, (token) => readToken(token, list, depth));
  };
  const readAside = ({ kind, text }: HtmlAside) => {
    if (kind === 'doctype') return add(addresses.parts, text === '' ? [] : [text]);
    add(addresses.guesses, addressesInNote(text));
    readMarkup(text.replace(/^\[if[^\]]*\]>|<!\[endif\]$/g, ''), addresses.guesses, 1);
  };
  const readToken = (token: HtmlToken, list: Set<string>, depth: number) => {
    if (token.kind === 'text') {
      if (css !== undefined) css += token.text;
      else if (!inScript) add(addresses.guesses, addressesInProse(token.text));
      return;
    }
    if (token.name === 'style') {
      if (css !== undefined) add(list, addressesInCss(css));
      css = token.kind === 'start' ? '' : undefined;
    }
    if (token.name === 'script') inScript = token.kind === 'start';
    if (token.name === 'form')
      isPosted = token.kind === 'start' && /^post$/i.test(token.attributes.get('method') ?? '');
    if (token.kind === 'end') return;
    const isReadElsewhere = depth === 0 && /^(?:a|area|form)$/.test(token.name);
    const own = isReadElsewhere ? without('href', token.attributes) : token.attributes;
    const found = addressesOfTag(token.name, postsElsewhere(own, isPosted) ? without('formaction', own) : own);
    add(list, found.urls);
    for (const html of found.html) readMarkup(html, list, depth + 1);
  };
  return { read: (token) => readToken(token, addresses.parts, 0), readAside, addresses, isWhole: () => isWhole };
}

/** Links are read with what they say of themselves. */
const without = (left: string, attributes: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map([...attributes].filter(([name]) => name !== left));

/** A button posts its form to an address of its own; of a form that stands elsewhere in the page nothing is known here. */
function postsElsewhere(attributes: ReadonlyMap<string, string>, isPosted: boolean): boolean {
  const method = attributes.get('formmethod');
  return method === undefined ? isPosted || attributes.has('form') : /^post$/i.test(method);
}
