import type { Candidate } from '../../model/candidate.ts';
import type { DnsProbe, DnsReply } from '../../model/dns.ts';
import { claim, type Experiment, type Step } from '../../model/experiment.ts';

/** Kinds of records that show that the resolver does answer for a domain, the likeliest first. */
const commonTypes = ['SOA', 'NS', 'MX', 'A', 'AAAA'];

/** Data of the records of one type; aliases that led to them are left out. */
export const recordsOf = ({ answers }: DnsReply, type: string): string[] =>
  answers.filter((answer) => answer.type === type).map(({ data }) => data.trim());

/** Whether a reply says what there is: a name server that fails says nothing. */
export const isAnswered = ({ rcode }: DnsReply): boolean => rcode === 'NOERROR' || rcode === 'NXDOMAIN';

/**
 * The control for a record that is absent: the resolver does give another one that the domain has.
 * @returns undefined when it gives none at all, so that nothing can be said
 */
export async function controlWithOtherRecord(dns: DnsProbe, name: string): Promise<Step[] | undefined> {
  for (const type of commonTypes) {
    if (recordsOf(await dns.query(name, type), type).length === 0) continue;
    return [
      {
        dns: { name, type },
        note: `The resolver does give what the domain has: its ${type} records.`,
        expect: [claim('dns:answers', 'absent')],
      },
    ];
  }
  return undefined;
}

/** Shows that a name has several records of a kind of which there may be one, and that other names of the domain do not. */
export function severalExperiment(name: string, domain: string, pattern: string): Experiment {
  const expect = [claim('dns:answers', 'matches', pattern)];
  return {
    steps: [
      { dns: { name, type: 'TXT' }, note: `${name} has several such records, of which receivers take none.`, expect },
    ],
    control: [
      {
        dns: { name: `_‹nonce›.${domain}`, type: 'TXT' },
        note: 'No other name of the domain has such records.',
        expect,
      },
    ],
  };
}

/**
 * A question of the DNS as a place. Source: RFC 4501.
 * @param server name server that is asked itself
 */
export const dnsLocation = (name: string, type: string, server?: string): Candidate['location'] => ({
  url: `dns:${server === undefined ? '' : `//${server}/`}${name}?type=${type}`,
  method: 'DNS',
});
