import { toJsonString } from '@bufbuild/protobuf';
import { type Login, LoginSchema } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import type { Cipher } from '../crypto.ts';
import { invalid } from '../errors.ts';
import type { LoginKind, LoginRow } from './entities.ts';
import { coveringNames } from './name.ts';

type LoginKey = Pick<LoginRow, 'orgId' | 'domain' | 'name'>;

const contextOf = ({ orgId, domain, name }: LoginKey) => `login/${orgId}/${domain}/${name}`;

/** A login's settings, encrypted for its place. */
export const sealLogin = (cipher: Cipher, key: LoginKey, login: Login): string =>
  cipher.encrypt(toJsonString(LoginSchema, login), contextOf(key));

/** JSON of scanaudit.v1.Login, with secrets. */
export const openLoginJson = (cipher: Cipher, row: LoginRow): string => cipher.decrypt(row.settings, contextOf(row));

const maxTextLength = 8_192;
// RFC 9110 §5.6.2: token.
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/;
const roles = ['', 'user', 'admin'];

/**
 * What kind of login it is. Refuses settings that no scan could use.
 * @param domain its URLs are of this domain or under it, so that secrets never go elsewhere
 * @throws Refusal INVALID_PARAMETER
 */
export function checkLogin(login: Login | undefined, domain: string): LoginKind {
  if (login?.kind.case === undefined)
    throw invalid('INVALID_PARAMETER', 'login', 'give one of form, json, bearer, header, cookie');
  if (!roles.includes(login.role)) throw invalid('INVALID_PARAMETER', 'login.role', 'use user or admin');
  if (login.checkUrl !== '') checkUrl('login.checkUrl', login.checkUrl, domain);
  checkText('login.marker', login.marker, 0);
  const { kind } = login;
  if (kind.case === 'form' || kind.case === 'json') {
    checkUrl(`login.${kind.case}.url`, kind.value.url, domain);
    checkText(`login.${kind.case}.username`, kind.value.username, 1);
    checkText(`login.${kind.case}.password`, kind.value.password, 1);
  } else if (kind.case === 'header') {
    if (!headerName.test(kind.value.name))
      throw invalid('INVALID_PARAMETER', 'login.header.name', 'use the name of a header');
    checkHeaderValue('login.header.value', kind.value.value);
  } else checkHeaderValue(`login.${kind.case}`, kind.value);
  return kind.case;
}

function checkUrl(field: string, text: string, domain: string): void {
  const url = text.length <= 2_048 ? URL.parse(text) : null;
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  const host = url?.hostname.replace(/\.$/, '').replace(/^\[|\]$/g, '') ?? '';
  if (!isWeb || !coveringNames(host).includes(domain))
    throw invalid('INVALID_PARAMETER', field, `use an http or https URL of ${domain}`);
}

function checkText(field: string, text: string, min: number): void {
  if (text.length < min || text.length > maxTextLength)
    throw invalid('INVALID_PARAMETER', field, `use ${min} to ${maxTextLength} characters`);
}

/** RFC 9110 §5.5: visible characters, space and tab; so no value can start another header. */
function checkHeaderValue(field: string, text: string): void {
  checkText(field, text, 1);
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(text))
    throw invalid('INVALID_PARAMETER', field, 'use what may stand in a header: no line breaks');
}
