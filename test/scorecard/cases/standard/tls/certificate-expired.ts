import { makeAuthority, makeCertificate, rsa, withChain } from '../../../../fixtures/certificates.ts';
import type { ScoreCase } from '../../../case.ts';
import { host, inNode, root } from '../../../sites/tls.ts';

const lasting = (name: string, to: number, more: object) =>
  inNode(name, (variant) =>
    makeCertificate({ commonName: host, issuer: root, from: -400, to: variant === 'vulnerable' ? to : 90, ...more }),
  );

/** One authority with the certificate that has ended, and with its successor. */
const old = await makeAuthority('Northwind Intermediate', { issuer: root, from: -400, to: -30 });
const renewed = await makeAuthority('Northwind Intermediate', { issuer: root, keys: old.keys });
const below = await makeCertificate({ commonName: host, issuer: old });

export const cases: ScoreCase[] = [
  lasting('certificate that ended a year ago', -365, { key: rsa(2_048) }),
  lasting('certificate that ended an hour ago', -1 / 24, {}),
  inNode('intermediate certificate that ended last month', (variant) =>
    withChain(below, variant === 'vulnerable' ? old : renewed),
  ),
  lasting('wildcard certificate that ended last week', -7, {
    commonName: 'northwind.shop',
    names: ['*.northwind.shop'],
  }),
];
