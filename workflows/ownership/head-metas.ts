import { type HtmlToken, readTokens } from '../probe/html/tokens.ts';

type Attributes = ReadonlyMap<string, string>;

/** Start tags that a head may hold; any other one begins the body. Source: HTML standard §13.2.6.4.4. */
const headTags = new Set(
  'html head base basefont bgsound link meta title noscript noframes style script template'.split(' '),
);
/** Those among them whose content is text. */
const textTags = new Set(['title', 'noscript', 'noframes', 'style', 'script']);
/** End tags that begin the body; others without a start are no tags at all. */
const bodyEnds = new Set(['body', 'html', 'br']);

/**
 * Contents of the meta elements of a name that stand directly in the head of a page: not in a comment, a script, a
 * template, or the body. Reads tags one by one and builds no tree, since the page is of somebody who has proven nothing.
 * @returns complete: false when the head was too much to read to its end
 */
export function headMetas(html: string, name: string): { contents: string[]; complete: boolean } {
  const reader = new HeadReader(name);
  const isRead = readTokens(html, (token) => reader.read(token), { scripting: true });
  return { contents: reader.contents, complete: isRead || reader.hasEnded };
}

class HeadReader {
  readonly contents: string[] = [];
  hasEnded = false;
  readonly #name: string;
  #openText = '';
  #openTemplates = 0;

  constructor(name: string) {
    this.#name = name;
  }

  read(token: HtmlToken): void {
    if (this.hasEnded) return;
    if (token.kind === 'text') this.#text(token.text);
    else if (token.kind === 'end') this.#end(token.name);
    else this.#start(token.name, token.attributes);
  }

  #text(text: string): void {
    if (this.#openText === '' && this.#openTemplates === 0 && /[^\t\n\f\r ]/.test(text)) this.hasEnded = true;
  }

  #end(name: string): void {
    if (name === this.#openText) this.#openText = '';
    else if (name === 'template') this.#openTemplates = Math.max(0, this.#openTemplates - 1);
    else if (this.#openTemplates === 0 && bodyEnds.has(name)) this.hasEnded = true;
  }

  #start(name: string, attributes: Attributes): void {
    if (textTags.has(name)) this.#openText = name;
    if (name === 'template') this.#openTemplates += 1;
    // Inside of SVG and MathML tags have other rules: where they stand in a template, its end cannot be found reliably.
    else if (this.#openTemplates > 0) this.hasEnded = name === 'svg' || name === 'math';
    else if (!headTags.has(name)) this.hasEnded = true;
    else if (name === 'meta' && attributes.get('name')?.toLowerCase() === this.#name)
      this.contents.push(attributes.get('content') ?? '');
  }
}
