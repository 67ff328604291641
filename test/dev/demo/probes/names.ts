import { createPublicKey } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { demoHost } from '../../../../dev/demo/identities.ts';
import { askOverTcp } from '../names/ask.ts';
import type { Probe, ProbedShop } from './probe.ts';

function resolverOf({ dnsServer }: ProbedShop): Resolver {
  const resolver = new Resolver({ timeout: 5_000 });
  resolver.setServers([dnsServer]);
  return resolver;
}

const text =
  (name: string, isWeak: (record: string) => boolean): Probe =>
  async (_visitor, shop) => {
    const records = await resolverOf(shop)
      .resolveTxt(`${name}${demoHost}`)
      .catch(() => []);
    return records.some((strings) => isWeak(strings.join('')));
  };

function bitsOf(record: string): number {
  const der = Buffer.from(record.replace(/.*p=/, ''), 'base64');
  return createPublicKey({ key: der, format: 'der', type: 'spki' }).asymmetricKeyDetails?.modulusLength ?? 0;
}

export const nameProbes = {
  zoneForAll: async (_visitor, { dnsServer }) => {
    const { answers = [] } = await askOverTcp(dnsServer, demoHost, 'AXFR');
    return answers.some(({ name }) => name === `vpn.${demoHost}`);
  },

  anyIssuer: async (_visitor, shop) =>
    resolverOf(shop)
      .resolveCaa(demoHost)
      .then(
        () => false,
        (error) => error.code === 'ENODATA',
      ),

  mailServerGone: async (_visitor, shop) => {
    const resolver = resolverOf(shop);
    const servers = await resolver.resolveMx(demoHost);
    const codes = await Promise.all(
      servers.map(({ exchange }) =>
        resolver.resolve4(exchange).then(
          () => '',
          (error) => error.code,
        ),
      ),
    );
    return codes.includes('ENOTFOUND');
  },

  anyoneMaySend: text('', (record) => record.startsWith('v=spf1') && record.endsWith(' +all')),
  forgedMailDelivered: text('_dmarc.', (record) => record.includes('p=none')),
  shortMailKey: text('default._domainkey.', (record) => bitsOf(record) < 1_024),
  mailPolicyWithoutHost: text('_mta-sts.', (record) => record.startsWith('v=STSv1')),
  reportsGoNowhere: text('_smtp._tls.', (record) => !record.includes('rua=mailto:')),
} satisfies Record<string, Probe>;
