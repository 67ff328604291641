import type { Exchange } from '../model/http.ts';
import { ProbeError } from '../model/probe-error.ts';
import { isHtml } from '../probe/http/document-type.ts';
import { headMetas } from './head-metas.ts';
import { type Instruments, metaName, type ProofOutcome } from './proof.ts';
import { lookOnWeb } from './web.ts';

const maxBodyBytes = 512 * 1_024;

/** A meta element in the head of the root page, as a browser parses it: not in a comment, a script or the body. */
export const lookForMetaTag = (domain: string, token: string, instruments: Instruments): Promise<ProofOutcome> =>
  lookOnWeb(
    domain,
    '/',
    { instruments, maxBodyBytes },
    (exchange) => isHtml(exchange) && hasProof(exchange, token),
    'has no such meta element in its head.',
  );

/** @throws ProbeError when the head could not be read to its end, and has no proof in what could be */
function hasProof({ text }: Exchange, token: string): boolean {
  const { contents, complete } = headMetas(text, metaName);
  if (contents.some((content) => content.trim() === token)) return true;
  if (!complete) throw new ProbeError('too_large', 'the head of the page is too much to read to its end');
  return false;
}
