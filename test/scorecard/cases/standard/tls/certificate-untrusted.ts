import { makeAuthority, makeCertificate, rsa, withChain } from '../../../../fixtures/certificates.ts';
import type { ScoreCase } from '../../../case.ts';
import { byRoot, host, inNode } from '../../../sites/tls.ts';

const own = await makeAuthority('Northwind Office');

export const cases: ScoreCase[] = [
  inNode('certificate that signs itself', (variant) =>
    variant === 'vulnerable' ? makeCertificate({ commonName: host }) : byRoot.ec,
  ),
  inNode('certificate of RSA that signs itself', (variant) =>
    variant === 'vulnerable' ? makeCertificate({ commonName: host, key: rsa(2_048) }) : byRoot.rsa,
  ),
  inNode('certificate that signs itself, and that has ended as well', (variant) =>
    variant === 'vulnerable' ? makeCertificate({ commonName: host, from: -400, to: -30 }) : byRoot.ec,
  ),
  inNode('authority of the office, sent along', async (variant) =>
    variant === 'vulnerable' ? withChain(await makeCertificate({ commonName: host, issuer: own }), own) : byRoot.ec,
  ),
];
