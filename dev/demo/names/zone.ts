import type { Answer, SoaData } from 'dns-packet';
import { demoHost } from '../identities.ts';
import type { Weaknesses } from '../weaknesses.ts';
import { mailKeys } from './mail-keys.ts';

const ttl = 300;
/** Names below it are this machine's, and nobody else's. Source: RFC 6761 §6.3. */
export const topLevel = 'localhost';
const loopback = '127.0.0.1';

/** The records of the shop, and the little that there is above them; heads of zones included. */
export const records = (weaknesses: Weaknesses): Answer[] => [
  { name: topLevel, type: 'SOA', ttl, data: head(topLevel) },
  { name: topLevel, type: 'NS', ttl, data: `ns1.${demoHost}` },
  { name: topLevel, type: 'A', ttl, data: loopback },
  ...hostRecords(weaknesses),
  ...mailRecords(weaknesses),
];

const head = (zone: string): SoaData => ({
  mname: `ns1.${demoHost}`,
  rname: `hostmaster.${zone}`,
  serial: 2026_01_09,
  refresh: 7_200,
  retry: 900,
  expire: 1_209_600,
  minimum: ttl,
});

function hostRecords({ anyIssuer }: Weaknesses): Answer[] {
  const address = (label: string, data = loopback): Answer => ({ name: `${label}.${demoHost}`, type: 'A', ttl, data });
  const issuers: Answer[] = [{ name: demoHost, type: 'CAA', ttl, data: { tag: 'issue', value: `ca.${demoHost}` } }];
  return [
    { name: demoHost, type: 'SOA', ttl, data: head(demoHost) },
    { name: demoHost, type: 'NS', ttl, data: `ns1.${demoHost}` },
    { name: demoHost, type: 'A', ttl, data: loopback },
    ...(anyIssuer ? [] : issuers),
    address('www'),
    address('ns1'),
    address('mail'),
    // What nobody outside has to know, and finds in a copy of the zone.
    address('stock', '10.20.0.12'),
    address('staging', '10.20.0.31'),
    address('vpn', '10.20.0.2'),
  ];
}

function mailRecords(weaknesses: Weaknesses): Answer[] {
  const text = (name: string, data: string): Answer => ({ name, type: 'TXT', ttl, data: stringsOf(data) });
  const server = (preference: number, exchange: string): Answer => ({
    name: demoHost,
    type: 'MX',
    ttl,
    data: { preference, exchange },
  });
  const { anyoneMaySend, forgedMailDelivered, shortMailKey, mailServerGone } = weaknesses;
  const { mailPolicyWithoutHost, reportsGoNowhere } = weaknesses;
  const postmaster = `postmaster@${demoHost}`;
  return [
    server(10, `mail.${demoHost}`),
    // The company that took mail when our own server was down is gone.
    ...(mailServerGone ? [server(20, `mx.evening-post.${topLevel}`)] : []),
    text(demoHost, `v=spf1 mx ${anyoneMaySend ? '+all' : '-all'}`),
    text(`_dmarc.${demoHost}`, `v=DMARC1; p=${forgedMailDelivered ? 'none' : 'reject'}; rua=mailto:${postmaster}`),
    text(
      `default._domainkey.${demoHost}`,
      `v=DKIM1; h=sha256; k=rsa; s=email; p=${shortMailKey ? mailKeys.short : mailKeys.long}`,
    ),
    text(`_smtp._tls.${demoHost}`, `v=TLSRPTv1; rua=${reportsGoNowhere ? '' : 'mailto:'}${postmaster}`),
    ...(mailPolicyWithoutHost ? [text(`_mta-sts.${demoHost}`, 'v=STSv1; id=20260109')] : []),
  ];
}

/** A text record is made of strings of at most 255 characters. Source: RFC 1035 §3.3. */
const stringsOf = (text: string): string[] => text.match(/.{1,255}/g) ?? [];
