import type { Candidate } from '../../model/candidate.ts';
import { type Assertion, claim } from '../../model/experiment.ts';
import { defineCheck, notApplicable, notRun } from '../contract.ts';
import { dnsLocation, isAnswered } from '../names/dns-records.ts';
import { dmarcRecords, dmarcTag, mailNames } from '../names/mail-domain.ts';

/** What lets it through: the policy itself, one that cannot be read or is applied to nothing, or that for names below the domain. */
type DmarcPolicy = { name: string; kind: 'none' | 'unreadable' | 'subdomains' | 'not-applied' };

/** A policy tag with one of these words, in the one record that counts. */
const policyPattern = (words: string, tag = 'p'): string =>
  `(?im)^v\\s*=\\s*DMARC1\\s*;(?:[^;\\n]*;)*?\\s*${tag}\\s*=\\s*(?:${words})\\s*(?:;|$)`;
const recordPattern = '(?im)^v\\s*=\\s*DMARC1\\s*(?:;|$)';

/** A domain's DMARC policy asks receivers to do nothing with forged mail. Source: RFC 7489 §6.3. */
export const dmarcNone = defineCheck<DmarcPolicy>({
  id: 'mail.dmarc-none',
  title: 'DMARC policy not enforced',
  cwe: 290,
  owasp: 'A07:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:N/I:L/A:N',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    const domains = await mailNames(context);
    if ('notApplicable' in domains) return domains;
    const candidates: Candidate<DmarcPolicy>[] = [];
    let published = 0;
    for (const domain of domains) {
      const name = `_dmarc.${domain}`;
      const reply = await context.dns.query(name, 'TXT');
      if (!isAnswered(reply)) return notRun('unreachable', `The name servers answered ${reply.rcode} for ${name}.`);
      const records = dmarcRecords(reply);
      published += records.length;
      const [record] = records;
      // Receivers ignore several (RFC 7489 §6.6.3), so none of them is the policy.
      const kind = record !== undefined && records.length === 1 ? weaknessOf(record, domain === domains[0]) : undefined;
      if (kind)
        candidates.push({
          location: dnsLocation(name, 'TXT'),
          route: name,
          detail: `${name}: ${notes[kind]}`,
          data: { name, kind },
        });
    }
    return published === 0 ? notApplicable(`_dmarc.${domains[0]} has no DMARC record.`) : candidates;
  },

  confirm: (_context, { data }) => {
    if (!data) return undefined;
    const { name, kind } = data;
    return {
      steps: [{ dns: { name, type: 'TXT' }, note: notes[kind], expect: claims[kind] }],
      control: [
        {
          dns: { name, type: 'TXT' },
          note: 'It is not one that has forged mail put aside or refused.',
          expect: [
            kind === 'not-applied'
              ? claim('dns:answers', 'not-matches', untried)
              : claim('dns:answers', 'matches', policyPattern('quarantine|reject', kind === 'subdomains' ? 'sp' : 'p')),
          ],
        },
      ],
    };
  },

  explain: {
    description:
      'The domain has a DMARC record with the policy "none" (or none that can be read, which is taken as that; or "quarantine" for 0 % of the mail; or "none" for the names below the domain, which is what "sp=" says): receivers send reports, but deliver mail that fails as if there were no DMARC. It is meant as a first step, until all honest mail is known to pass.',
    impact:
      'Anybody can still send mail that shows an address of the domain as its sender, and it reaches the inbox unless another filter stops it. That is how invoices, orders to pay and password mails are forged.',
    sends: 'Nothing to the site: asks DNS for the TXT record at `_dmarc` of the mail domains.',
    proves:
      'The policy, or that for subdomains, is `none`, unreadable, or applied to no mail, and it is not one that puts mail aside or refuses it. Shows a configuration; no mail was sent.',
    remedy:
      'Read the reports (`rua=`) for some weeks and set up SPF or DKIM for each service that sends in the name of the domain. Then have forged mail put aside, `v=DMARC1; p=quarantine; rua=mailto:dmarc@example.com`, and in the end refused with `p=reject`. Subdomains follow unless `sp=` says otherwise.',
    references: [
      'RFC 7489 §6.3: https://www.rfc-editor.org/rfc/rfc7489#section-6.3',
      'CWE-290: https://cwe.mitre.org/data/definitions/290.html',
      'M3AAWG Email Authentication Recommended Best Practices: https://www.m3aawg.org/published-documents',
    ],
  },
});

const notes = {
  none: 'The policy for mail that fails is to do nothing.',
  unreadable: 'The record has no policy that can be read, so receivers do nothing.',
  subdomains: 'The policy for mail in the name of any subdomain is to do nothing.',
  'not-applied':
    'The policy to put forged mail aside is applied to none of it: it is being tried (t=y), or meant for 0 % (pct=0).',
} as const;

/** `t=y` takes the place of `pct=0`. */
const untried = `(?:${policyPattern('0+', 'pct')}|${policyPattern('y', 't')})`;

const claims: Record<DmarcPolicy['kind'], Assertion[]> = {
  none: [claim('dns:answers', 'matches', policyPattern('none'))],
  unreadable: [
    claim('dns:answers', 'matches', recordPattern),
    claim('dns:answers', 'not-matches', policyPattern('none|quarantine|reject')),
  ],
  subdomains: [claim('dns:answers', 'matches', policyPattern('none', 'sp'))],
  'not-applied': [
    claim('dns:answers', 'matches', policyPattern('quarantine')),
    claim('dns:answers', 'matches', untried),
  ],
};

/**
 * A policy that is missing or misspelt counts as "none" (RFC 7489 §6.6.3), and one that is tried or meant for 0 % as the
 * next milder one: "quarantine" as "none" (RFC 7489 §6.6.4, draft-ietf-dmarc-dmarcbis §4.7). That for subdomains is read at the registered
 * domain alone, and names that do not exist may have another one ("np", RFC 9091).
 */
function weaknessOf(record: string, isRegistered: boolean): DmarcPolicy['kind'] | undefined {
  const policy = dmarcTag(record, 'p');
  if (policy === 'none') return 'none';
  if (policy !== 'quarantine' && policy !== 'reject') return 'unreadable';
  if (policy === 'quarantine' && (/^0+$/.test(dmarcTag(record, 'pct') ?? '') || dmarcTag(record, 't') === 'y'))
    return 'not-applied';
  const isOpenBelow = dmarcTag(record, 'sp') === 'none' && ['none', undefined].includes(dmarcTag(record, 'np'));
  return isRegistered && isOpenBelow ? 'subdomains' : undefined;
}
