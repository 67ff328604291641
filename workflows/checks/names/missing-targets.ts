import { parse } from 'tldts';
import type { Candidate } from '../../model/candidate.ts';
import type { DnsProbe } from '../../model/dns.ts';
import { type Assertion, claim, type Experiment, type Step } from '../../model/experiment.ts';
import { bareName, isBelow, sameName } from '../../probe/dns/names.ts';
import { escapePattern } from '../../proof/pattern.ts';
import type { CheckContext } from '../contract.ts';
import { atMost } from '../inputs/at-most.ts';
import { inParallel } from '../inputs/parallel.ts';
import { dnsLocation } from './dns-records.ts';

/** A name that records lead to, and that does not exist. */
export type MissingTarget = {
  target: string;
  /** The zone that says so; "." is the root. */
  zone: string;
  /** The registered domain above the target, when the zone of its registry does not have it either. */
  undelegated?: string;
};

const maxTargets = 60;
const width = 4;

/** Those of the names that do not exist, in their order. "." stands for none on purpose (RFC 7505). */
export async function missingTargets(
  context: Pick<CheckContext, 'dns' | 'leave'>,
  names: readonly string[],
): Promise<MissingTarget[]> {
  const all = [...new Set(names.map(bareName))].filter((name) => name !== '');
  const targets = atMost(context, all, maxTargets, 'names that records or pages lead to');
  const looked = await inParallel(targets, width, (target) => missingTarget(context.dns, target));
  return looked.flatMap((one) => one ?? []);
}

/**
 * That a name does not exist is what its zone says (RFC 2308 §2.1): with the zone's own head beside the code. A filter
 * between us and the zone says it without, or in another name.
 */
export async function missingTarget(dns: DnsProbe, target: string): Promise<MissingTarget | undefined> {
  const { rcode, answers, authority } = await dns.query(target, 'A');
  const head = authority.find(({ type, name }) => type === 'SOA' && isBelow(target, name));
  if (rcode !== 'NXDOMAIN' || answers.length > 0 || !head) return undefined;
  const zone = bareName(head.name) || '.';
  const undelegated = undelegatedDomain(target, zone);
  return { target, zone, ...(undelegated === undefined ? {} : { undelegated }) };
}

/** When the zone of the registry speaks, and not one of the domain, then the domain is not delegated. */
function undelegatedDomain(target: string, zone: string): string | undefined {
  const { domain, publicSuffix, isIcann } = parse(target);
  if (!isIcann || !domain || !publicSuffix || zone === '.') return undefined;
  return sameName(publicSuffix, zone) || isBelow(publicSuffix, zone) ? domain : undefined;
}

export type Dangling = { owner: string; missing: MissingTarget[] };

/** The records of an owner that lead to missing names. @param openToTakeOver vector when somebody else may register such a name */
export const danglingAt = (
  owner: string,
  type: 'MX' | 'NS',
  missing: MissingTarget[],
  openToTakeOver: string,
): Candidate<Dangling> => ({
  location: dnsLocation(owner, type),
  route: owner,
  detail: missingDetail(missing),
  ...(missing.some(({ undelegated }) => undelegated !== undefined) ? { cvss: openToTakeOver } : {}),
  data: { owner, missing },
});

/** Shows that the records of the owner lead to these names, and that the names do not exist. */
export function missingExperiment(type: 'MX' | 'NS', { owner, missing }: Dangling): Experiment {
  const [first] = missing;
  return {
    steps: [
      {
        dns: { name: owner, type },
        note: `The ${type} records of ${owner} lead to ${missing.map(({ target }) => target).join(', ')}.`,
        expect: missing.map(({ target }) =>
          claim('dns:answers', 'matches', `(?im)^${type === 'MX' ? '\\d+ ' : ''}${escapePattern(target)}\\.?$`),
        ),
      },
      ...missing.flatMap(denials),
    ],
    control: [
      {
        dns: { name: first?.zone ?? owner, type: 'SOA' },
        note: 'The resolver does find that zone itself: neither its name servers nor a filter deny all of it.',
        expect: [claim('dns:rcode', 'equals', 'NXDOMAIN')],
      },
    ],
  };
}

/** The zones say that a name does not exist, and that its domain does not. */
export function denials({ target, zone, undelegated }: MissingTarget): Step[] {
  const denied: Assertion[] = [
    claim('dns:rcode', 'equals', 'NXDOMAIN'),
    claim('dns:answers', 'absent'),
    claim('dns:authority', 'matches', `(?im)^${escapePattern(zone)} SOA `),
  ];
  const above: Step[] =
    undelegated === undefined || undelegated === target
      ? []
      : [
          {
            dns: { name: undelegated, type: 'NS' },
            note: `The registry's zone ${zone} does not have ${undelegated}.`,
            expect: denied,
          },
        ];
  return [
    ...above,
    { dns: { name: target, type: 'A' }, note: `${target} does not exist: so says the zone ${zone}.`, expect: denied },
  ];
}

/** One sentence on each of them. */
const missingDetail = (missing: readonly MissingTarget[]): string =>
  missing
    .map(({ target, undelegated }) =>
      undelegated === undefined
        ? `${target} does not exist.`
        : `${target} does not exist, and the registry does not have ${undelegated}: a domain that anybody may register looks so (one that is on hold, too).`,
    )
    .join(' ');
