import { claim } from '../../../proof/experiment.ts';
import { defineCheck, notApplicable, notRun } from '../../contract.ts';
import { dnsLocation, isAnswered } from '../../support/dns-records.ts';
import { dmarcRecords, dmarcTag } from '../../support/mail-domain.ts';
import { ownZoneNameOf } from '../../support/own-zone.ts';

type Policy = { name: string };

/** The policy tag with one of these words, in the one record that counts. */
const policyPattern = (words: string): string =>
  `(?im)^v\\s*=\\s*DMARC1\\s*;(?:[^;\\n]*;)*?\\s*p\\s*=\\s*(?:${words})\\s*(?:;|$)`;

/** A domain's DMARC policy asks receivers to do nothing with forged mail. Source: RFC 7489 §6.3. */
export const dmarcNone = defineCheck<Policy>({
  id: 'mail.dmarc-none',
  title: 'The DMARC policy lets forged mail through',
  cwe: 290,
  owasp: 'A07:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:N/I:L/A:N',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    const own = await ownZoneNameOf(context);
    if ('notApplicable' in own) return own;
    const name = `_dmarc.${own.domain}`;
    const reply = await context.dns.query(name, 'TXT');
    if (!isAnswered(reply)) return notRun(`The name servers answered ${reply.rcode} for ${name}.`);
    const records = dmarcRecords(reply);
    const [record] = records;
    if (record === undefined) return notApplicable(`${name} has no DMARC record.`);
    // Receivers ignore several (RFC 7489 §6.6.3), so none of them is the policy.
    if (records.length > 1 || dmarcTag(record, 'p') !== 'none') return [];
    return [{ location: dnsLocation(name, 'TXT'), route: name, data: { name } }];
  },

  confirm: (_context, { data }) => {
    if (!data) return undefined;
    const { name } = data;
    return {
      steps: [
        {
          dns: { name, type: 'TXT' },
          note: 'The policy for mail that fails is to do nothing.',
          expect: [claim('dns:answers', 'matches', policyPattern('none'))],
        },
      ],
      control: [
        {
          dns: { name, type: 'TXT' },
          note: 'It is not one that has forged mail put aside or refused.',
          expect: [claim('dns:answers', 'matches', policyPattern('quarantine|reject'))],
        },
      ],
    };
  },

  explain: {
    description:
      'The domain has a DMARC record with the policy "none": receivers send reports, but deliver mail that fails as if there were no DMARC. It is meant as a first step, until all honest mail is known to pass.',
    impact:
      'Anybody can still send mail that shows an address of the domain as its sender, and it reaches the inbox unless another filter stops it. That is how invoices, orders to pay and password mails are forged.',
    remedy:
      'Read the reports (`rua=`) for some weeks and set up SPF or DKIM for each service that sends in the name of the domain. Then have forged mail put aside, `v=DMARC1; p=quarantine; rua=mailto:dmarc@example.com`, and in the end refused with `p=reject`. Subdomains follow unless `sp=` says otherwise.',
    references: [
      'RFC 7489 §6.3: https://www.rfc-editor.org/rfc/rfc7489#section-6.3',
      'CWE-290: https://cwe.mitre.org/data/definitions/290.html',
      'M3AAWG Email Authentication Recommended Best Practices: https://www.m3aawg.org/published-documents',
    ],
  },
});
