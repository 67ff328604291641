import { lookInDns } from './dns-txt.ts';
import { lookForFile } from './http-file.ts';
import { lookForMetaTag } from './meta-tag.ts';
import { type Instruments, methods, type ProofMethod, type ProofOutcome } from './proof.ts';

const looks: Record<ProofMethod, (domain: string, token: string, instruments: Instruments) => Promise<ProofOutcome>> = {
  'dns-txt': lookInDns,
  'http-file': lookForFile,
  'meta-tag': lookForMetaTag,
};

/** What was seen, and where when it was found. */
export type OwnershipLook = ProofOutcome & { method: ProofMethod | '' };

/**
 * Looks for the proof of a domain in one way, or in each until one shows it. That it is missing is said only of a way
 * that could be looked at.
 * @throws the signal's reason when canceled
 */
export async function lookForProof(
  { domain, token, method }: { domain: string; token: string; method: string },
  instruments: Instruments,
): Promise<OwnershipLook> {
  const wanted = methods.filter((known) => method === '' || known === method);
  const seen: OwnershipLook[] = [];
  for (const each of wanted) {
    const look = { ...(await looks[each](domain, token, instruments)), method: each };
    if (look.outcome === 'found') return look;
    seen.push(look);
  }
  const outcome = seen.some((look) => look.outcome === 'missing') ? 'missing' : 'failed';
  return { outcome, method: '', detail: seen.map(({ detail }) => detail).join(' ') };
}
