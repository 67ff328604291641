import { ProbeError, type ProbeErrorCode } from '../../../model/probe-error.ts';
import type { TlsHandshake, TlsProbe } from '../../../model/tls.ts';
import type { TlsServer } from '../../../model/tls-hello.ts';
import {
  type HelloAnswer,
  type HelloOffer,
  type HelloVersion,
  helloVersions,
  type SuiteSeen,
  type TlsLook,
  type VersionSeen,
} from '../../../model/tls-hello.ts';
import { assertHeard } from './heard.ts';
import { chosenInTurn } from './in-turn.ts';
import { groupCodes, signatureCodes } from './registry.ts';
import { suitesOf } from './suites.ts';

type Hello = Pick<TlsProbe, 'hello' | 'presented' | 'handshake'>;
type HelloOptions = { serverName?: string };
/** One hello to the server that is looked at; undefined when its offer was not accepted. */
type AskHello = (offer: HelloOffer, more?: HelloOptions) => Promise<HelloAnswer | undefined>;
type Versions = Map<HelloVersion, HelloAnswer[]>;

const helloTimeoutMs = 5_000;
/** Key shares that every server of TLS 1.3 takes one of (RFC 8446 §9.1). */
const commonShares = ['x25519', 'secp256r1'];

/**
 * Finds out what a server speaks: as many ClientHellos in parallel as the budget has connections.
 * A hello without any answer counts as refused, since that is how some firewalls refuse; a last one shows that the server is still there.
 * @throws ProbeError when the server does not answer, or does not speak TLS
 */
export async function lookAt(probe: Hello, server: TlsServer): Promise<TlsLook> {
  // What cannot be reached at all is found out once, and not once for each version.
  const failure = await failureOf(probe.presented(server), 'tls_failed');
  let isSilent = false;
  const ask: AskHello = async (offer, more = {}) => {
    try {
      const answer = await probe.hello({ ...server, ...offer, ...more, timeoutMs: helloTimeoutMs });
      return answer.outcome === 'accepted' ? answer : undefined;
    } catch (error) {
      if (!(error instanceof ProbeError)) throw error;
      if (error.code === 'timeout') isSilent = true;
      else if (!['protocol_error', 'tls_failed', 'too_large'].includes(error.code)) throw error;
      return undefined;
    }
  };
  const seen = new Map(
    await Promise.all(helloVersions.map(async (version) => [version, await suitesIn(ask, version)] as const)),
  );
  if (failure && [...seen.values()].every(({ length }) => length === 0)) throw failure;
  if (!failure) assertHeard(await probe.presented(server), seen);
  const [versions, groups, signatures, rest] = await Promise.all([
    Promise.all([...seen].filter(([, { length }]) => length > 0).map((each) => describe(ask, ...each))),
    groupsIn(ask, seen),
    signaturesIn(ask, seen),
    singlesIn(probe, server, ask, seen),
  ]);
  if (isSilent) await finished(probe.handshake(server));
  return { ...server, versions, groups, signatures, ...rest };
}

/** Why work failed, if it was for this; undefined when it did not. @throws whatever else it failed for */
async function failureOf(work: Promise<unknown>, code: ProbeErrorCode): Promise<ProbeError | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof ProbeError && error.code === code) return error;
    throw error;
  }
}

/** All hellos of a version by which another suite was chosen. */
async function suitesIn(ask: AskHello, version: HelloVersion): Promise<HelloAnswer[]> {
  const all = suitesOf(version);
  const ofVersion = (keyShares: readonly string[]) => (suites: readonly string[]) =>
    ask({ versions: [version], suites, keyShares });
  // Several lists at a time: each takes as many round trips as suites of it are accepted.
  const lists = version === 'TLSv1.2' ? [isEcdhe, isCommon, isRare].map((fits) => all.filter(fits)) : [all];
  const answers = (await Promise.all(lists.map((list) => chosenInTurn(list, ofVersion([]), suiteOf)))).flat();
  // Some servers of TLS 1.3 cannot do without a key share.
  const isUnheard = version === 'TLSv1.3' && answers.length === 0;
  return isUnheard ? chosenInTurn(all, ofVersion(commonShares), suiteOf) : answers;
}

const isEcdhe = (name: string): boolean => name.startsWith('TLS_ECDHE_');
const isCommon = (name: string): boolean => /^TLS_(?:RSA|DHE_RSA)_WITH_(?:AES|3DES)/.test(name);
const isRare = (name: string): boolean => !isEcdhe(name) && !isCommon(name);

const suiteOf = ({ suite }: HelloAnswer): string => suite;

async function describe(ask: AskHello, version: HelloVersion, answers: HelloAnswer[]): Promise<VersionSeen> {
  const isServerOrdered = await hasOrder(ask, version, answers.map(suiteOf));
  return { version, suites: answers.map(seenOf), ...(isServerOrdered === undefined ? {} : { isServerOrdered }) };
}

const seenOf = ({ suite, group, dhBits }: HelloAnswer): SuiteSeen => ({
  name: suite,
  ...(group === '' ? {} : { group }),
  ...(dhBits === undefined ? {} : { dhBits }),
});

/** Whether the same suite is chosen when the client turns its order around. */
async function hasOrder(ask: AskHello, version: HelloVersion, suites: string[]): Promise<boolean | undefined> {
  if (suites.length < 2) return undefined;
  const orders = [suites, suites.toReversed()];
  const [first, second] = await Promise.all(
    orders.map((order) => ask({ versions: [version], suites: order, keyShares: sharesFor(version) })),
  );
  return first && second && first.suite === second.suite;
}

const sharesFor = (version: HelloVersion): readonly string[] => (version === 'TLSv1.3' ? commonShares : []);

/** In TLS 1.3 by HelloRetryRequests, below by the suites with ephemeral elliptic curves. */
async function groupsIn(ask: AskHello, seen: Versions): Promise<string[]> {
  const lists = (['TLSv1.3', newestOldOf(seen)] as const).map(async (version) => {
    const suites = (version ? (seen.get(version) ?? []) : []).map(suiteOf);
    const fitting = version === 'TLSv1.3' ? suites : suites.filter(isEcdhe);
    if (!version || fitting.length === 0) return [];
    const ofGroups = (groups: readonly string[]) => ask({ versions: [version], suites: fitting, groups });
    return (await chosenInTurn(groupCodes.names, ofGroups, groupOf)).map(groupOf);
  });
  return [...new Set((await Promise.all(lists)).flat())];
}

const groupOf = ({ group }: HelloAnswer): string => group;

const newestOldOf = (seen: Versions): HelloVersion | undefined =>
  helloVersions.findLast((version) => version < 'TLSv1.3' && (seen.get(version)?.length ?? 0) > 0);

async function signaturesIn(ask: AskHello, seen: Versions): Promise<string[]> {
  const signed = (seen.get('TLSv1.2') ?? []).filter(({ signature }) => signature !== '').map(suiteOf);
  if (signed.length === 0) return [];
  const signatureOf = ({ signature }: HelloAnswer) => signature;
  const ofSignatures = (signatures: readonly string[]) => ask({ versions: ['TLSv1.2'], suites: signed, signatures });
  return (await chosenInTurn(signatureCodes.names, ofSignatures, signatureOf)).map(signatureOf);
}

type Singles = Omit<TlsLook, 'host' | 'port' | 'versions' | 'groups' | 'signatures'>;

/** What one hello each shows. */
async function singlesIn(probe: Hello, server: TlsServer, ask: AskHello, seen: Versions): Promise<Singles> {
  const old = newestOldOf(seen);
  const answers = old ? (seen.get(old) ?? []) : [];
  const offer: HelloOffer | undefined = old && { versions: [old], suites: answers.map(suiteOf) };
  const has13 = (seen.get('TLSv1.3')?.length ?? 0) > 0;
  const [compressed, certified, current, presented, withoutServerName] = await Promise.all([
    offer && ask({ ...offer, compressions: ['deflate', 'null'] }),
    offer && ask({ ...offer, alpn: ['http/1.1'] }),
    has13 ? finished(probe.handshake({ ...server, waitsForTicket: true, asksForStaple: true })) : undefined,
    finished(probe.presented(server)),
    offer ? namelessInClear(ask, offer, answers) : nameless(probe, server),
  ]);
  const alpn = [...answers.map((answer) => answer.alpn), certified?.alpn ?? '', presented?.alpn ?? ''];
  return {
    compresses: compressed?.compression === 'deflate',
    isRenegotiationSecure: offer && answers.every(({ isRenegotiationSecure }) => isRenegotiationSecure),
    isStapled: seenStaple([...answers, ...(current ? [current] : [])]),
    revocation: presented?.revocation,
    alpn: [...new Set(alpn)].filter((name) => name !== ''),
    asksForCertificate: answers.some(({ asksForCertificate }) => asksForCertificate),
    withoutServerName,
    maxEarlyDataBytes: current?.maxEarlyDataBytes ?? 0,
  };
}

const seenStaple = (seen: readonly { isStapled?: boolean }[]): boolean | undefined =>
  seen.length === 0 ? undefined : seen.some(({ isStapled }) => isStapled === true);

/** A handshake; undefined where the server wants something that is not to be had here. */
async function finished(handshake: Promise<TlsHandshake>): Promise<TlsHandshake | undefined> {
  return (await failureOf(handshake, 'tls_failed')) ? undefined : handshake;
}

/** What a client that names no server is shown, beside those that do: by their suites they may be shown several certificates. */
async function namelessInClear(
  ask: AskHello,
  offer: HelloOffer,
  named: readonly HelloAnswer[],
): Promise<TlsLook['withoutServerName']> {
  const other = await ask(offer, { serverName: '' });
  if (!other) return 'refused';
  const [leaf] = other.certificates;
  const isShown = ({ certificates: [own] }: HelloAnswer) => (own && leaf ? own.equals(leaf) : own === leaf);
  return named.some(isShown) ? 'same' : 'other';
}

/** The same by handshakes: TLS 1.3 sends no certificate in the clear. */
async function nameless(probe: Hello, server: TlsServer): Promise<TlsLook['withoutServerName']> {
  const [named, other] = await Promise.all([
    finished(probe.presented(server)),
    finished(probe.handshake({ ...server, serverName: '' })),
  ]);
  if (!other) return 'refused';
  return other.chain[0]?.fingerprint256 === named?.chain[0]?.fingerprint256 ? 'same' : 'other';
}
