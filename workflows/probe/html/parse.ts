import { type DefaultTreeAdapterMap, defaultTreeAdapter, Parser, type TreeAdapter } from 'parse5';
import { BoundedTokenizer, giveUp } from './bounded-tokenizer.ts';

export type HtmlNode = DefaultTreeAdapterMap['node'];
export type HtmlElement = DefaultTreeAdapterMap['element'];

export type HtmlTree = {
  document: DefaultTreeAdapterMap['document'];
  /** False when the page was too much to read to its end: the tree is that of its beginning. */
  complete: boolean;
  /** Forms of controls as the parser associates them, also where a table keeps the form from holding them (HTML Standard §4.10.17.3). */
  owners: ReadonlyMap<HtmlElement, HtmlElement>;
};

/** Elements, texts, comments and attributes together. A page of 1 MiB has some tens of thousands. */
const maxParts = 60_000;
/** Open elements. Blink keeps no deeper tree (kMaximumHTMLParserDOMTreeDepth of html_construction_site.cc). */
const maxDepth = 512;

/**
 * Parses HTML as browsers do, bounded by parts, depth and processor time. The text alone bounds nothing: elements that
 * were not closed are repeated in all that follow, so 25 KB can make millions.
 * @param withLocations nodes know their place in the source
 */
export function parseHtml(html: string, { withLocations = false } = {}): HtmlTree {
  const owners = new Map<HtmlElement, HtmlElement>();
  const options = { sourceCodeLocationInfo: withLocations, treeAdapter: boundedAdapter(owners) };
  const parser = new Parser<DefaultTreeAdapterMap>(options);
  const tokenizer = new BoundedTokenizer(parser.options, parser);
  parser.tokenizer = tokenizer;
  const complete = tokenizer.readAll(html);
  return { document: parser.document, complete, owners };
}

const controls = new Set(['input', 'button', 'select', 'textarea']);

/** The default tree, counted while it is made. */
function boundedAdapter(owners: Map<HtmlElement, HtmlElement>): TreeAdapter<DefaultTreeAdapterMap> {
  let parts = 0;
  let depth = 0;
  const count = (added: number) => {
    parts += added;
    if (parts > maxParts) giveUp();
  };
  return {
    ...defaultTreeAdapter,
    createElement(tagName, namespace, attributes) {
      count(1 + attributes.length);
      return defaultTreeAdapter.createElement(tagName, namespace, attributes);
    },
    onElementCreated(element, { formElement, isInTemplate }) {
      if (formElement && !isInTemplate && controls.has(element.tagName)) owners.set(element, formElement);
    },
    createDocumentFragment() {
      count(1);
      return defaultTreeAdapter.createDocumentFragment();
    },
    createCommentNode(data) {
      count(1);
      return defaultTreeAdapter.createCommentNode(data);
    },
    // Those of the default adapter make their nodes themselves.
    insertText(parent, text) {
      count(1);
      defaultTreeAdapter.insertText(parent, text);
    },
    insertTextBefore(parent, text, reference) {
      count(1);
      defaultTreeAdapter.insertTextBefore(parent, text, reference);
    },
    adoptAttributes(recipient, attributes) {
      count(attributes.length);
      defaultTreeAdapter.adoptAttributes(recipient, attributes);
    },
    onItemPush() {
      depth += 1;
      if (depth > maxDepth) giveUp();
    },
    onItemPop() {
      depth -= 1;
    },
  };
}
