import { startNameServer, type Transfer, type Zone } from '../../fixtures/name-server.ts';
import { startSignedSite } from '../../fixtures/signed-site.ts';
import type { TreeOptions } from '../../fixtures/signed-tree.ts';
import { type Handler, html, startSite } from '../../fixtures/site.ts';
import { soaOf } from '../../fixtures/soa.ts';
import type { AuditOptions } from '../../workflows/checks/harness.ts';
import type { ScoreCase, ScoreSite, Variant } from '../case.ts';

type NamedSite = {
  /** Host of the web site; its registered domain is what stands after its first label unless `domain` says otherwise. */
  host: string;
  domain?: string;
  /** Of the domain, beside its head and the address of the host. */
  zone: Zone;
  transfers?: Record<string, Transfer>;
  handler?: Handler;
  options?: AuditOptions;
  /** What runs beside it. */
  alsoClose?: () => void;
};

/** A web site whose domain has records of its own at a real name server. */
export async function startNamed({
  host,
  domain,
  zone,
  transfers,
  handler,
  options,
  alsoClose,
}: NamedSite): Promise<ScoreSite> {
  const apex = domain ?? host.slice(host.indexOf('.') + 1);
  const records = { [`${apex} SOA`]: [soaOf(apex)], [`${host} A`]: ['127.0.0.1'], ...zone };
  const names = await startNameServer(records, {}, [], transfers);
  const site = await startSite(handler ?? (() => html(`<h1>${apex}</h1>`)), { host });
  return {
    url: site.url,
    options: { dnsServer: names.address, ...options, hosts: [host, ...(options?.hosts ?? [])] },
    async close() {
      await site.close();
      names.close();
      alsoClose?.();
    },
  };
}

/** A case of records alone. */
export const recordsCase = (
  name: string,
  host: string,
  zones: Record<Variant, Zone>,
  more: Partial<Omit<NamedSite, 'host' | 'zone'>> = {},
): ScoreCase => ({ name, start: (variant) => startNamed({ host, zone: zones[variant], ...more }) });

/** A case of a tree of zones, signed from a root of its own. */
export const signedCase = (name: string, trees: Record<Variant, TreeOptions>): ScoreCase => ({
  name,
  start: (variant) => startSignedSite(trees[variant]),
});
