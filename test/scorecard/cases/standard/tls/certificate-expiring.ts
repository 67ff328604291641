import { makeCertificate, rsa } from '../../../../fixtures/certificates.ts';
import type { ScoreCase } from '../../../case.ts';
import { host, inNode, root } from '../../../sites/tls.ts';

const lasting = (name: string, from: number, to: number, renewed: number, more: object = {}) =>
  inNode(name, (variant) =>
    makeCertificate({ commonName: host, issuer: root, from, to: variant === 'vulnerable' ? to : renewed, ...more }),
  );

export const cases: ScoreCase[] = [
  lasting('certificate of 90 days', -80, 10, 30),
  lasting('certificate of a year', -360, 5, 60, { key: rsa(2_048) }),
  lasting('certificate of six days', -5, 1, 4),
];
