import { attributeOf, type Element, isElement, isHtml, nodesOf } from '../checks/support/html.ts';
import { type Instruments, metaName, type Seen } from './proof.ts';
import { lookOnWeb } from './web.ts';

const maxBodyBytes = 512 * 1_024;

/** A meta element in the head of the root page, as a browser parses it: not in a comment, a script or the body. */
export const lookForMetaTag = (domain: string, token: string, instruments: Instruments): Promise<Seen> =>
  lookOnWeb(
    domain,
    '/',
    { instruments, maxBodyBytes },
    (exchange) => isHtml(exchange) && hasProof(exchange.text, token),
    'has no such meta element in its head.',
  );

function hasProof(html: string, token: string): boolean {
  return [...nodesOf(html)].filter(isElement).some((element) => {
    const isOurs = element.tagName === 'meta' && attributeOf(element, 'name')?.toLowerCase() === metaName;
    return isOurs && isInHead(element) && attributeOf(element, 'content')?.trim() === token;
  });
}

/** Directly: what a template or a noscript holds is not the page's own. */
function isInHead({ parentNode }: Element): boolean {
  if (!parentNode || !isElement(parentNode) || parentNode.tagName !== 'head') return false;
  const root = parentNode.parentNode;
  return root !== null && isElement(root) && root.tagName === 'html' && root.parentNode?.nodeName === '#document';
}
