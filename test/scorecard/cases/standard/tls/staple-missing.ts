import { mustStaple } from '../../../../../workflows/probe/tls/revocation.ts';
import { makeCertificate, rsa, withChain } from '../../../../fixtures/certificates.ts';
import { stapleFor } from '../../../../fixtures/tls/staples.ts';
import type { ScoreCase } from '../../../case.ts';
import { host, root, staplingInNode, staplingInOpenssl } from '../../../sites/tls.ts';

const demanding = await makeCertificate({ commonName: host, issuer: root, extensions: [mustStaple()] });
const plain = await makeCertificate({ commonName: host, issuer: root, key: rsa(2_048) });
const old = await makeCertificate({ commonName: host, issuer: root, key: rsa(2_048), extensions: [mustStaple()] });

export const cases: ScoreCase[] = [
  staplingInNode('certificate that demands a response, and a server that was never set to staple', async (variant) => ({
    pem: demanding,
    ...(variant === 'vulnerable' ? {} : { staple: await stapleFor(demanding, root, 'good') }),
  })),
  staplingInOpenssl('response in a file that nobody renews', demanding, (variant) =>
    stapleFor(demanding, root, variant === 'vulnerable' ? 'over' : 'good'),
  ),
  staplingInNode('TLS 1.2 with the response for the certificate before', async (variant) => ({
    pem: { ...withChain(old, root), maxVersion: 'TLSv1.2' },
    staple: await stapleFor(old, root, variant === 'vulnerable' ? 'foreign' : 'good'),
  })),
  staplingInNode('certificate that was ordered anew without the demand', async (variant) => ({
    pem: variant === 'vulnerable' ? old : plain,
  })),
];
