import { type Token, type TokenHandler, TokenizerMode } from 'parse5';
import { BoundedTokenizer } from './bounded-tokenizer.ts';

/** A start or end tag, or text between tags. Names are lower case. */
export type HtmlToken =
  | { kind: 'start'; name: string; attributes: ReadonlyMap<string, string> }
  | { kind: 'end'; name: string }
  | { kind: 'text'; text: string };

/** What is no part of the page: a comment, or the address of the document's type. */
export type HtmlAside = { kind: 'comment' | 'doctype'; text: string };

/** Elements whose content is text, whatever it looks like. Source: HTML standard §13.2.6.4.7. */
const textModes: Record<string, (typeof TokenizerMode)[keyof typeof TokenizerMode]> = {
  script: TokenizerMode.SCRIPT_DATA,
  style: TokenizerMode.RAWTEXT,
  title: TokenizerMode.RCDATA,
  textarea: TokenizerMode.RCDATA,
  xmp: TokenizerMode.RAWTEXT,
  iframe: TokenizerMode.RAWTEXT,
  noembed: TokenizerMode.RAWTEXT,
  noframes: TokenizerMode.RAWTEXT,
  plaintext: TokenizerMode.PLAINTEXT,
};

/**
 * Reads HTML as a stream of tags: in linear time and constant memory however deep it is nested, because no tree is
 * built. Stops early when hostile input takes too long.
 * @param scripting what a `noscript` element holds is text, as for a browser that runs scripts
 * @returns whether all of it was read
 */
export function readTokens(
  html: string,
  onToken: (token: HtmlToken) => void,
  { scripting = false, onAside }: { scripting?: boolean; onAside?: (aside: HtmlAside) => void } = {},
): boolean {
  const handler: TokenHandler = {
    onStartTag(tag) {
      onToken({ kind: 'start', name: tag.tagName, attributes: attributesOf(tag) });
      const mode = scripting && tag.tagName === 'noscript' ? TokenizerMode.RAWTEXT : textModes[tag.tagName];
      if (mode !== undefined) tokenizer.state = mode;
    },
    onEndTag: (tag) => onToken({ kind: 'end', name: tag.tagName }),
    onCharacter: (token) => onToken({ kind: 'text', text: token.chars }),
    onNullCharacter: () => {},
    onWhitespaceCharacter: (token) => onToken({ kind: 'text', text: token.chars }),
    onComment: (token) => onAside?.({ kind: 'comment', text: token.data }),
    onDoctype: (token) => onAside?.({ kind: 'doctype', text: token.systemId ?? '' }),
    onEof: () => {},
    onParseError: null,
  };
  const tokenizer = new BoundedTokenizer({ sourceCodeLocationInfo: false }, handler);
  return tokenizer.readAll(html);
}

const attributesOf = (tag: Token.TagToken) => new Map(tag.attrs.map(({ name, value }) => [name, value]));
