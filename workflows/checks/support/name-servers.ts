import { sameName } from '../../probe/dns/names.ts';
import type { DnsProbe } from '../../probe/types.ts';
import { type NotRun, notRun } from '../contract.ts';
import { isAnswered } from './dns-records.ts';
import type { PublicName } from './public-name.ts';

/** A zone and the name servers that its own NS records name. */
export type ServedZone = { zone: string; servers: string[] };

/** The zones that the host's owner has: that of the domain, and any between it and the host. */
export async function servedZones(dns: DnsProbe, { host, domain }: PublicName): Promise<ServedZone[] | NotRun> {
  const zones: ServedZone[] = [];
  for (const zone of namesBetween(host, domain)) {
    const reply = await dns.query(zone, 'NS');
    if (!isAnswered(reply)) return notRun(`The name servers answered ${reply.rcode} for ${zone}.`);
    const records = reply.answers.filter(({ type, name }) => type === 'NS' && sameName(name, zone));
    if (records.length > 0) zones.push({ zone, servers: records.map(({ data }) => data.toLowerCase()) });
  }
  return zones;
}

/** ("a.b.example.com", "example.com") → a.b.example.com, b.example.com, example.com */
function namesBetween(host: string, domain: string): string[] {
  const labels = host.split('.');
  const count = labels.length - domain.split('.').length + 1;
  return Array.from({ length: count }, (_, index) => labels.slice(index).join('.'));
}
