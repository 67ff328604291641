import type { Candidate } from '../../model/candidate.ts';
import type { DnsProbe } from '../../model/dns.ts';
import { claim, type Step } from '../../model/experiment.ts';
import { escapePattern } from '../../proof/pattern.ts';
import { defineCheck } from '../contract.ts';
import { dnsLocation } from '../names/dns-records.ts';
import { dmarcRecords, dmarcTag, mailNames } from '../names/mail-domain.ts';
import { spfRecordOf, spfTerms, spfWord } from './spf.ts';
import { spfFault } from './spf-grammar.ts';

/** `path` leads from the domain to the record that decides: by redirects, or to itself. */
type PermissivePath = { path: { name: string; record: string }[]; verdict: 'pass' | 'neutral'; word: string };

/** Redirects that are followed; a receiver follows ten at most. */
const maxRedirects = 10;
/** Everybody may send: forged mail even counts as proven, for DMARC too. */
const allowsAll = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:N/I:H/A:N';

/** A domain's SPF record refuses nobody. Source: RFC 7208 §5.1, §2.6.2, §4.7. */
export const spfPermissive = defineCheck<PermissivePath>({
  id: 'mail.spf-permissive',
  title: 'Permissive SPF record',
  cwe: 290,
  owasp: 'A07:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:N/I:L/A:N',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    const names = await mailNames(context);
    if ('notApplicable' in names) return names;
    const candidates: Candidate<PermissivePath>[] = [];
    for (const name of names) {
      const open = await openEnd(context.dns, name);
      if (!open) continue;
      // With a policy, only a pass counts: neutral mail is refused all the same.
      if (open.verdict === 'neutral' && (await isEnforced(context.dns, names[0] ?? name))) continue;
      candidates.push({
        location: dnsLocation(name, 'TXT'),
        route: name,
        detail: `The record of ${open.path.at(-1)?.name} ends ${open.word === '' ? 'without "all"' : `with "${open.word}"`}: the result for every other sender is ${open.verdict}.`,
        ...(open.verdict === 'pass' ? { cvss: allowsAll } : {}),
        data: open,
      });
    }
    return candidates;
  },

  confirm: (_context, { data }) => {
    const last = data?.path.at(-1);
    if (!data || !last) return undefined;
    const { path, word } = data;
    const redirects = path.slice(0, -1).map(({ name }, index): Step => {
      const target = path[index + 1]?.name ?? '';
      return {
        dns: { name, type: 'TXT' },
        note: `The record of ${name} leaves the decision to that of ${target}.`,
        expect: [claim('dns:answers', 'matches', spfWord(`redirect=${target}`))],
      };
    });
    const decisive: Step = {
      dns: { name: last.name, type: 'TXT' },
      note: 'The record refuses nobody.',
      expect:
        word === ''
          ? [
              claim('dns:answers', 'matches', '(?im)^v=spf1(?: |$)'),
              claim('dns:answers', 'not-matches', '(?im)^v=spf1 (?:.* )?(?:[+?~-]?all(?: |$)|redirect=)'),
            ]
          : [claim('dns:answers', 'matches', spfWord(word))],
    };
    return {
      steps: [...redirects, decisive],
      control: [
        {
          dns: { name: last.name, type: 'TXT' },
          note: 'The same record with "-all" in its place, which would refuse, is not what there is.',
          expect: [claim('dns:answers', 'contains', refusing(last.record, word))],
        },
      ],
    };
  },

  explain: {
    description:
      'The domain has an SPF record that names its servers and then lets everybody else through: "+all" (or a bare "all") says that all of them may send, "?all" or no "all" that nothing is known of them.',
    impact:
      'Anybody can send mail with an address of the domain as its envelope sender. With "+all" it passes SPF, and thereby DMARC too, so it looks better than honest mail; with "?all" receivers treat the domain as one without SPF.',
    sends: 'Nothing to the site: asks DNS for the SPF record, those it redirects to, and the DMARC record.',
    proves:
      'The deciding record ends in `+all`, `?all` or without `all`; the same record with `-all` is not what is published. Shows a configuration; no mail was sent.',
    remedy:
      'Name those who send for the domain and refuse all others, for instance `v=spf1 include:_spf.mailprovider.example -all`. If you are not sure that the list is complete, begin with `~all` and a DMARC record with `p=none; rua=mailto:…`, read the reports for some weeks, then change to `-all`. Words after "all" are ignored, so it has to be the last.',
    references: [
      'RFC 7208 §5.1: https://www.rfc-editor.org/rfc/rfc7208#section-5.1',
      'RFC 7208 §4.7: https://www.rfc-editor.org/rfc/rfc7208#section-4.7',
      'CWE-290: https://cwe.mitre.org/data/definitions/290.html',
      'M3AAWG Best Practices for Managing SPF Records: https://www.m3aawg.org/Managing-SPF-Records',
    ],
  },
});

const refusing = (record: string, word: string): string =>
  word === '' ? `${record} -all` : record.replace(new RegExp(` ${escapePattern(word)}(?= |$)`), ' -all');

/** Follows redirects to the record that decides; undefined when it refuses, or when there is none that receivers can use. */
async function openEnd(dns: DnsProbe, domain: string): Promise<PermissivePath | undefined> {
  const path: PermissivePath['path'] = [];
  let name = domain;
  while (path.length <= maxRedirects && !path.some((passed) => passed.name === name)) {
    const record = await spfRecordOf(dns, name);
    if (record === undefined || spfFault(record) !== undefined) return undefined;
    path.push({ name, record });
    const last = spfTerms(record).at(-1);
    if (last?.name !== 'redirect') return endOf(path, last?.name === 'all' ? last : undefined);
    if (last.value === '' || last.value.includes('%')) return undefined;
    name = last.value.replace(/\.$/, '').toLowerCase();
  }
  return undefined;
}

function endOf(
  path: PermissivePath['path'],
  all: { text: string; qualifier: string } | undefined,
): PermissivePath | undefined {
  if (all?.qualifier === '-' || all?.qualifier === '~') return undefined;
  return { path, verdict: all?.qualifier === '+' ? 'pass' : 'neutral', word: all?.text ?? '' };
}

async function isEnforced(dns: DnsProbe, domain: string): Promise<boolean> {
  const [record = ''] = dmarcRecords(await dns.query(`_dmarc.${domain}`, 'TXT'));
  return ['quarantine', 'reject'].includes(dmarcTag(record, 'p') ?? '');
}
