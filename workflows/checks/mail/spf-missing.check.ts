import type { Candidate } from '../../model/candidate.ts';
import { claim } from '../../model/experiment.ts';
import { defineCheck, notRun } from '../contract.ts';
import { controlWithOtherRecord, dnsLocation, recordsOf, severalExperiment } from '../names/dns-records.ts';
import { mailNames, spfRecords } from '../names/mail-domain.ts';

type SpfDomain = { name: string; hasText: boolean; isSeveral: boolean };

const recordPattern = '(?im)^v=spf1(?: |$)';
const severalPattern = '(?ims)^v=spf1(?: |$).*^v=spf1(?: |$)';

/** A mail domain publishes no SPF record, so receivers cannot verify who may send in its name. Source: RFC 7208 §3, §4.5. */
export const spfMissing = defineCheck<SpfDomain>({
  id: 'mail.spf-missing',
  title: 'Missing SPF record',
  cwe: 290,
  owasp: 'A07:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:N/I:L/A:N',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    const names = await mailNames(context);
    if ('notApplicable' in names) return names;
    const candidates: Candidate<SpfDomain>[] = [];
    for (const name of names) {
      const reply = await context.dns.query(name, 'TXT');
      if (reply.rcode === 'NXDOMAIN') continue;
      if (reply.rcode !== 'NOERROR')
        return notRun('unreachable', `The domain's name servers answered ${reply.rcode} for ${name}.`);
      const { length } = spfRecords(reply);
      if (length === 1) continue;
      candidates.push({
        location: dnsLocation(name, 'TXT'),
        route: name,
        detail:
          length === 0
            ? `${name} has ${recordsOf(reply, 'TXT').length} text records, none of them for SPF.`
            : `${name} has ${length} SPF records, of which receivers take none.`,
        data: { name, hasText: reply.answers.length > 0, isSeveral: length > 1 },
      });
    }
    return candidates;
  },

  async confirm({ dns }, { data }) {
    if (!data) return undefined;
    const { name, hasText, isSeveral } = data;
    if (isSeveral) return severalExperiment(name, name, severalPattern);
    const control = await controlWithOtherRecord(dns, name);
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
      control,
    };
  },

  explain: {
    description:
      'The domain publishes no SPF record (a text record that begins with "v=spf1"), or several, for which receivers have to give up (RFC 7208 §4.5). Receiving servers therefore cannot verify whether a server that sends in its name may do so.',
    impact:
      'Anybody can send mail with an address of the domain as its envelope sender, and receivers have one reason less to refuse it. That is how invoices and password mails are forged; it also costs the deliverability of honest mail.',
    sends: 'Nothing to the site: asks DNS for TXT records of the mail domains.',
    proves:
      'The domain has no SPF record, or several, of which receivers take none; the resolver finds other records of it. Shows a configuration; no mail was sent.',
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
