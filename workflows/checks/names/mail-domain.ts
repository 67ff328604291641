import type { DnsReply } from '../../model/dns.ts';
import type { CheckContext, NotApplicable } from '../contract.ts';
import { recordsOf } from './dns-records.ts';
import { ownZoneNameOf } from './own-zone.ts';

/** The registered domain, in whose name mail is sent, and the host as well when it takes mail of its own. */
export async function mailNames(context: CheckContext): Promise<string[] | NotApplicable> {
  const name = await ownZoneNameOf(context);
  if ('notApplicable' in name) return name;
  const { host, domain } = name;
  return [domain, ...(host !== domain && (await receivesMail(context, host)) ? [host] : [])];
}

/** RFC 7505: a single MX record with "." says that the domain takes no mail. */
async function receivesMail({ dns }: CheckContext, host: string): Promise<boolean> {
  return recordsOf(await dns.query(host, 'MX'), 'MX').some((data) => !/^\d+ \.?$/.test(data));
}

/** RFC 7208 §4.5: the version is a whole word, and case does not matter. */
export const spfRecords = (reply: DnsReply): string[] =>
  recordsOf(reply, 'TXT').filter((text) => /^v=spf1(?: |$)/i.test(text));

/** RFC 7489 §6.3: the version comes first. Its case matters there; receivers that are not as strict decide here. */
export const dmarcRecords = (reply: DnsReply): string[] =>
  recordsOf(reply, 'TXT').filter((text) => /^v\s*=\s*DMARC1\s*(?:;|$)/i.test(text));

/** A tag of a DMARC record in lower case, for instance "none". Source: RFC 7489 §6.4. */
export const dmarcTag = (record: string, tag: string): string | undefined =>
  record
    .split(';')
    .map((part) => part.split('=', 2).map((word) => word.trim().toLowerCase()))
    .find(([name]) => name === tag)?.[1];
