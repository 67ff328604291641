import type { Candidate } from '../../model/candidate.ts';
import { type Assertion, claim } from '../../model/experiment.ts';
import { defineCheck } from '../contract.ts';
import { dnsLocation } from '../names/dns-records.ts';
import { mailNames } from '../names/mail-domain.ts';
import { type SpfNode, spfLeadsTo, spfTree } from './spf.ts';

type SpfTree = { nodes: SpfNode[] };

/** RFC 7208 §4.6.4. */
const maxLookups = 10;

/** Checking a sender against a domain's SPF record takes more DNS lookups than receivers make. Source: RFC 7208 §4.6.4. */
export const spfTooManyLookups = defineCheck<SpfTree>({
  id: 'mail.spf-too-many-lookups',
  title: 'SPF record exceeds 10 DNS lookups',
  cwe: 290,
  owasp: 'A07:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:N/I:L/A:L',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    const names = await mailNames(context);
    if ('notApplicable' in names) return names;
    const candidates: Candidate<SpfTree>[] = [];
    for (const name of names) {
      const tree = await spfTree(context, name);
      const nodes = enough(tree);
      if (nodes === undefined) continue;
      candidates.push({
        location: dnsLocation(name, 'TXT'),
        route: name,
        detail: `For a sender that is not listed, the record of ${name} and those that it includes ask for at least ${total(tree)} lookups.`,
        data: { nodes },
      });
    }
    return candidates;
  },

  confirm: (_context, { data }) => {
    const [root] = data?.nodes ?? [];
    if (!data || !root) return undefined;
    return {
      steps: data.nodes.map(({ name, lookups, next }, index) => ({
        dns: { name, type: 'TXT' },
        note: `The record of ${name} asks for ${lookups}; that makes ${total(data.nodes.slice(0, index + 1))} in all.`,
        expect: [atLeast(lookups), ...next.filter((target) => isIn(data.nodes, target)).map(leadsTo)],
      })),
      control: [
        {
          dns: { name: root.name, type: 'TXT' },
          note: `Not more are counted than there are: the record of ${root.name} itself asks for ${root.lookups}.`,
          expect: [atLeast(root.lookups + 1)],
        },
      ],
    };
  },

  explain: {
    description:
      'A receiver that checks SPF may look up ten names at most for "include", "a", "mx", "ptr", "exists" and "redirect", those within included records counted. This record needs more, so the check ends with a permanent error for every sender that is not listed before the limit.',
    impact:
      'Honest mail of the services that come late in the record fails SPF and is marked as spam or refused. Forged mail does not get the "fail" that the record asks for but an error, which many receivers treat as if there were no SPF.',
    sends: 'Nothing to the site: asks DNS for the SPF record and for each record that it includes or redirects to.',
    proves:
      'The records together ask for more than 10 lookups, and one more than there are is not counted. Receivers end with an error. Shows a configuration; no mail was sent.',
    remedy:
      'Take out services that are not used any more, "ptr", and "a" or "mx" where the addresses are listed anyway. Put a service that sends in its own right onto a subdomain with a record of its own (news.example.com). Replace an include of few, fixed addresses by `ip4:` and `ip6:`. Services that write the addresses out ("SPF flattening") work, too, if they follow changes. Many mail services pass DMARC by DKIM and need no include at all.',
    references: [
      'RFC 7208 §4.6.4: https://www.rfc-editor.org/rfc/rfc7208#section-4.6.4',
      'CWE-290: https://cwe.mitre.org/data/definitions/290.html',
      'M3AAWG Best Practices for Managing SPF Records: https://www.m3aawg.org/Managing-SPF-Records',
    ],
  },
});

const total = (nodes: readonly SpfNode[]): number => nodes.reduce((sum, { lookups }) => sum + lookups, 0);

/** The first records that together pass the limit: a proof needs no more of them. */
function enough(tree: readonly SpfNode[]): SpfNode[] | undefined {
  const count = tree.findIndex((_, index) => total(tree.slice(0, index + 1)) > maxLookups);
  return count === -1 ? undefined : tree.slice(0, count + 1).filter(({ lookups }) => lookups > 0);
}

const isIn = (nodes: readonly SpfNode[], target: string): boolean =>
  nodes.some(({ name }) => name === target.replace(/\.$/, '').toLowerCase());

const mechanism = '[+?~-]?(?:(?:include|exists):[^ \\n]+|redirect=[^ \\n]+|(?:a|mx|ptr)(?:[:/][^ \\n]*)?)';

const atLeast = (count: number): Assertion =>
  claim('dns:answers', 'matches', `(?im)^v=spf1(?:(?: +[^ \\n]+)*? +${mechanism}){${count}}(?: |$)`);

const leadsTo = (target: string): Assertion => claim('dns:answers', 'matches', spfLeadsTo(target.replace(/\.$/, '')));
