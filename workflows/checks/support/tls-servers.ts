import type { CertificateInfo, TlsHandshake } from '../../probe/types.ts';
import type { Experiment, Step } from '../../proof/experiment.ts';
import { type Candidate, type CheckContext, type NotApplicable, notApplicable } from '../contract.ts';

/** Where a handshake is made. */
export type TlsServer = { host: string; port: number };

/** What a check says of one server; undefined when it has nothing to say. */
export type Judgement<D> = { detail: string; cvss?: string; data: D } | undefined;

export type Seen = { handshake: TlsHandshake; leaf: CertificateInfo; server: TlsServer };

/**
 * Makes one handshake with each HTTPS server of the host and lets the check judge what it presents.
 * A server without a certificate (anonymous key exchange) is passed over.
 * @throws ProbeError
 */
export async function judgeServers<D>(
  { surface, tls }: CheckContext,
  judge: (seen: Seen) => Judgement<D> | Promise<Judgement<D>>,
): Promise<Candidate<D & TlsServer>[] | NotApplicable> {
  const servers = surface.origins.filter(({ scheme }) => scheme === 'https');
  if (servers.length === 0) return notApplicable('The host does not answer over HTTPS.');
  const candidates: Candidate<D & TlsServer>[] = [];
  for (const { origin, host, port } of servers) {
    const handshake = await tls.handshake({ host, port });
    const [leaf] = handshake.chain;
    const judgement = leaf && (await judge({ handshake, leaf, server: { host, port } }));
    if (!judgement) continue;
    const { data, ...rest } = judgement;
    candidates.push({
      location: { url: `${origin}/`, method: 'TLS' },
      route: '/',
      ...rest,
      data: { ...data, host, port },
    });
  }
  return candidates;
}

type Claims = Pick<Step, 'note' | 'expect'>;

/** One handshake that shows the weakness, and one of whose certificate the same is claimed without its cause. */
export const handshakeExperiment = ({ host, port }: TlsServer, shown: Claims, control: Claims): Experiment => ({
  steps: [{ tls: { host, port }, ...shown }],
  control: [{ tls: { host, port }, ...control }],
});

/**
 * Nobody who could be known vouches for the certificate: it, or the authority that was sent with it, is signed by itself.
 * Codes of OpenSSL's verification; a date that is over goes before them, so such a certificate has another code.
 */
export const selfMadeCodes = ['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN'] as const;

/** What was sent ends before any authority: its last certificate is signed by somebody who is neither sent nor known. */
export const brokenChainCodes = [
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
] as const;

/** What is wrong with the certificate itself, whoever signed it. */
export const otherFaultCodes = ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'ERR_TLS_CERT_ALTNAME_INVALID'] as const;

export const isOneOf = (codes: readonly string[], code: string): boolean => codes.includes(code);
