import { claim } from '../../model/experiment.ts';
import { defineCheck, notRun } from '../contract.ts';
import { controlWithOtherRecord, dnsLocation, isAnswered, recordsOf } from '../names/dns-records.ts';
import { ownZoneNameOf } from '../names/own-zone.ts';

type CaaNames = {
  domain: string;
  /** The host and the names above it up to the first with records, or to the top-level domain; an alias answers for some. */
  names: { name: string; hasAnswers: boolean; hasRecords: boolean }[];
};

/** Flags, tag and value, as the instrument writes such a record. */
const recordPattern = '(?m)^\\d+ [A-Za-z0-9]+ "';
/** One that says who may issue for the name itself. Source: RFC 8659 §4.2. */
const issuePattern = '(?im)^\\d+ issue "';
/** Properties that public authorities know. Source: RFC 8659 §4, RFC 9495, CA/Browser Forum Baseline Requirements, IANA. */
const knownTags = ['issue', 'issuewild', 'issuemail', 'issuevmc', 'iodef', 'contactemail', 'contactphone'];

/** Neither a host nor any name above it says which authorities may issue certificates for it. Source: RFC 8659 §3. */
export const caaMissing = defineCheck<CaaNames>({
  id: 'dns.caa-missing',
  title: 'Missing CAA record',
  cwe: 693,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:N/I:N/A:N',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    const own = await ownZoneNameOf(context);
    if ('notApplicable' in own) return own;
    const names: CaaNames['names'] = [];
    for (const name of upwards(own.host)) {
      const reply = await context.dns.query(name, 'CAA');
      if (!isAnswered(reply)) return notRun('unreachable', `The name servers answered ${reply.rcode} for ${name}.`);
      const records = recordsOf(reply, 'CAA');
      if (records.some(limits)) return [];
      names.push({ name, hasAnswers: reply.answers.length > 0, hasRecords: records.length > 0 });
      // Authorities climb no higher (RFC 8659 §3).
      if (records.length > 0) break;
    }
    const { domain } = own;
    const open = names.find(({ hasRecords }) => hasRecords)?.name;
    const detail =
      open && `The CAA records of ${open} have no "issue", so every authority may issue for the name itself.`;
    return [
      { location: dnsLocation(domain, 'CAA'), route: domain, ...(detail && { detail }), data: { domain, names } },
    ];
  },

  async confirm({ dns }, { data }) {
    const control = data && (await controlWithOtherRecord(dns, data.domain));
    if (!control) return undefined;
    return {
      steps: data.names.map(({ name, hasAnswers, hasRecords }) => ({
        dns: { name, type: 'CAA' },
        note: hasRecords ? `The CAA records of ${name} do not say who may issue.` : `${name} has no CAA record.`,
        expect: [
          claim('dns:rcode', 'one-of', 'NOERROR|NXDOMAIN'),
          hasAnswers
            ? claim('dns:answers', 'not-matches', hasRecords ? issuePattern : recordPattern)
            : claim('dns:answers', 'absent'),
        ],
      })),
      control,
    };
  },

  explain: {
    description:
      'Neither the host nor a name above it has a CAA record that says who may issue certificates (records that only ask for reports, or are only about wildcards, leave it open). Public authorities have to look for one before they issue a certificate; without one each of the hundred or so may, whether the owner has anything to do with them or not. For a name of an internal zone the same goes for internal authorities, as far as they look.',
    impact:
      'Somebody who deceives or breaks into any one authority gets a certificate that browsers trust, and can pose as the site with it. With CAA it has to be one of those that the owner chose. This is a matter of depth: by itself it opens nothing.',
    sends: 'Nothing to the site: asks DNS for CAA records of the host and of each name above it.',
    proves:
      'No name from the host upwards has a CAA record that limits who may issue, while the same resolver finds other records of the domain. Shows a configuration; no certificate was requested.',
    remedy:
      'Publish at the domain who may issue, and whom to notify of attempts: `example.com. CAA 0 issue "letsencrypt.org"` and `example.com. CAA 0 iodef "mailto:security@example.com"`. A line for each authority in use (see the issuers of your certificates, those of a CDN or mail provider included); `0 issuewild ";"` forbids wildcards. Accounts can be pinned, too: `0 issue "letsencrypt.org; accounturi=…"`.',
    references: [
      'RFC 8659: https://www.rfc-editor.org/rfc/rfc8659',
      'RFC 8657 (accounturi): https://www.rfc-editor.org/rfc/rfc8657',
      'CWE-693: https://cwe.mitre.org/data/definitions/693.html',
    ],
  },
});

/** It says who may issue, or nobody may: what is marked as critical (128) and not understood forbids it. Source: RFC 8659 §4.1, §4.2. */
function limits(record: string): boolean {
  const [, flags = '', tag = ''] = /^(\d+) ([A-Za-z0-9]+) "/.exec(record) ?? [];
  return tag.toLowerCase() === 'issue' || (Number(flags) >= 128 && !knownTags.includes(tag.toLowerCase()));
}

/** The name and those above it: a.b.example, b.example, example. */
const upwards = (host: string): string[] => {
  const labels = host.split('.');
  return labels.map((_, index) => labels.slice(index).join('.'));
};
