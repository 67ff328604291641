import type { Finding } from '../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { Severity } from '../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { sampleFinding, sampleProof } from './samples.ts';

const place = (url: string, method = 'GET') => ({ location: { url, method }, locations: [{ url, method }] });

/** Findings as a deep scan of a shop has them: a chain, several places of one weakness, each severity. */
export function auditFindings(): Finding[] {
  const repository = sampleFinding({
    checkId: 'exposure.git',
    title: 'Git repository is served to everyone',
    severity: Severity.HIGH,
    cvss: { version: '3.1', vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N', score: 7.5 },
    cwe: 527,
    owasp: 'A02:2025',
    ...place('https://shop.example/.git/HEAD'),
    description:
      'The folder `.git` is inside the web root. Anyone can rebuild the source of the site with its whole history.',
    impact: 'Source, configuration and every secret that was ever committed are readable.',
    remediation:
      'Publish a build folder instead of the checkout. Until then refuse every path with a segment that begins with a dot:\n\n`location ~ /\\.(?!well-known) { return 404; }`',
    references: ['OWASP Web Security Testing Guide, WSTG-CONF-04'],
  });
  const orders = ['1041', '1042', '1043'].map((order) =>
    sampleFinding({
      checkId: 'access.idor-read',
      title: 'Orders of other customers are readable',
      severity: Severity.MEDIUM,
      cvss: { version: '3.1', vector: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:N/A:N', score: 6.5 },
      cwe: 639,
      owasp: 'A01:2025',
      ...place(`https://shop.example/orders/${order}`),
      description: 'The order is looked up by its number alone, without asking whose it is.',
      impact: 'Any customer can read names, addresses and purchases of all others by counting up.',
      remediation: 'Add the owner to the query: `WHERE id = ? AND customer_id = ?`. Answer 404 when there is no row.',
      references: ['OWASP Top 10 2025 A01 Broken Access Control'],
    }),
  );
  return [...orders, repository, chainOver(repository), hsts(), sampleFinding(), banner()];
}

const chainOver = (repository: Finding): Finding =>
  sampleFinding({
    checkId: 'chains.forged-session',
    title: 'From the public repository to the administration',
    severity: Severity.CRITICAL,
    cvss: { version: '3.1', vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', score: 9.8 },
    cwe: 798,
    owasp: 'A07:2025',
    ...place('https://shop.example/admin'),
    description:
      'The source in the public repository has the key that signs session cookies. With it anyone can make a session with any role.',
    impact: 'Full control of the shop: orders, customers and prices.',
    remediation:
      'Remove the repository from the web root and change the signing key. A key belongs into the environment, not into the source.',
    chain: [
      {
        actionId: 'exposure.git',
        title: 'Git repository is served to everyone',
        gives: 'source of the shop',
        fingerprint: repository.fingerprint,
        breaksChain: true,
        ...shown('/.git/HEAD', 'the repository'),
      },
      {
        actionId: 'chains.secret-in-source',
        title: 'The key that signs sessions is in the source',
        gives: 'signing key',
        breaksChain: false,
        ...shown('/.git/objects/3b/18e5', 'the key'),
      },
      {
        actionId: 'chains.forge-session',
        title: 'A cookie signed with it is accepted, and its role is believed',
        gives: 'session(admin)',
        breaksChain: false,
        ...shown('/admin', 'the session'),
      },
    ],
  });

const shown = (path: string, what: string) => ({
  location: { url: `https://shop.example${path}`, method: 'GET' },
  proof: sampleProof(),
  remediation: `Remedy of ${what}.`,
});

const hsts = (): Finding =>
  sampleFinding({
    checkId: 'headers.hsts-missing',
    title: 'Missing HTTP Strict Transport Security (HSTS)',
    severity: Severity.LOW,
    cvss: { version: '3.1', vector: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N', score: 3.1 },
    cwe: 319,
    owasp: 'A04:2025',
    ...place('https://shop.example/'),
    description: 'Answers over HTTPS carry no `Strict-Transport-Security` header.',
    impact: 'Whoever sits on the network can keep a visitor on unencrypted HTTP.',
    remediation: 'Send `Strict-Transport-Security: max-age=31536000; includeSubDomains` with every answer over HTTPS.',
    references: ['RFC 6797'],
  });

const banner = (): Finding =>
  sampleFinding({
    checkId: 'headers.version-banner',
    title: 'Answers name the version of the server',
    severity: Severity.INFO,
    cvss: { version: '3.1', vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N', score: 0 },
    cwe: 200,
    ...place('https://shop.example/'),
  });
