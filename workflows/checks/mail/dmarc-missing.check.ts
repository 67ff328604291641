import { claim } from '../../model/experiment.ts';
import { defineCheck, notRun } from '../contract.ts';
import { controlWithOtherRecord, dnsLocation, isAnswered, severalExperiment } from '../names/dns-records.ts';
import { dmarcRecords } from '../names/mail-domain.ts';
import { ownZoneNameOf } from '../names/own-zone.ts';

type DmarcDomain = { domain: string; name: string; hasText: boolean; isSeveral: boolean };

const recordPattern = '(?im)^v\\s*=\\s*DMARC1\\s*(?:;|$)';
const severalPattern = '(?ims)^v\\s*=\\s*DMARC1\\s*(?:;|$).*^v\\s*=\\s*DMARC1\\s*(?:;|$)';

/** A domain says nothing of what receivers should do with forged mail. Source: RFC 7489 §6.1, §6.6.3. */
export const dmarcMissing = defineCheck<DmarcDomain>({
  id: 'mail.dmarc-missing',
  title: 'Missing DMARC record',
  cwe: 290,
  owasp: 'A07:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:N/I:L/A:N',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    const own = await ownZoneNameOf(context);
    if ('notApplicable' in own) return own;
    const { domain } = own;
    const name = `_dmarc.${domain}`;
    const reply = await context.dns.query(name, 'TXT');
    if (!isAnswered(reply)) return notRun('unreachable', `The name servers answered ${reply.rcode} for ${name}.`);
    const records = dmarcRecords(reply);
    if (records.length === 1) return [];
    return [
      {
        location: dnsLocation(name, 'TXT'),
        route: name,
        detail:
          records.length === 0
            ? `${name} has no DMARC record.`
            : `${name} has ${records.length} DMARC records, of which receivers take none.`,
        data: { domain, name, hasText: reply.answers.length > 0, isSeveral: records.length > 1 },
      },
    ];
  },

  async confirm({ dns }, { data }) {
    if (data?.isSeveral) return severalExperiment(data.name, data.domain, severalPattern);
    const control = data && (await controlWithOtherRecord(dns, data.domain));
    if (!control) return undefined;
    const { name, hasText } = data;
    return {
      steps: [
        {
          dns: { name, type: 'TXT' },
          note: `There is no DMARC record at ${name}, where receivers look for it.`,
          expect: [
            claim('dns:rcode', 'one-of', 'NOERROR|NXDOMAIN'),
            hasText ? claim('dns:answers', 'not-matches', recordPattern) : claim('dns:answers', 'absent'),
          ],
        },
      ],
      control,
    };
  },

  explain: {
    description:
      'The domain has no DMARC record (a text record at _dmarc that begins with "v=DMARC1"), or several, which receivers treat as none. SPF and DKIM alone say nothing of the address in the From line that people see; DMARC ties them to it and says what to do with mail that fails.',
    impact:
      'Anybody can send mail that shows an address of the domain as its sender, with SPF passing for a domain of their own. That is how invoices, orders to pay and password mails are forged. Large mailbox providers also refuse bulk mail from domains without DMARC, and the owner never hears of forgeries.',
    sends: 'Nothing to the site: asks DNS for the TXT record at `_dmarc` of the domain.',
    proves:
      'There is no DMARC record, or several, of which receivers take none; the resolver finds other records of the domain. Shows a configuration; no mail was sent.',
    remedy:
      'Begin with reports alone: `_dmarc.example.com. TXT "v=DMARC1; p=none; rua=mailto:dmarc@example.com"`. When the reports show that all honest mail passes SPF or DKIM for the domain, change to `p=quarantine` and then `p=reject`. A domain that sends no mail can begin with `v=DMARC1; p=reject`, with `v=spf1 -all` beside it.',
    references: [
      'RFC 7489: https://www.rfc-editor.org/rfc/rfc7489',
      'CWE-290: https://cwe.mitre.org/data/definitions/290.html',
      'M3AAWG Email Authentication Recommended Best Practices: https://www.m3aawg.org/published-documents',
    ],
  },
});
