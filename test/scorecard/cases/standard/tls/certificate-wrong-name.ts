import { makeCertificate, rsa } from '../../../../fixtures/certificates.ts';
import type { ScoreCase } from '../../../case.ts';
import { host, inNode, root } from '../../../sites/tls.ts';

const naming = (name: string, wrong: string[], right: string[], more: object = {}) =>
  inNode(name, (variant) =>
    makeCertificate({ commonName: 'a server', names: variant === 'vulnerable' ? wrong : right, issuer: root, ...more }),
  );

export const cases: ScoreCase[] = [
  naming('certificate of the mail server', ['mail.northwind.shop'], ['mail.northwind.shop', host], { key: rsa(2_048) }),
  naming('certificate with a common name alone', [], [host], { commonName: host }),
  naming('wildcard one label too deep', ['*.www.northwind.shop'], ['*.northwind.shop']),
  naming('certificate of the hosting company', ['*.hosting.example', 'hosting.example'], [host]),
];
