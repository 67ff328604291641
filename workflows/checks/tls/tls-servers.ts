import type { Candidate } from '../../model/candidate.ts';
import type { Experiment, Step } from '../../model/experiment.ts';
import { ProbeError } from '../../model/probe-error.ts';
import type { CertificateInfo, ReferenceKey, TlsHandshake } from '../../model/tls.ts';
import type { TlsLook, TlsServer } from '../../model/tls-hello.ts';
import { type CheckContext, type NotApplicable, notApplicable } from '../contract.ts';

/** What a check says of one server; undefined when it has nothing to say. */
export type Judgement<D> = { detail: string; cvss?: string; data: D } | undefined;

type PresentedLeaf = { handshake: TlsHandshake; leaf: CertificateInfo; server: TlsServer };

type Candidates<D> = Promise<Candidate<D & TlsServer>[] | NotApplicable>;

/**
 * Lets the check judge the certificate that each TLS server of the host presents.
 * A server without a certificate (anonymous key exchange) is skipped.
 * @throws ProbeError
 */
export function judgeServers<D>(
  context: CheckContext,
  judge: (seen: PresentedLeaf) => Judgement<D> | Promise<Judgement<D>>,
): Candidates<D> {
  return judgeEach(context, async (server) => {
    const handshake = await context.tls.presented(server);
    const [leaf] = handshake.chain;
    return leaf && judge({ handshake, leaf, server });
  });
}

/** Lets the check judge what each TLS server of the host speaks. @throws ProbeError */
export function judgeLooks<D>(
  context: CheckContext,
  judge: (look: TlsLook) => Judgement<D> | Promise<Judgement<D>>,
): Candidates<D> {
  return judgeEach(context, async (server) => judge(await context.tls.look(server)));
}

async function judgeEach<D>(context: CheckContext, judge: (server: TlsServer) => Promise<Judgement<D>>): Candidates<D> {
  const servers = await tlsServersOf(context);
  if (servers.length === 0) return notApplicable('The host does not answer over HTTPS.');
  const candidates: Candidate<D & TlsServer>[] = [];
  for (const { host, port } of servers) {
    const judgement = await judge({ host, port });
    if (!judgement) continue;
    const { data, ...rest } = judgement;
    candidates.push({
      location: { url: new URL(`https://${host}:${port}/`).href, method: 'TLS' },
      route: '/',
      ...rest,
      data: { ...data, host, port },
    });
  }
  return candidates;
}

/** Those that gave a page, else that on the usual port, whose TLS may be too old, or too choosy, for one. */
async function tlsServersOf({ surface, tls }: CheckContext): Promise<TlsServer[]> {
  const known = surface.origins.filter(({ scheme }) => scheme === 'https');
  const url = new URL(surface.url);
  if (known.length > 0 || url.port !== '') return known;
  const server = { host: url.hostname, port: 443 };
  try {
    await tls.presented(server);
    return [server];
  } catch (error) {
    if (error instanceof ProbeError && ['unreachable', 'timeout', 'tls_failed'].includes(error.code)) return [];
    throw error;
  }
}

type HandshakeClaims = Pick<Step, 'note' | 'expect'>;

/**
 * One handshake that shows the weakness, and one of the same instrument with a certificate for the same name that has no fault,
 * of which the same must not hold.
 * @param control what does not hold there, when it is not all of what is shown
 */
export const handshakeExperiment = (
  { host, port }: TlsServer,
  shown: HandshakeClaims,
  control: Pick<Step, 'note'> & Partial<HandshakeClaims> & { reference?: ReferenceKey },
): Experiment => {
  const { note, expect = shown.expect, reference = 'ec' } = control;
  return { steps: [{ tls: { host, port }, ...shown }], control: [{ tls: { host, port, reference }, note, expect }] };
};
