import type { Candidate } from '../../model/candidate.ts';
import type { DnsProbe } from '../../model/dns.ts';
import { type Assertion, claim, type Experiment } from '../../model/experiment.ts';
import { tagList } from '../../proof/tag-list.ts';
import { defineCheck, notApplicable, notRun } from '../contract.ts';
import { controlWithOtherRecord, dnsLocation, isAnswered, recordsOf } from '../names/dns-records.ts';
import { mailNames } from '../names/mail-domain.ts';

/** `hasAnswers`: what the questions for addresses of the policy's host brought though there is no address: aliases. */
type BrokenMtaSts =
  | { domain: string; kind: 'several' | 'without-id' }
  | { domain: string; kind: 'no-host'; hasAnswers: boolean[] };

const hostTypes = ['A', 'AAAA'] as const;

/** Senders that protect mail by MTA-STS find no policy where the domain announces one. Source: RFC 8461 §3.1, §3.3. */
export const mtaStsBroken = defineCheck<BrokenMtaSts>({
  id: 'mail.mta-sts-broken',
  title: 'Broken MTA-STS policy',
  cwe: 757,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:N/A:N',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    const names = await mailNames(context);
    if ('notApplicable' in names) return names;
    const candidates: Candidate<BrokenMtaSts>[] = [];
    let announced = 0;
    for (const domain of names) {
      const reply = await context.dns.query(`_mta-sts.${domain}`, 'TXT');
      if (!isAnswered(reply))
        return notRun('unreachable', `The name servers answered ${reply.rcode} for _mta-sts.${domain}.`);
      const records = recordsOf(reply, 'TXT').filter((text) => /^v=STSv1\s*;/.test(text));
      if (records.length === 0) continue;
      announced += 1;
      const broken = await brokenBy(context.dns, domain, records);
      if (broken === 'unanswered')
        return notRun('unreachable', `The name servers do not say whether mta-sts.${domain} has an address.`);
      if (broken) candidates.push(asCandidate(broken));
    }
    return announced === 0 ? notApplicable(`${names.join(' and ')} announces no such policy.`) : candidates;
  },

  confirm: ({ dns }, { data }) => data && experimentFor(dns, data),

  explain: {
    description:
      'The domain announces in the DNS that its mail has to be delivered over verified TLS, but senders come to no policy: the announcement is not one that they may use, or the host that has to show the policy has no address. They then deliver as if there were none.',
    impact:
      'Mail servers encrypt when they can, and send in clear text when somebody on the way takes the offer of encryption out of the connection, or leads them to another server. MTA-STS is there to prevent that. Here it does not, while the owner believes that it does.',
    sends:
      'Nothing to the site: asks DNS for the TXT record at `_mta-sts` and the address of the host `mta-sts`. The policy file is not requested.',
    proves:
      'The domain announces a policy by several records, by one without id, or on a host without an address; the resolver finds other records, or a random name has none. Shows a configuration; no mail was intercepted.',
    remedy:
      'Three parts have to be there. One record: `_mta-sts.example.com. TXT "v=STSv1; id=20260101"` with a new id (letters and digits) after each change. A host: `mta-sts.example.com` with an address and a certificate that clients trust. There the policy, at `https://mta-sts.example.com/.well-known/mta-sts.txt`: `version: STSv1`, `mode: testing` at first and `enforce` later, `mx: mx1.example.com` for each mail server, `max_age: 604800`. Have failures reported to you by TLS-RPT.',
    references: [
      'RFC 8461 §3.1: https://www.rfc-editor.org/rfc/rfc8461#section-3.1',
      'RFC 8461 §3.3: https://www.rfc-editor.org/rfc/rfc8461#section-3.3',
      'CWE-757: https://cwe.mitre.org/data/definitions/757.html',
    ],
  },
});

async function brokenBy(
  dns: DnsProbe,
  domain: string,
  records: string[],
): Promise<BrokenMtaSts | 'unanswered' | undefined> {
  if (records.length > 1) return { domain, kind: 'several' };
  if (!/^[A-Za-z0-9]{1,32}$/.test(tagList(records[0] ?? '').get('id') ?? '')) return { domain, kind: 'without-id' };
  const hasAnswers: boolean[] = [];
  for (const type of hostTypes) {
    const reply = await dns.query(`mta-sts.${domain}`, type);
    if (!isAnswered(reply)) return 'unanswered';
    if (recordsOf(reply, type).length > 0) return undefined;
    hasAnswers.push(reply.answers.length > 0);
  }
  return { domain, kind: 'no-host', hasAnswers };
}

const details = {
  several: 'has several such records, of which senders take none',
  'without-id': 'has a record without the "id" that it needs: up to 32 letters and digits',
  'no-host': 'announces a policy, but the host that has to show it has no address',
} as const;

const asCandidate = (data: BrokenMtaSts): Candidate<BrokenMtaSts> => ({
  location: dnsLocation(`_mta-sts.${data.domain}`, 'TXT'),
  route: data.domain,
  detail: `${data.domain} ${details[data.kind]}.`,
  data,
});

const announcement = '(?m)^v=STSv1\\s*;';
const recordClaims: Record<BrokenMtaSts['kind'], Assertion[]> = {
  several: [claim('dns:answers', 'matches', '(?ms)^v=STSv1\\s*;.*^v=STSv1\\s*;')],
  'without-id': [
    claim('dns:answers', 'matches', announcement),
    claim('dns:answers', 'not-matches', '(?m)^v=STSv1\\s*;(?:.*;)?\\s*id\\s*=\\s*[A-Za-z0-9]{1,32}\\s*(?:;|$)'),
  ],
  'no-host': [claim('dns:answers', 'matches', announcement)],
};

async function experimentFor(dns: DnsProbe, data: BrokenMtaSts): Promise<Experiment | undefined> {
  const { domain, kind } = data;
  const expect = recordClaims[kind];
  const record = { dns: { name: `_mta-sts.${domain}`, type: 'TXT' }, note: `${domain} ${details[kind]}.`, expect };
  if (kind !== 'no-host') {
    const other = { name: `_‹nonce›.${domain}`, type: 'TXT' };
    return {
      steps: [record],
      control: [{ dns: other, note: 'No other name of the domain has such a record.', expect }],
    };
  }
  const control = await controlWithOtherRecord(dns, domain);
  const addresses = hostTypes.map((type, index) => ({
    dns: { name: `mta-sts.${domain}`, type },
    note: `The host of the policy has no ${type} record.`,
    expect: [
      claim('dns:rcode', 'one-of', 'NOERROR|NXDOMAIN'),
      data.hasAnswers[index]
        ? claim('dns:records', 'not-matches', `(?m)^[^ \\n]+ ${type} `)
        : claim('dns:answers', 'absent'),
    ],
  }));
  return control && { steps: [record, ...addresses], control };
}
