import { fromJsonString, toJsonString } from '@bufbuild/protobuf';
import { type Login, LoginSchema } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import type { Cipher } from '../crypto.ts';
import type { LoginRow } from './entities.ts';

type LoginKey = Pick<LoginRow, 'orgId' | 'domain' | 'name'>;

/** Binds a login's settings to their place. */
export const loginContext = ({ orgId, domain, name }: LoginKey) => `login/${orgId}/${domain}/${name}`;

/** A login's settings, encrypted for its place. */
export const sealLogin = (cipher: Cipher, key: LoginKey, login: Login): string =>
  cipher.encrypt(toJsonString(LoginSchema, login), loginContext(key));

/** JSON of scanaudit.v1.Login, with secrets. */
export const openLoginJson = (cipher: Cipher, row: LoginRow): string => cipher.decrypt(row.settings, loginContext(row));

export const openLogin = (cipher: Cipher, row: LoginRow): Login =>
  fromJsonString(LoginSchema, openLoginJson(cipher, row), { ignoreUnknownFields: true });

/**
 * Whether two logins are for one account of a site. Two identities that are one would make every comparison between
 * them look safe.
 */
export function areSameAccount({ kind: a }: Login, { kind: b }: Login): boolean {
  if (a.case === undefined || b.case === undefined) return false;
  if (typeof a.value === 'string' || typeof b.value === 'string') return a.case === b.case && a.value === b.value;
  if (a.case === 'header' || b.case === 'header')
    return a.case === 'header' && b.case === 'header' && a.value.value === b.value.value;
  if (a.case === 'basic' || b.case === 'basic')
    return a.case === 'basic' && b.case === 'basic' && nameOf(a.value) === nameOf(b.value);
  const isOneSite = URL.parse(a.value.url)?.origin === URL.parse(b.value.url)?.origin;
  return isOneSite && nameOf(a.value) === nameOf(b.value);
}

const nameOf = ({ username }: { username: string }): string => username.trim().toLowerCase();
