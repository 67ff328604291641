import type { Login, Totp } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import { invalid } from '../errors.ts';
import type { LoginKind } from './entities.ts';
import { coveringNames } from './name.ts';

/**
 * What kind of login it is. Refuses settings that no scan could use.
 * @param domain its URLs are of this domain or under it, so that secrets never go elsewhere
 * @throws Refusal INVALID_PARAMETER
 */
export function checkLogin(login: Login | undefined, domain: string): LoginKind {
  if (login?.kind.case === undefined)
    throw invalid('INVALID_PARAMETER', 'login', 'give one of form, json, bearer, basic, header, cookie, browser');
  if (login.checkUrl !== '') checkUrl('login.checkUrl', login.checkUrl, domain);
  const { kind } = login;
  if (kind.case === 'form' || kind.case === 'browser' || kind.case === 'json')
    checkUrl(`login.${kind.case}.url`, kind.value.url, domain);
  if (login.totp) checkTotp(login.totp, kind.case);
  return kind.case;
}

const passwordKinds: readonly LoginKind[] = ['form', 'json', 'browser'];
/** RFC 4648 §6, without regard to case, and with the spaces in which sites group it. */
const base32 = /^[A-Z2-7]+={0,6}$/;
/** 80 bits, which is what older sites give; RFC 4226 §4 asks for 128. */
const minSecretCharacters = 16;
const maxSecretCharacters = 256;

function checkTotp({ secret }: Totp, kind: LoginKind): void {
  if (!passwordKinds.includes(kind))
    throw invalid('INVALID_PARAMETER', 'login.totp', 'a one-time password goes with a form, json or browser login');
  const compact = secret.replace(/[\s-]/g, '').toUpperCase();
  if (!base32.test(compact) || compact.length < minSecretCharacters || compact.length > maxSecretCharacters)
    throw invalid(
      'INVALID_PARAMETER',
      'login.totp.secret',
      'use the base32 text that the site shows: A to Z and 2 to 7',
    );
}

function checkUrl(field: string, text: string, domain: string): void {
  const url = URL.parse(text);
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  const host = url?.hostname.replace(/\.$/, '').replace(/^\[|\]$/g, '') ?? '';
  if (!isWeb || !coveringNames(host).includes(domain))
    throw invalid('INVALID_PARAMETER', field, `use an http or https URL of ${domain}`);
}
