import { fromJsonString } from '@bufbuild/protobuf';
import { type Login, LoginSchema } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import type { Run } from '../runs.ts';

/** Fetches how to log in. The secrets stay in the caller's memory. */
export async function openLogin(run: Run, name: string): Promise<Login> {
  return fromJsonString(LoginSchema, await run.openSecret(`login:${name}`), { ignoreUnknownFields: true });
}

/** Every secret of a login: masked wherever anything of the scan is stored. */
export function secretsOf(login: Login): string[] {
  const { kind } = login;
  switch (kind.case) {
    case 'form':
    case 'json':
      return [kind.value.password];
    case 'header':
      return [kind.value.value];
    case 'bearer':
      return [kind.value];
    case 'cookie':
      return [kind.value, ...cookiePairs(kind.value).map(([, value]) => value)];
    default:
      return [];
  }
}

/** The same login with a secret that is wrong: the negative twin of a proof. */
export function withWrongSecret(login: Login, wrong: string): Login {
  const { kind } = login;
  switch (kind.case) {
    case 'form':
      return { ...login, kind: { ...kind, value: { ...kind.value, password: wrong } } };
    case 'json':
      return { ...login, kind: { ...kind, value: { ...kind.value, password: wrong } } };
    case 'header':
      return { ...login, kind: { ...kind, value: { ...kind.value, value: wrong } } };
    case 'bearer':
      return { ...login, kind: { ...kind, value: wrong } };
    case 'cookie': {
      const value = cookiePairs(kind.value).map(([name]) => `${name}=${wrong}`);
      return { ...login, kind: { ...kind, value: value.join('; ') } };
    }
    default:
      return login;
  }
}

/** Names and values of a Cookie header. */
export function cookiePairs(header: string): [name: string, value: string][] {
  return header.split(';').flatMap((pair): [string, string][] => {
    const at = pair.indexOf('=');
    return at > 0 ? [[pair.slice(0, at).trim(), pair.slice(at + 1).trim()]] : [];
  });
}
