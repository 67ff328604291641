import type { Exchange } from '../../model/http.ts';

/** Where an answer leads to. */
export function targetOf(answer: Exchange): string | undefined {
  const location = answer.header('location');
  if (answer.status < 300 || answer.status >= 400 || location === undefined) return undefined;
  const target = URL.parse(location, answer.request.url);
  if (!target) return undefined;
  target.hash = '';
  return target.href;
}

/** What servers of logins hand over in the address to which they lead: a code, a token, a ticket. Source: RFC 6749 §4, OIDC Core, SAML, CAS. */
export const handedNames = 'code|(?:access|id|auth|oauth|session)_?token|token|jwt|ticket|samlresponse|assertion';
const handedName = new RegExp(`^(?:${handedNames})$`, 'i');
export const minHandedLength = 8;

/** A parameter that lets its holder in. */
export type HandedOver = { name: string; value: string };

/** @param request address of the request, which does not have the value itself */
export const isHandedOver = ({ name, value }: HandedOver, request: string): boolean =>
  handedName.test(name) && value.length >= minHandedLength && !request.includes(value);

/** What the place to go has of it. */
export function handedOverIn(location: string, request: string): HandedOver | undefined {
  const target = URL.parse(location, request);
  if (!target) return undefined;
  const given = [...target.searchParams, ...new URLSearchParams(target.hash.slice(1))];
  return given.map(([name, value]) => ({ name, value })).find((each) => isHandedOver(each, request));
}
