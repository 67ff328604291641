import type { DnssecVerdict } from '../../model/dns.ts';
import { isBelow, sameName } from '../../probe/dns/names.ts';
import { type CheckContext, type NotApplicable, notApplicable } from '../contract.ts';
import { ownZoneNameOf } from '../names/own-zone.ts';
import { nameOf, type PublicName } from '../names/public-name.ts';

/** The host and its domain, where the chain of signatures from the root could reach them. */
export async function signableName(context: CheckContext): Promise<PublicName | NotApplicable> {
  const name = nameOf(context.surface);
  if ('notApplicable' in name) return name;
  return 'localHost' in name ? notApplicable(name.reason) : ownZoneNameOf(context);
}

/** Whether a verdict is about the domain's own zones, and not about one above them. */
export const isAbout = ({ zone }: DnssecVerdict, domain: string): boolean =>
  sameName(zone, domain) || isBelow(zone, domain);

/** Its zone as claims have it. */
export const zoneClaim = ({ zone }: DnssecVerdict): ['dns:dnssec-zone', 'equals', string] => [
  'dns:dnssec-zone',
  'equals',
  zone,
];
