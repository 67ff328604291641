import { X509Certificate } from 'node:crypto';
import { ProbeError } from '../../model/probe-error.ts';
import type { TlsHandshake, TlsProbe, TlsRequest } from '../../model/tls.ts';
import { type HelloRequest, type HelloVersion, helloVersions } from '../../model/tls-hello.ts';
import { describeCertificate } from './certificate.ts';
import { suitesOf } from './hello/suites.ts';
import { revocationOf } from './revocation.ts';
import type { Trust } from './trust.ts';
import { authorizationErrorOf, judgeChain } from './verify.ts';

/**
 * What a server sends in the clear before a handshake that cannot be finished here: versions and ciphers that OpenSSL no longer
 * has, or a client's certificate that is asked for. @returns undefined when that is nothing. @throws ProbeError
 */
export async function inTheClear(
  probe: Pick<TlsProbe, 'hello'>,
  trust: Trust,
  request: TlsRequest,
): Promise<TlsHandshake | undefined> {
  const { host, port, serverName, minVersion = 'SSLv3', maxVersion = 'TLSv1.2', timeoutMs } = request;
  const versions = helloVersions.filter(
    (version) => version >= minVersion && version <= maxVersion && version < 'TLSv1.3',
  );
  const offer = { versions, suites: suitesOf(versions.at(-1) ?? 'SSLv3') };
  const more = {
    ...(serverName === undefined ? {} : { serverName }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
  if (versions.length === 0) return undefined;
  const answer = await firstAccepted(probe, { host, port, ...offer, ...more });
  if (!answer) return undefined;
  const sent = answer.certificates.flatMap(parsed);
  const authorizationError = authorizationErrorOf(sent, serverName || host, trust.authorities());
  return {
    protocol: answer.version,
    cipher: answer.suite,
    alpn: answer.alpn,
    chain: sent.map(describeCertificate),
    ...judgeChain(sent, trust.authorities(), authorizationError),
    authorizationError,
    revocation: revocationOf(sent[0]?.raw),
    isStapled: answer.isStapled,
    isPubliclyTrusted: authorizationError === '' && !sent.some(trust.isOwn),
    hello: answer.sent,
    remoteAddress: answer.remoteAddress,
  };
}

/** A server of SSLv3 alone may not understand a newer hello, so it is asked in its own words as well. */
async function firstAccepted({ hello }: Pick<TlsProbe, 'hello'>, request: HelloRequest) {
  const ownWords: HelloVersion[] = ['SSLv3'];
  const requests = request.versions.includes('SSLv3')
    ? [request, { ...request, versions: ownWords, suites: suitesOf('SSLv3') }]
    : [request];
  for (const each of requests) {
    const answer = await hello(each).catch(nothingFor('tls_failed', 'protocol_error', 'too_large'));
    if (answer?.outcome === 'accepted') return answer;
  }
  return undefined;
}

const nothingFor =
  (...codes: string[]) =>
  (error: unknown): undefined => {
    if (error instanceof ProbeError && codes.includes(error.code)) return undefined;
    throw error;
  };

function parsed(der: Buffer): X509Certificate[] {
  try {
    return [new X509Certificate(der)];
  } catch {
    return [];
  }
}
