import type { Check } from '../../../workflows/checks/contract.ts';
import type { CheckResult } from '../../../workflows/checks/run-check.ts';
import { startNameServer, type Zone } from '../../fixtures/name-server.ts';
import { html, startSite } from '../../fixtures/site.ts';
import { runOn } from './harness.ts';

export type NamedOptions = {
  /** Default "www.northwind.shop". */
  host?: string;
  failing?: Parameters<typeof startNameServer>[1];
  verified?: readonly string[];
  transfers?: Parameters<typeof startNameServer>[3];
  /** Further names that may be found on loopback. */
  hosts?: string[];
  /** Where mail servers listen. */
  mailPort?: number;
};

/** A zone's first record. */
export const soa = {
  mname: 'ns1.northwind.shop',
  rname: 'hostmaster.northwind.shop',
  serial: 1,
  refresh: 3600,
  retry: 600,
  expire: 86_400,
  minimum: 60,
};

/** Audits a site whose domain northwind.shop has these further records. */
export async function resultOf(check: Check, records: Zone, options: NamedOptions = {}): Promise<CheckResult> {
  const { host = 'www.northwind.shop', failing, verified, transfers, hosts = [], mailPort } = options;
  const zone = { 'northwind.shop SOA': [soa], [`${host} A`]: ['127.0.0.1'], ...records };
  const names = await startNameServer(zone, failing, verified, transfers);
  const site = await startSite(() => html('hello'), { host });
  try {
    return await runOn(site.url, check, {
      dnsServer: names.address,
      hosts: [host, ...hosts],
      ...(mailPort === undefined ? {} : { mailPort }),
    });
  } finally {
    await site.close();
    names.close();
  }
}

/** Kind of outcome and the questions that were named. */
export async function namedBy(check: Check, records: Zone, options?: NamedOptions): Promise<string[]> {
  const { outcome, findings } = await resultOf(check, records, options);
  return [outcome.kind, ...findings.map(({ location }) => location?.url ?? '')];
}
