import type { Transfer } from '../../../../fixtures/name-server.ts';
import type { ScoreCase } from '../../../case.ts';
import { startNamed } from '../../../sites/names.ts';

const transferCase = (name: string, host: string, server: string, transfer: Transfer): ScoreCase => ({
  name,
  start: (variant) => {
    const domain = host.slice(host.indexOf('.') + 1);
    return startNamed({
      host,
      zone: {
        [`${domain} NS`]: [server],
        [`${server} A`]: ['127.0.0.1'],
        [`vpn.${domain} A`]: ['10.0.0.4'],
        [`staging.${domain} A`]: ['10.0.0.9'],
      },
      ...(variant === 'vulnerable' ? { transfers: { [domain]: transfer } } : {}),
      options: { hosts: [server] },
    });
  },
});

export const cases: ScoreCase[] = [
  transferCase(
    'server that sends the zone in one message',
    'www.saltmarsh-radio.com',
    'ns1.saltmarsh-radio.com',
    'whole',
  ),
  transferCase(
    'server that sends a message for each record',
    'shop.ebermann.de',
    'dns.ebermann.de',
    'record by record',
  ),
  transferCase(
    'server of another domain that breaks off',
    'www.copperkettle.co.uk',
    'ns2.small-dns-host.net',
    'first half',
  ),
];
