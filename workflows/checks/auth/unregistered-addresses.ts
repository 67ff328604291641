import { isIP } from 'node:net';
import { getDomain } from 'tldts';
import type { RedirectPayload } from '../addresses/redirect-payloads.ts';

/** @property isOfOwner the host is below the domain of the client: only who takes over such a name has it */
export type UnregisteredAddress = RedirectPayload & { isOfOwner?: true };

/** RFC 6761 §6.4: there is no name below it. */
const foreign = '‹nonce›.invalid';

/**
 * Addresses of other hosts than the registered one, each past another way of comparing the two. The plainest comes first: where that
 * is refused, it is the control of the others. Sources: RFC 9700 §4.1, RFC 6749 §3.1.2.
 */
export function unregisteredAddresses(registered: URL): [UnregisteredAddress, ...UnregisteredAddress[]] {
  const { protocol, hostname, host, port, pathname, search, href } = registered;
  const rest = pathname + search;
  const end = (port === '' ? '' : `:${port}`) + rest;
  const plain = { value: `https://${foreign}${rest}`, host: foreign };
  if (!/^https?:$/.test(protocol) || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return [plain];
  const domain = getDomain(hostname) ?? hostname;
  return [
    plain,
    // begins as the registered one does
    { value: `${protocol}//${host}@${foreign}${rest}`, host: foreign },
    { value: `${protocol}//${hostname}.${foreign}${rest}`, host: `${hostname}.${foreign}` },
    // ends as its domain does
    { value: `${protocol}//‹nonce›${domain}${end}`, host: `‹nonce›${domain}` },
    // has it somewhere
    { value: `https://${foreign}/?${href}`, host: foreign },
    { value: `https://${foreign}/${host}${rest}`, host: foreign },
    // a browser takes the backslash for a slash, other readers do not
    { value: `${protocol}//${foreign}\\@${host}${rest}`, host: foreign },
    ...[...new Set([hostname, domain])].map((own) => ({
      ...{ value: `${protocol}//‹nonce›.${own}${end}`, host: `‹nonce›.${own}` },
      isOfOwner: true as const,
    })),
  ];
}
