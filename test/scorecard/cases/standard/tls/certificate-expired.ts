import { makeCertificate, rsa } from '../../../../fixtures/certificates.ts';
import type { ScoreCase } from '../../../case.ts';
import { host, inNode, root } from '../../../sites/tls.ts';

const lasting = (name: string, to: number, more: object) =>
  inNode(name, (variant) =>
    makeCertificate({ commonName: host, issuer: root, from: -400, to: variant === 'vulnerable' ? to : 90, ...more }),
  );

export const cases: ScoreCase[] = [
  lasting('certificate that ended a year ago', -365, { key: rsa(2_048) }),
  lasting('certificate that ended an hour ago', -1 / 24, {}),
  lasting('wildcard certificate that ended last week', -7, {
    commonName: 'northwind.shop',
    names: ['*.northwind.shop'],
  }),
];
