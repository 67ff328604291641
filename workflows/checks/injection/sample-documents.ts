import { textOf } from '../../probe/html/text.ts';
import { isElement, nodesOf } from '../../probe/html/tree.ts';
import type { UploadedFile } from '../inputs/input-request.ts';

/** Where pages show what a file has to look like. */
const showing = new Set(['pre', 'xmp', 'code', 'samp', 'textarea', 'listing']);
const maxSampleLength = 4_000;
const maxLeaves = 20;

/** The first document of XML that a page shows as an example, without what stands before its first element. */
export function sampleDocument(html: string): string | undefined {
  for (const node of nodesOf(html)) {
    if (!isElement(node) || !showing.has(node.tagName)) continue;
    const document = documentIn(textOf(node));
    if (document !== undefined) return document;
  }
  return undefined;
}

function documentIn(text: string): string | undefined {
  if (text.length > maxSampleLength) return undefined;
  const root = /<([A-Za-z_][\w.-]{0,60})[\s>]/.exec(text);
  if (!root) return undefined;
  const end = `</${root[1]}>`;
  const last = text.lastIndexOf(end);
  return last <= root.index ? undefined : text.slice(root.index, last + end.length);
}

/**
 * A document like the one that the page shows, which the program behind it can read: each text is an entity `x` behind words that
 * nothing else has, and each number another one.
 * @param first number of those words: what is the only one of its kind is refused a second time
 */
export function documentLike(sample: string, declarations: string, first: number): UploadedFile {
  const [, root = 'root'] = /^<([\w.-]+)/.exec(sample) ?? [];
  let leaves = 0;
  const filled = sample.replace(/>([^<>&]{0,500})</g, (whole, text: string) => {
    if (text.trim() === '' || leaves === maxLeaves) return whole;
    const number = first + leaves;
    leaves += 1;
    return /^\s*\d+\s*$/.test(text) ? `>‹int${number}›<` : `>‹nonce${number}›‹nonce›&x;<`;
  });
  return {
    name: '‹nonce3›.xml',
    type: 'text/xml',
    content: `<?xml version="1.0"?><!DOCTYPE ${root} [${declarations}]>${filled}`,
  };
}
