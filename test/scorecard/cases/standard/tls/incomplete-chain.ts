import { makeAuthority, makeCertificate, withChain } from '../../../../fixtures/certificates.ts';
import type { ScoreCase } from '../../../case.ts';
import { host, inNode, root } from '../../../sites/tls.ts';

const middle = await makeAuthority('Northwind Intermediate', { issuer: root });
const lower = await makeAuthority('Northwind Web', { issuer: middle });
const [direct, deep] = await Promise.all([
  makeCertificate({ commonName: host, issuer: middle }),
  makeCertificate({ commonName: host, issuer: lower }),
]);

export const cases: ScoreCase[] = [
  inNode('server that was given cert.pem', (variant) =>
    variant === 'vulnerable' ? direct : withChain(direct, middle),
  ),
  inNode('server that sends the lower of two', (variant) =>
    variant === 'vulnerable' ? withChain(deep, lower) : withChain(deep, lower, middle),
  ),
  inNode('server that sends the root instead', (variant) =>
    variant === 'vulnerable' ? withChain(deep, middle) : withChain(deep, lower, middle),
  ),
];
