import { filePath, type Instruments, type ProofOutcome, proofText } from './proof.ts';
import { lookOnWeb } from './web.ts';

const maxBodyBytes = 4_096;

/** A text file with nothing but the proof in it. */
export function lookForFile(domain: string, token: string, instruments: Instruments): Promise<ProofOutcome> {
  const expected = proofText(token);
  return lookOnWeb(
    domain,
    filePath,
    { instruments, maxBodyBytes },
    ({ text, truncated }) => !truncated && text.trim() === expected,
    'does not hold the proof alone.',
  );
}
