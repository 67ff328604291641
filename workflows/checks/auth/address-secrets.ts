import type { Exchange } from '../../model/http.ts';
import { refreshOf } from '../../model/refresh.ts';
import { attributeOf, isElement, nodesOf } from '../../probe/html/tree.ts';
import { isHtml } from '../../probe/http/document-type.ts';
import { isUnguessable } from '../sessions/session-cookie.ts';

/** Something in an address that lets somebody in. */
export type AddressSecret =
  /** A name and password before the host. */
  | { kind: 'userinfo'; address: string; host: string }
  /** A token or session that the visitor was just given, in a parameter of this name. */
  | { kind: 'token'; parameter: string; separator: '?' | ';' };

/** Where the addresses of an answer stand. */
export type AddressPlace = 'location' | 'body';

const addressAttributes = new Set(['href', 'src', 'action', 'formaction', 'data', 'content', 'poster']);
/** What examples and templates have in the place of a password. */
const placeholder =
  /^(?:pass(?:word|wd)?|pwd|secret|token|user(?:name)?|pw|x+|\*+|\.+|your.*|my.*|example.*|changeme|xxx.*|\d{1,4})$|[<>{}$%[\]*…]|%7b|%3c/i;
const examples = /(?:^|\.)(?:example(?:\.(?:com|org|net))?|test|invalid|localhost)$/i;

/** Addresses that an answer sends its visitor to, or has in its markup. */
export function addressesIn(exchange: Exchange, place: AddressPlace): string[] {
  if (place === 'location') return exchange.headerValues('location');
  if (!isHtml(exchange)) return [];
  return [...nodesOf(exchange.text)].filter(isElement).flatMap((element) => {
    // Only one kind of meta element holds an address.
    const isAddress = (name: string) => addressAttributes.has(name) && (name !== 'content' || isRefresh(element));
    return element.attrs
      .filter(({ name }) => isAddress(name))
      .flatMap(({ name, value }) => (name === 'content' ? (refreshOf(value)?.address ?? []) : value));
  });
}

const isRefresh = (element: Parameters<typeof attributeOf>[0]): boolean =>
  attributeOf(element, 'http-equiv')?.trim().toLowerCase() === 'refresh';

/** A name with a password in an address of the web, of a database or of a file server. */
export function userinfoIn(address: string, base: string): AddressSecret | undefined {
  const url = URL.parse(address.trim(), base);
  if (!url || !/^(?:https?|ftps?|sftp|wss?):$/.test(url.protocol)) return undefined;
  const isOurs = url.password !== '' && url.password === URL.parse(base)?.password;
  if (isOurs || url.password.length < 3 || placeholder.test(url.password) || examples.test(url.hostname))
    return undefined;
  return { kind: 'userinfo', address: address.trim(), host: url.hostname };
}

/**
 * Names of parameters that carry a session or what opens an account. "token", "code" and "state" are not among them: they stand for
 * much else.
 */
const tokenNames =
  /^(?:access_?token|id_?token|refresh_?token|auth_?token|session_?token|session_?id|jsessionid|phpsessid|aspsessionid\w*|asp\.net_sessionid|cfid|cftoken|sid|jwt|bearer|passw(?:or)?d)$/i;

/** Parameters of the query, the fragment and of the path whose values nobody can guess. */
export function tokensIn(address: string, base: string): (AddressSecret & { value: string })[] {
  const url = URL.parse(address.trim(), base);
  if (!url || !/^https?:$/.test(url.protocol)) return [];
  const found = (name: string, value: string, separator: '?' | ';') =>
    tokenNames.test(name) && isUnguessable(value)
      ? [{ kind: 'token' as const, parameter: name, separator, value }]
      : [];
  const inPath = [...url.pathname.matchAll(/;([\w.]{2,30})=([^;/?#]{8,})/g)];
  return [
    ...[...url.searchParams].flatMap(([name, value]) => found(name, value, '?')),
    ...inPath.flatMap(([, name = '', value = '']) => found(name, value, ';')),
  ];
}
