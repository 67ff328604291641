import { mustStaple } from '../../../../../workflows/probe/tls/revocation.ts';
import { makeCertificate, rsa } from '../../../../fixtures/certificates.ts';
import { stapleFor } from '../../../../fixtures/tls/staples.ts';
import type { ScoreCase } from '../../../case.ts';
import { host, root, staplingInNode, staplingInOpenssl } from '../../../sites/tls.ts';

const leaf = await makeCertificate({ commonName: host, issuer: root });
const other = await makeCertificate({ commonName: host, issuer: root, key: rsa(2_048) });
const demanding = await makeCertificate({ commonName: host, issuer: root, extensions: [mustStaple()] });

export const cases: ScoreCase[] = [
  staplingInOpenssl('response in a file, under TLS 1.3', leaf, (variant) =>
    stapleFor(leaf, root, variant === 'vulnerable' ? 'revoked' : 'good'),
  ),
  staplingInNode('TLS 1.2 with a new certificate after the old one was revoked', async (variant) => ({
    pem: { ...(variant === 'vulnerable' ? leaf : other), maxVersion: 'TLSv1.2' },
    staple: await (variant === 'vulnerable' ? stapleFor(leaf, root, 'revoked') : stapleFor(other, root, 'good')),
  })),
  staplingInNode('certificate that demands a response', async (variant) => ({
    pem: demanding,
    staple: await stapleFor(demanding, root, variant === 'vulnerable' ? 'revoked' : 'good'),
  })),
];
