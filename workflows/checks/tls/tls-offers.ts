import { type Assertion, claim, type Experiment, type HelloAction, type Step } from '../../model/experiment.ts';
import type { HelloVersion, SuiteSeen, TlsLook, TlsServer, VersionSeen } from '../../model/tls-hello.ts';
import type { Judgement } from './tls-servers.ts';

/** Groups and signatures for which a server is known to have keys, or that it may have. */
export type Keys = Pick<HelloAction, 'groups' | 'signatures'>;

/** What a server accepts of one kind: the version, and its suites of that kind. */
export type Accepted = { version: HelloVersion; suites: string[] };
export type WeakSuites = TlsServer & { keys: Keys; accepted: Accepted[] };

/** A hello can carry more; a proof needs no more to be accepted. */
const maxSuites = 24;

/** Source: RFC 9325 §4.2, Mozilla's intermediate configuration. */
const soundSuites = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256',
  'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
  'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384',
  'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384',
  'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256',
  'TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256',
];

const usualKeys: Keys = {
  groups: ['x25519', 'secp256r1', 'secp384r1'],
  signatures: [
    'ecdsa_secp256r1_sha256',
    'rsa_pss_rsae_sha256',
    'rsa_pkcs1_sha256',
    'rsa_pkcs1_sha1',
    'ecdsa_sha1',
    'dsa_sha256',
    'dsa_sha1',
  ],
};

/** What a client has to know for the server to have a choice. */
export function keysFor({ groups, signatures }: TlsLook): Keys {
  // Those of RFC 7919 would take the place of the server's own prime.
  const curves = groups.filter((name) => !name.startsWith('ffdhe'));
  return {
    groups: curves.length > 0 ? curves : usualKeys.groups,
    signatures: signatures.length > 0 ? signatures : usualKeys.signatures,
  };
}

/** Suites of a kind by version, for those versions that have any. */
export const acceptedOf = (versions: readonly VersionSeen[], fits: (suite: SuiteSeen) => boolean): Accepted[] =>
  versions.flatMap(({ version, suites }) => {
    const fitting = suites.filter(fits).map(({ name }) => name);
    return fitting.length > 0 ? [{ version, suites: fitting.slice(0, maxSuites) }] : [];
  });

/** @param expect about the answer to this offer */
export const helloStep = (
  { host, port, keys }: TlsServer & { keys: Keys },
  { version, suites }: Accepted,
  note: string,
  expect: Assertion[],
): Step => ({ hello: { host, port, versions: [version], suites, ...keys }, note, expect });

/** A client that offers nothing but what is sound today. */
export const soundStep = ({ host, port }: TlsServer, note: string, expect: Assertion[]): Step => ({
  hello: { host, port, versions: ['TLSv1.2', 'TLSv1.3'], suites: soundSuites, ...usualKeys },
  note,
  expect,
});

/**
 * Says which suites of a weak kind a server accepts.
 * @param gravest vector for servers that accept nothing else
 */
export function judgeSuites(
  look: TlsLook,
  isWeak: (name: string) => boolean,
  gravest?: string,
): Judgement<Pick<WeakSuites, 'keys' | 'accepted'>> {
  const accepted = acceptedOf(look.versions, ({ name }) => isWeak(name));
  const names = [...new Set(accepted.flatMap(({ suites }) => suites))];
  if (names.length === 0) return undefined;
  const isAll = look.versions.every(({ suites }) => suites.every(({ name }) => isWeak(name)));
  const versions = accepted.map(({ version }) => written(version)).join(', ');
  return {
    detail: `The server accepts ${someOf(names)} (${versions})${isAll ? ', and nothing better' : ''}.`,
    ...(isAll && gravest !== undefined ? { cvss: gravest } : {}),
    data: { keys: keysFor(look), accepted },
  };
}

/** Offers the weak suites alone, version by version; a client that offers sound ones alone is given none of them. */
export function suitesExperiment(data: WeakSuites, what: string): Experiment {
  const claims = (suites: readonly string[]) => [claim('hello:suite', 'one-of', suites.join('|'))];
  return {
    steps: data.accepted.map((accepted) =>
      helloStep(
        data,
        accepted,
        `A client that offers ${what} alone (${written(accepted.version)}) is not refused.`,
        claims(accepted.suites),
      ),
    ),
    control: [
      soundStep(
        data,
        'A client that offers sound cipher suites alone is given none of those, or is refused.',
        claims([...new Set(data.accepted.flatMap(({ suites }) => suites))]),
      ),
    ],
  };
}

const shown = 3;

const someOf = (names: readonly string[]): string =>
  names.length <= shown
    ? names.join(', ')
    : `${names.slice(0, shown).join(', ')} and ${names.length - shown} more such cipher suites`;

/** As people write it. */
export const written = (version: HelloVersion): string =>
  version === 'SSLv3' ? 'SSL 3.0' : version === 'TLSv1' ? 'TLS 1.0' : version.replace('TLSv', 'TLS ');
