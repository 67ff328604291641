import { makeCertificate, rsa } from '../../../../fixtures/certificates.ts';
import type { ScoreCase } from '../../../case.ts';
import { host, inNode, root } from '../../../sites/tls.ts';

const beginning = (name: string, from: number, more: object = {}) =>
  inNode(name, (variant) =>
    makeCertificate({ commonName: host, issuer: root, from: variant === 'vulnerable' ? from : -1, to: 400, ...more }),
  );

export const cases: ScoreCase[] = [
  beginning('certificate of tomorrow', 1),
  beginning('certificate by a clock that is an hour ahead', 1 / 24, { key: rsa(2_048) }),
  beginning('certificate of next year', 300),
];
