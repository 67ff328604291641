import type { Candidate } from '../../model/candidate.ts';
import type { DnsProbe } from '../../model/dns.ts';
import { type Assertion, claim, type Experiment, type Step } from '../../model/experiment.ts';
import { bareName } from '../../probe/dns/names.ts';
import { defineCheck } from '../contract.ts';
import { dnsLocation, isAnswered } from '../names/dns-records.ts';
import { mailNames, spfRecords } from '../names/mail-domain.ts';
import { denials, type MissingTarget, missingTarget } from '../names/missing-targets.ts';
import { hopsOf, pathTo, type SpfNode, spfTree, spfWord } from './spf.ts';
import { spfFault } from './spf-grammar.ts';

/** What makes a receiver give up at the last name of `path`, which leads there from the domain by includes and redirects. */
type BrokenSpf = { path: string[] } & (
  | { by: 'word'; word: string }
  | { by: 'no-record'; hasText: boolean; missing?: MissingTarget }
  | { by: 'several' }
  | { by: 'loop' }
);

const anyRecord = '(?im)^v=spf1(?: |$)';
const severalRecords = '(?ims)^v=spf1(?: |$).*^v=spf1(?: |$)';

/** Whoever registers the lapsed domain publishes a record by which their own servers may send. */
const openToTakeOver = 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:N/I:H/A:N';

/** Receivers come to a permanent error with a domain's SPF record. Source: RFC 7208 §4.6, §5.2, §6.1, §4.6.4. */
export const spfBroken = defineCheck<BrokenSpf>({
  id: 'mail.spf-broken',
  title: 'Invalid SPF record',
  cwe: 290,
  owasp: 'A07:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:N/I:L/A:L',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    const names = await mailNames(context);
    if ('notApplicable' in names) return names;
    const candidates: Candidate<BrokenSpf>[] = [];
    for (const name of names) {
      const tree = distinct(await spfTree(context, name));
      const faults = [...wordsIn(tree), ...(await deadEndsIn(context.dns, tree)), ...loopsIn(tree)];
      candidates.push(...faults.map((fault) => asCandidate(name, fault)));
    }
    return candidates;
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The domain has an SPF record, and receivers that check a sender against it come to a permanent error: a word breaks the grammar, or an "include" or "redirect" leads to a name that has no record (or several), or back to itself.',
    impact:
      'The error stands in the place of every result that would have come later: honest mail of services further on in the record fails, and forged mail does not get the "fail" that the record asks for, but what many receivers treat as if there were no SPF. It is graver when the domain that is included has lapsed: whoever registers it says which servers may send in your name, and that mail passes SPF, and by it DMARC.',
    sends: 'Nothing to the site: asks DNS for the SPF record and for each record that it includes or redirects to.',
    proves:
      'The record has a word outside the grammar, loops, or leads to a name without a single SPF record; the same is not found at the domain or at a random name. Shows a configuration; no mail was sent.',
    remedy:
      'Correct the word (addresses are `ip4:192.0.2.1` and `ip6:2001:db8::1`, not `ip:`; words are separated by single spaces, without commas or semicolons), and take out each include of a service that you do not use any more, or whose record has moved: ask the provider for its present name. Check with `dig +short TXT name` that each included name answers with exactly one record that begins with "v=spf1". Do it today where the domain has lapsed.',
    references: [
      'RFC 7208 §5.2 (include): https://www.rfc-editor.org/rfc/rfc7208#section-5.2',
      'RFC 7208 §4.6 (syntax errors): https://www.rfc-editor.org/rfc/rfc7208#section-4.6',
      'CWE-290: https://cwe.mitre.org/data/definitions/290.html',
      'M3AAWG Best Practices for Managing SPF Records: https://www.m3aawg.org/Managing-SPF-Records',
    ],
  },
});

const distinct = (tree: readonly SpfNode[]): SpfNode[] => [...new Map(tree.map((node) => [node.name, node])).values()];

const wordsIn = (tree: readonly SpfNode[]): BrokenSpf[] =>
  tree.flatMap(({ name, record }) => {
    const word = spfFault(record);
    return word === undefined ? [] : [{ path: pathTo(tree, name), by: 'word' as const, word }];
  });

/** Names that records lead to and that have no record, or several. One whose servers fail has not been looked at. */
async function deadEndsIn(dns: DnsProbe, tree: readonly SpfNode[]): Promise<BrokenSpf[]> {
  const known = new Set(tree.map(({ name }) => name));
  const ends = [...new Set(tree.flatMap(({ next }) => next.map(bareName)))].filter((name) => !known.has(name));
  const looked = await Promise.all(
    ends.map(async (end): Promise<BrokenSpf | undefined> => {
      const reply = await dns.query(end, 'TXT');
      const { length } = spfRecords(reply);
      if (!isAnswered(reply) || length === 1) return undefined;
      const path = pathTo(tree, end);
      if (length > 1) return { path, by: 'several' };
      const missing = reply.rcode === 'NXDOMAIN' ? await missingTarget(dns, end) : undefined;
      return { path, by: 'no-record', hasText: reply.answers.length > 0, ...(missing && { missing }) };
    }),
  );
  return looked.flatMap((one) => one ?? []);
}

/** Records that lead back to one on the way to them: a receiver goes round until it gives up. */
const loopsIn = (tree: readonly SpfNode[]): BrokenSpf[] =>
  tree.flatMap(({ name, next }) => {
    const path = pathTo(tree, name);
    const back = next.map(bareName).find((target) => path.includes(target));
    return back === undefined ? [] : [{ path: [...path, back], by: 'loop' as const }];
  });

function detailOf(fault: BrokenSpf): string {
  const last = fault.path.at(-1);
  switch (fault.by) {
    case 'word':
      return `The record of ${last} has "${fault.word}", which breaks its grammar.`;
    case 'several':
      return `The record leads to ${last}, which has several records, of which receivers take none.`;
    case 'loop':
      return `The record leads back to itself: ${fault.path.join(' → ')}.`;
    case 'no-record':
      return fault.missing?.undelegated === undefined
        ? `The record leads to ${last}, which has no SPF record.`
        : `The record leads to ${last}, and the registry does not have ${fault.missing.undelegated}: a domain that anybody may register looks so (one that is on hold, too).`;
  }
}

const asCandidate = (domain: string, data: BrokenSpf): Candidate<BrokenSpf> => ({
  location: dnsLocation(data.path.at(-1) ?? domain, 'TXT'),
  route: domain,
  detail: detailOf(data),
  ...(data.by === 'no-record' && data.missing?.undelegated !== undefined ? { cvss: openToTakeOver } : {}),
  data,
});

function experimentFor(fault: BrokenSpf): Experiment {
  const { path, by } = fault;
  const [root = '', last = ''] = [path[0], path.at(-1)];
  const hops = hopsOf(path);
  if (by === 'loop') return { steps: hops, control: [elsewhere(root, hops.at(-1)?.expect ?? [])] };
  const expect = endClaims(fault);
  const end: Step = { dns: { name: last, type: 'TXT' }, note: detailOf(fault), expect };
  if (by === 'word') return { steps: [...hops, end], control: [elsewhere(root, expect)] };
  const gone = by === 'no-record' && fault.missing ? denials(fault.missing) : [];
  const control: Step = { ...end, dns: { name: root, type: 'TXT' }, note: `${root} itself has one record.` };
  return { steps: [...hops, end, ...gone], control: [control] };
}

function endClaims(fault: BrokenSpf): Assertion[] {
  if (fault.by === 'word') return [claim('dns:answers', 'matches', spfWord(fault.word))];
  if (fault.by === 'several') return [claim('dns:answers', 'matches', severalRecords)];
  const hasText = fault.by === 'no-record' && fault.hasText;
  return [
    claim('dns:rcode', 'one-of', 'NOERROR|NXDOMAIN'),
    hasText ? claim('dns:answers', 'not-matches', anyRecord) : claim('dns:answers', 'absent'),
  ];
}

const elsewhere = (domain: string, expect: Assertion[]): Step => ({
  dns: { name: `_‹nonce›.${domain}`, type: 'TXT' },
  note: 'No other name of the domain has such a record.',
  expect,
});
