import type { Candidate } from '../../model/candidate.ts';
import { type Assertion, claim } from '../../model/experiment.ts';
import { tagList } from '../../proof/tag-list.ts';
import { defineCheck, notApplicable, notRun } from '../contract.ts';
import { dnsLocation, isAnswered, recordsOf } from '../names/dns-records.ts';
import { mailNames } from '../names/mail-domain.ts';

type BrokenTlsRpt = { name: string; kind: 'several' | 'no-address' };

/** Reports on failed encryption of mail are asked for in a way that senders cannot use. Source: RFC 8460 §3. */
export const tlsRptBroken = defineCheck<BrokenTlsRpt>({
  id: 'mail.tls-rpt-broken',
  title: 'Broken TLS-RPT record',
  cwe: 778,
  owasp: 'A09:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:N/I:N/A:N',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    const names = await mailNames(context);
    if ('notApplicable' in names) return names;
    const candidates: Candidate<BrokenTlsRpt>[] = [];
    let asking = 0;
    for (const domain of names) {
      const name = `_smtp._tls.${domain}`;
      const reply = await context.dns.query(name, 'TXT');
      if (!isAnswered(reply)) return notRun('unreachable', `The name servers answered ${reply.rcode} for ${name}.`);
      const records = recordsOf(reply, 'TXT').filter((text) => /^v=TLSRPTv1\s*;/.test(text));
      const [record] = records;
      if (record === undefined) continue;
      asking += 1;
      if (records.length > 1) candidates.push(asCandidate({ name, kind: 'several' }));
      else if (!hasAddress(record)) candidates.push(asCandidate({ name, kind: 'no-address' }));
    }
    return asking === 0 ? notApplicable(`${names.join(' and ')} asks for no such reports.`) : candidates;
  },

  confirm: (_context, { data }) => {
    if (!data) return undefined;
    const { name, kind } = data;
    const expect = recordClaims[kind];
    return {
      steps: [{ dns: { name, type: 'TXT' }, note: `${name} ${details[kind]}.`, expect }],
      control: [
        {
          dns: { name: name.replace('_smtp', '_‹nonce›'), type: 'TXT' },
          note: 'No other name beside it has such a record.',
          expect,
        },
      ],
    };
  },

  explain: {
    description:
      'The domain asks for reports on failed encryption of mail with a record that senders cannot use: there are several, or the one names no address of the kinds "mailto:" and "https:". Senders then send no report.',
    impact:
      'The owner gets no report when mail servers cannot encrypt, because a certificate has expired, a policy is wrong, or somebody interferes with connections. By itself it opens nothing.',
    sends: 'Nothing to the site: asks DNS for the TXT record at `_smtp._tls` of the mail domains.',
    proves:
      'There are several records, or one without an address for reports; a random name beside it has none. Shows a configuration; no mail was sent.',
    remedy:
      'Publish exactly one record whose address begins with its kind: `_smtp._tls.example.com. TXT "v=TLSRPTv1; rua=mailto:tls-reports@example.com"`. Several addresses stand in one record, with commas between them. The reports are JSON; a service or a small script makes them readable.',
    references: [
      'RFC 8460 §3: https://www.rfc-editor.org/rfc/rfc8460#section-3',
      'CWE-778: https://cwe.mitre.org/data/definitions/778.html',
    ],
  },
});

const hasAddress = (record: string): boolean =>
  (tagList(record).get('rua') ?? '').split(',').some((uri) => /^\s*(?:mailto|https):\S/i.test(uri));

const details = {
  several: 'has several such records, of which senders take none',
  'no-address': 'names no address that reports can go to',
} as const;

const asCandidate = (data: BrokenTlsRpt): Candidate<BrokenTlsRpt> => ({
  location: dnsLocation(data.name, 'TXT'),
  route: data.name,
  detail: `${data.name} ${details[data.kind]}.`,
  data,
});

const recordClaims: Record<BrokenTlsRpt['kind'], Assertion[]> = {
  several: [claim('dns:answers', 'matches', '(?ms)^v=TLSRPTv1\\s*;.*^v=TLSRPTv1\\s*;')],
  'no-address': [
    claim('dns:answers', 'matches', '(?m)^v=TLSRPTv1\\s*;'),
    claim(
      'dns:answers',
      'not-matches',
      '(?im)^v=TLSRPTv1\\s*;(?:.*;)?\\s*rua\\s*=(?:[^;\\n]*,)?\\s*(?:mailto|https):[^\\s;]',
    ),
  ],
};
