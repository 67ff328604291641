import type { Candidate } from '../../model/candidate.ts';
import { claim, type Step } from '../../model/experiment.ts';
import { defineCheck } from '../contract.ts';
import { controlWithOtherRecord, dnsLocation } from '../names/dns-records.ts';
import { mailNames } from '../names/mail-domain.ts';
import { denials } from '../names/missing-targets.ts';
import { hopsOf, pathTo, spfTree, spfWord } from './spf.ts';
import { type SpfVoid, spfVoids } from './spf-voids.ts';

/** `path` leads from the domain to the record that has the word. */
type VoidPath = SpfVoid & { path: string[] };
type Voids = { domain: string; shown: VoidPath[] };

/** Receivers accept two. Source: RFC 7208 §4.6.4. */
const maxVoids = 2;

/** Whoever registers the lapsed domain gives the name an address of their own, which then may send. */
const openToTakeOver = 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:N/I:H/A:N';

/** An SPF record names hosts that do not exist: more than receivers look up, or one that anybody may have. Source: RFC 7208 §4.6.4. */
export const spfVoidLookups = defineCheck<Voids>({
  id: 'mail.spf-void-lookups',
  title: 'SPF record with void lookups',
  cwe: 290,
  owasp: 'A07:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:N/I:L/A:L',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    const names = await mailNames(context);
    if ('notApplicable' in names) return names;
    const candidates: Candidate<Voids>[] = [];
    for (const domain of names) {
      const tree = await spfTree(context, domain);
      const voids = await spfVoids(context, tree);
      const open = voids.filter(isOpen);
      const decisive = open.length > 0 ? open.slice(0, 1) : voids.length > maxVoids ? voids.slice(0, maxVoids + 1) : [];
      if (decisive.length === 0) continue;
      const shown = decisive.map((one) => ({ ...one, path: pathTo(tree, one.owner) }));
      candidates.push(asCandidate({ domain, shown }, voids.length));
    }
    return candidates;
  },

  async confirm({ dns }, { data }) {
    const control = data && (await controlWithOtherRecord(dns, data.domain));
    return control && { steps: data.shown.flatMap(stepsOf), control };
  },

  explain: {
    description:
      'The record, or one that it includes, has "a", "mx" or "exists" with names that have no address or no mail server. A receiver that comes to more than two of them ends with a permanent error (most do, as RFC 7208 demands), for every sender that is not listed before.',
    impact:
      'Honest mail of the services that come later in the record fails SPF, and forged mail does not get the "fail" that the record asks for, but an error that many receivers treat as if there were no SPF. It is graver where the domain of such a name has lapsed: whoever registers it gives the name an address, and mail from there passes SPF in your name, and by it DMARC.',
    sends: 'Nothing to the site: asks DNS for the SPF records and for each name in their mechanisms.',
    proves:
      'More than two names in the record have no address, or one is of a domain that the registry denies; the resolver finds other records. Shows a configuration; nothing was registered and no mail was sent.',
    remedy:
      'Take out the words whose hosts are gone: `dig +short A name`, `dig +short AAAA name`, and `dig +short MX name` for "mx", answer nothing for them. "a" and "mx" without a name are about the domain itself, and have no use where the web site or mail is elsewhere. Write `ip4:` and `ip6:` for machines of your own. Do it today where the domain has lapsed.',
    references: [
      'RFC 7208 §4.6.4: https://www.rfc-editor.org/rfc/rfc7208#section-4.6.4',
      'CWE-290: https://cwe.mitre.org/data/definitions/290.html',
      'M3AAWG Best Practices for Managing SPF Records: https://www.m3aawg.org/Managing-SPF-Records',
    ],
  },
});

const isOpen = ({ missing }: SpfVoid): boolean => missing?.undelegated !== undefined;

function asCandidate(data: Voids, count: number): Candidate<Voids> {
  const { domain, shown } = data;
  const open = shown.find(isOpen);
  const words = shown.map(({ word }) => `"${word}"`).join(', ');
  return {
    location: dnsLocation(domain, 'TXT'),
    route: domain,
    detail: open
      ? `${words} is about ${open.target}, and the registry does not have ${open.missing?.undelegated}: a domain that anybody may register looks so (one that is on hold, too).`
      : `Of the names that a receiver looks up for ${domain}, ${count} lead nowhere, beginning with ${words}.`,
    ...(open ? { cvss: openToTakeOver } : {}),
    data,
  };
}

function stepsOf({ path, owner, word, target, questions, missing }: VoidPath): Step[] {
  const record: Step = {
    dns: { name: owner, type: 'TXT' },
    note: `The record of ${owner} has "${word}".`,
    expect: [claim('dns:answers', 'matches', spfWord(word))],
  };
  const empty = questions.map(
    ({ type, hasAnswers }): Step => ({
      dns: { name: target, type },
      note: `${target} has no ${type} record.`,
      expect: [
        claim('dns:rcode', 'one-of', 'NOERROR|NXDOMAIN'),
        hasAnswers ? claim('dns:records', 'not-matches', `(?m)^[^ \\n]+ ${type} `) : claim('dns:answers', 'absent'),
      ],
    }),
  );
  return [...hopsOf(path), record, ...empty, ...(missing?.undelegated === undefined ? [] : denials(missing))];
}
