import { createPublicKey, type KeyObject } from 'node:crypto';
import type { DnsReply } from '../model/dns.ts';
import { tagList } from './tag-list.ts';

/**
 * Bits of the RSA key that a reply publishes for signatures of mail (DKIM).
 * @returns undefined when there is no such key, or several records, of which it is not defined which one counts
 * Source: RFC 6376 §3.6.1, §3.6.2.2
 */
export function dkimKeyBits({ answers }: DnsReply): number | undefined {
  const keys = answers.flatMap(({ type, data }) => (type === 'TXT' ? (keyIn(data) ?? []) : []));
  const [key] = keys;
  if (keys.length !== 1 || key?.asymmetricKeyType !== 'rsa') return undefined;
  return key.asymmetricKeyDetails?.modulusLength;
}

/** The key of a record like "v=DKIM1; k=rsa; p=MIGf…". An empty "p" says that the key was revoked. */
function keyIn(record: string): KeyObject | undefined {
  const tags = tagList(record);
  if (![undefined, 'DKIM1'].includes(tags.get('v')) || ![undefined, 'rsa'].includes(tags.get('k'))) return undefined;
  const der = Buffer.from((tags.get('p') ?? '').replace(/\s/g, ''), 'base64');
  return readKey(der, 'spki') ?? readKey(der, 'pkcs1');
}

/** The standard names the one form, and everybody publishes the other. Source: RFC 6376 erratum 3017. */
function readKey(key: Buffer, type: 'spki' | 'pkcs1'): KeyObject | undefined {
  try {
    return createPublicKey({ key, format: 'der', type });
  } catch {
    return undefined;
  }
}
