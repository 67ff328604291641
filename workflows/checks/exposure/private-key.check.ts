import type { Candidate } from '../../model/candidate.ts';
import { claim, type Experiment } from '../../model/experiment.ts';
import { ProbeError } from '../../model/probe-error.ts';
import type { TlsServer } from '../../model/tls-hello.ts';
import { publicKeyDigests } from '../../proof/files/private-keys.ts';
import { type CheckContext, defineCheck } from '../contract.ts';
import { type Exposed, findExposed, proveExposed } from './exposed-file.ts';
import { mild } from './paths/entry.ts';

/** The server whose certificate has the key, and the digest of its public part. */
type Used = { server: TlsServer; digest: string };
type ExposedKey = Exposed & { used?: Used };

/** A private key is served. It is parsed, and never used. Source: CWE-312, WSTG-CONF-04. */
export const privateKey = defineCheck<ExposedKey>({
  id: 'exposure.private-key',
  title: 'Exposed private key',
  cwe: 312,
  owasp: 'A04:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  depth: 'standard',
  risk: 'safe',
  cost: 10,

  async detect(context) {
    const found = await findExposed(context, 'private-key');
    return Promise.all(found.map((candidate) => weighed(context, candidate)));
  },

  confirm: (_context, candidate) => experimentFor(candidate),

  explain: {
    description:
      'The web server gives out a file with a private key. It was parsed, not only recognised by its name, and it was used for nothing.',
    impact:
      'With the key of a certificate others can pose as the site and read recorded or diverted traffic; with a key of SSH they log in to servers; with a key that signs tokens they make sessions of any user. A passphrase only delays that.',
    sends:
      'GET requests for the known paths of private keys and key stores, and for random names beside those that answer.',
    proves:
      'The file parses as a private key; a random name beside it is not answered with one. An attacker has the key; it is never used. High only for the key of the site’s certificate, which a handshake shows; what another one is for, and whether it is in use, is not shown.',
    remedy:
      'Replace the key: revoke the certificate and issue one with a new key (`certbot revoke --reason keycompromise`), remove the public key from every `authorized_keys`, roll the signing key. Then move keys to where the web server never looks (`/etc/ssl/private`, mode 0600), and refuse such names: nginx `location ~* \\.(?:key|pem|p12|pfx|jks|ppk)$ { return 404; }`.',
    references: [
      'CWE-312: https://cwe.mitre.org/data/definitions/312.html',
      'WSTG-CONF-04: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/04-Review_Old_Backup_and_Unreferenced_Files_for_Sensitive_Information',
      'RFC 5280, revocation for key compromise: https://www.rfc-editor.org/rfc/rfc5280#section-5.3.1',
    ],
  },
});

/** The key of the site's certificate is graver than one whose use is not known. */
async function weighed(context: CheckContext, candidate: Candidate<Exposed>): Promise<Candidate<ExposedKey>> {
  const { data } = candidate;
  if (data === undefined || 'failure' in data) return candidate;
  const used = await useOf(context, data.url);
  if (used) {
    const { cvss: _milder, ...rest } = candidate;
    const detail = `${candidate.detail} It is the key of the certificate of ${used.server.host}.`;
    return { ...rest, detail, data: { ...data, used } };
  }
  return {
    ...candidate,
    cvss: mild,
    detail: `${candidate.detail} It is not the key of the site’s certificate; what it is for is not known.`,
  };
}

async function useOf({ http, tls }: CheckContext, url: string): Promise<Used | undefined> {
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== 'https:') return undefined;
  const digests = publicKeyDigests((await http.get(url)).body) ?? [];
  const server = { host: hostname, port: Number(port || '443') };
  try {
    const [leaf] = (await tls.presented(server)).chain;
    const digest = digests.find((each) => each === leaf?.publicKeyDigest);
    return digest === undefined ? undefined : { server, digest };
  } catch (error) {
    // Without its certificate a server shows no key; the file is one all the same.
    if (error instanceof ProbeError && error.code !== 'canceled') return undefined;
    throw error;
  }
}

function experimentFor(candidate: Candidate<ExposedKey>): Experiment | undefined {
  const experiment = proveExposed(candidate);
  const used = candidate.data && 'used' in candidate.data ? candidate.data.used : undefined;
  if (!experiment || !used) return experiment;
  const { server, digest } = used;
  const isOwn = claim('body:public-key-digests', 'matches', `(?m)^${digest}$`, 'Its public part has this digest.');
  return {
    steps: [
      {
        tls: server,
        note: 'The certificate of the server has a public key of this digest.',
        expect: [claim('tls:certificate.publicKeyDigest', 'equals', digest)],
      },
      ...experiment.steps.map((step) => ({ ...step, expect: [...step.expect, isOwn] })),
    ],
    control: experiment.control.map((step) => ({ ...step, expect: [...step.expect, isOwn] })),
  };
}
