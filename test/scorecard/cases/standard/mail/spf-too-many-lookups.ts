import type { Zone } from '../../../../fixtures/name-server.ts';
import { recordsCase } from '../../../sites/names.ts';

const services = (count: number, domain: string): Zone => ({
  // In several strings, as a text of more than 255 characters has to be.
  [`${domain} TXT`]: [
    ['v=spf1', ...Array.from({ length: count }, (_, at) => ` include:s${at}.mail-service.net`), ' -all'],
  ],
  ...Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`s${at}.mail-service.net TXT`, [['v=spf1 ip4:192.0.2.1 -all']]]),
  ),
});

const nested = (domain: string, perService: number): Zone => ({
  [`${domain} TXT`]: [[`v=spf1 include:_a.${domain} include:_b.${domain} ~all`]],
  [`_a.${domain} TXT`]: [
    [`v=spf1 ${Array.from({ length: perService }, (_, at) => `a:m${at}.${domain}`).join(' ')} -all`],
  ],
  [`_b.${domain} TXT`]: [
    [`v=spf1 ${Array.from({ length: perService }, (_, at) => `mx:n${at}.${domain}`).join(' ')} -all`],
  ],
});

export const cases = [
  recordsCase('eleven services side by side', 'www.copperleaf-events.com', {
    vulnerable: services(11, 'copperleaf-events.com'),
    patched: services(10, 'copperleaf-events.com'),
  }),
  recordsCase('addresses by name within two services', 'www.birkenau-moebel.de', {
    vulnerable: nested('birkenau-moebel.de', 5),
    patched: nested('birkenau-moebel.de', 4),
  }),
  recordsCase('redirect at the end of what was allowed', 'www.seabright.org.uk', {
    vulnerable: {
      'seabright.org.uk TXT': [
        ['v=spf1 a mx ptr exists:%{i}.x.seabright.org.uk a:b mx:c redirect=_spf.seabright.org.uk'],
      ],
      '_spf.seabright.org.uk TXT': [['v=spf1 a:d a:e a:f mx:g -all']],
    },
    patched: {
      'seabright.org.uk TXT': [['v=spf1 a mx redirect=_spf.seabright.org.uk']],
      '_spf.seabright.org.uk TXT': [['v=spf1 a:d a:e a:f mx:g -all']],
    },
  }),
];
