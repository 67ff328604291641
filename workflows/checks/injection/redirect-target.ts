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
const handedOver = /^(?:code|(?:access|id|auth|oauth|session)_?token|token|jwt|ticket|samlresponse|assertion)$/i;
const minLength = 8;

/** The name of a parameter in the place to go that lets its holder in, which the request itself did not have. */
export function handedOverIn(location: string, request: string): string | undefined {
  const target = URL.parse(location, request);
  if (!target) return undefined;
  const given = [...target.searchParams, ...new URLSearchParams(target.hash.slice(1))];
  return given.find(
    ([name, value]) => handedOver.test(name) && value.length >= minLength && !request.includes(value),
  )?.[0];
}
