import { isIP } from 'node:net';
import { parse } from 'tldts';
import type { DnsReply } from '../../../probe/types.ts';
import { claim } from '../../../proof/experiment.ts';
import { type Candidate, type CheckContext, defineCheck, notApplicable, notRun } from '../../contract.ts';

type Domain = { name: string; hasText: boolean };

/** RFC 7208 §4.5: the version is a whole word, and case does not matter. */
const record = /^v=spf1(?: |$)/i;
const recordPattern = '(?im)^v=spf1(?: |$)';

/** Names without mail of their own. Source: RFC 6761, RFC 6762, RFC 7686, RFC 8375, RFC 9476, ICANN (.internal). */
const specialUse = /(?:^|\.)(?:localhost|local|test|invalid|example|onion|alt|internal|home\.arpa)$/;

/** Kinds of records that show that the resolver does answer for a domain, the likeliest first. */
const otherTypes = ['SOA', 'NS', 'MX', 'A', 'AAAA'];

/** A mail domain publishes no SPF record, so nobody can tell who may send in its name. Source: RFC 7208 §3, §4.5. */
export const spfMissing = defineCheck<Domain>({
  id: 'mail.spf-missing',
  title: 'No SPF record says who may send mail for the domain',
  cwe: 290,
  owasp: 'A07:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:N/I:L/A:N',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    const host = context.surface.host.replace(/\.$/, '').toLowerCase();
    if (isIP(host.replace(/^\[|\]$/g, ''))) return notApplicable('The host is an IP address, not a mail domain.');
    if (specialUse.test(host)) return notApplicable('Names of this kind are not on the public internet (RFC 6761).');
    const { domain } = parse(host, { allowPrivateDomains: true });
    if (!domain) return notApplicable('The host is a public suffix: nobody sends mail in its name.');
    const names = [domain, ...(host !== domain && (await receivesMail(context, host)) ? [host] : [])];
    const candidates: Candidate<Domain>[] = [];
    for (const name of names) {
      const reply = await context.dns.query(name, 'TXT');
      if (reply.rcode === 'NXDOMAIN') continue;
      if (reply.rcode !== 'NOERROR') return notRun(`The domain's name servers answered ${reply.rcode} for ${name}.`);
      if (!texts(reply).some((text) => record.test(text))) candidates.push(candidateFor(name, reply));
    }
    return candidates;
  },

  async confirm({ dns }, { data }) {
    if (!data) return undefined;
    const { name, hasText } = data;
    const control = await firstAnswered(dns, name);
    if (control === undefined) return undefined;
    return {
      steps: [
        {
          dns: { name, type: 'TXT' },
          note: `None of the text records of ${name} is an SPF record.`,
          expect: [
            claim('dns:rcode', 'equals', 'NOERROR'),
            hasText ? claim('dns:answers', 'not-matches', recordPattern) : claim('dns:answers', 'absent'),
          ],
        },
      ],
      control: [
        {
          dns: { name, type: control },
          note: `The resolver does give what the domain has: its ${control} records.`,
          expect: [claim('dns:answers', 'absent')],
        },
      ],
    };
  },

  explain: {
    description:
      'The domain publishes no SPF record (a text record that begins with "v=spf1"). Receiving servers therefore cannot tell whether a server that sends in its name may do so.',
    impact:
      'Anybody can send mail with an address of the domain as its envelope sender, and receivers have one reason less to refuse it. That is how invoices and password mails are forged; it also costs the deliverability of honest mail.',
    remedy:
      'Publish exactly one text record at the domain that names those who send for it and refuses all others, for instance `example.com. TXT "v=spf1 include:_spf.mailprovider.example -all"`. A domain that sends no mail: `v=spf1 -all`. Follow with DKIM and a DMARC policy, which ties them to the address that people see.',
    references: [
      'RFC 7208: https://www.rfc-editor.org/rfc/rfc7208',
      'RFC 7489 (DMARC): https://www.rfc-editor.org/rfc/rfc7489',
      'CWE-290: https://cwe.mitre.org/data/definitions/290.html',
      'M3AAWG Best Practices for Managing SPF Records: https://www.m3aawg.org/Managing-SPF-Records',
    ],
  },
});

const texts = (reply: DnsReply): string[] =>
  reply.answers.filter(({ type }) => type === 'TXT').map(({ data }) => data.trim());

function candidateFor(name: string, reply: DnsReply): Candidate<Domain> {
  return {
    // RFC 4501: the URI form of a DNS question.
    location: { url: `dns:${name}?type=TXT`, method: 'DNS' },
    route: name,
    detail: `${name} has ${texts(reply).length} text records, none of them for SPF.`,
    data: { name, hasText: reply.answers.length > 0 },
  };
}

/** RFC 7505: a single MX record with "." says that the domain takes no mail. */
async function receivesMail({ dns }: CheckContext, host: string): Promise<boolean> {
  const { answers } = await dns.query(host, 'MX');
  return answers.some(({ type, data }) => type === 'MX' && !/^\d+ \.?$/.test(data.trim()));
}

async function firstAnswered(dns: CheckContext['dns'], name: string): Promise<string | undefined> {
  for (const type of otherTypes) {
    const { answers } = await dns.query(name, type);
    if (answers.length > 0) return type;
  }
  return undefined;
}
