import type {
  ProofStep,
  HelloAction as StoredHello,
  BrowserAction as StoredVisit,
  TlsAction,
} from '../../proto/gen/scanaudit/v1/findings_pb.ts';
import type { Action, BrowserAction, HelloAction } from '../model/experiment.ts';
import { referenceKeys, type TlsRequest, tlsVersions } from '../model/tls.ts';
import { helloVersions } from '../model/tls-hello.ts';

/** What a stored step sends. @throws TypeError for what no step of ours is */
export function actionOf(action: ProofStep['action']): Action {
  switch (action.case) {
    case 'http': {
      const { method, url, headers, body, copies } = action.value;
      const fields = headers.map(({ name, value }) => [name, value] as const);
      return {
        http: { method, url, headers: fields, ...(body === '' ? {} : { body }), ...(copies > 1 ? { copies } : {}) },
      };
    }
    case 'tls':
      return { tls: handshakeOf(action.value) };
    case 'hello':
      return { hello: helloOf(action.value) };
    case 'dns': {
      const { name, type, server } = action.value;
      return { dns: { name, type, ...(server === '' ? {} : { server }) } };
    }
    case 'smtp':
      return { smtp: { host: action.value.host } };
    case 'callback':
      return { callback: { token: action.value.token, waitMs: action.value.waitMs } };
    case 'browser':
      return { browser: visitOf(action.value) };
    default:
      throw new TypeError('A stored step has no action.');
  }
}

const visitOf = ({ url, clicks, page }: StoredVisit): BrowserAction => ({
  url,
  clicks,
  ...(page === '' ? {} : { page }),
});

function handshakeOf({ host, port, serverName, minVersion, maxVersion, reference }: TlsAction): TlsRequest {
  return {
    host,
    port,
    serverName,
    ...(minVersion === '' ? {} : { minVersion: versionOf(tlsVersions, minVersion) }),
    ...(maxVersion === '' ? {} : { maxVersion: versionOf(tlsVersions, maxVersion) }),
    ...(reference === '' ? {} : { reference: wordOf('kind of key', referenceKeys, reference) }),
  };
}

function helloOf({ versions, compressions, ...stored }: StoredHello): HelloAction {
  const { host, port, serverName, suites, groups, signatures } = stored;
  const offer = { versions: versions.map((word) => versionOf(helloVersions, word)), suites, groups, signatures };
  return { host, port, serverName, ...offer, ...(compressions.length > 0 ? { compressions } : {}) };
}

const versionOf = <V extends string>(known: readonly V[], word: string): V => wordOf('TLS version', known, word);

function wordOf<W extends string>(what: string, words: readonly W[], word: string): W {
  const known = words.find((each) => each === word);
  if (known === undefined) throw new TypeError(`A stored step has the unknown ${what} "${word}".`);
  return known;
}
