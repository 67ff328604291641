import { soaOf } from '../../../../fixtures/soa.ts';
import { recordsCase } from '../../../sites/names.ts';

export const cases = [
  recordsCase('name server of a company that is gone', 'www.tidewater-lamps.com', {
    vulnerable: {
      'tidewater-lamps.com NS': ['ns1.tidewater-lamps.com', 'ns2.closed-dns-company.org'],
      'ns1.tidewater-lamps.com A': ['192.0.2.53'],
      'org SOA': [soaOf('org')],
    },
    patched: {
      'tidewater-lamps.com NS': ['ns1.tidewater-lamps.com', 'ns2.tidewater-lamps.com'],
      'ns1.tidewater-lamps.com A': ['192.0.2.53'],
      'ns2.tidewater-lamps.com A': ['198.51.100.53'],
    },
  }),
  recordsCase('misspelt server within the own zone', 'www.kupferberg-optik.de', {
    vulnerable: {
      'kupferberg-optik.de NS': ['ns.kupferberg-optik.de', 'nss.kupferberg-optik.de'],
      'ns.kupferberg-optik.de A': ['192.0.2.1'],
    },
    patched: { 'kupferberg-optik.de NS': ['ns.kupferberg-optik.de'], 'ns.kupferberg-optik.de A': ['192.0.2.1'] },
  }),
  recordsCase(
    'zone between the domain and the host',
    'app.dev.quarrystone.io',
    {
      vulnerable: {
        'quarrystone.io NS': ['ns.quarrystone.io'],
        'ns.quarrystone.io A': ['192.0.2.1'],
        'dev.quarrystone.io SOA': [soaOf('dev.quarrystone.io')],
        'dev.quarrystone.io NS': ['ns.dev.quarrystone.io'],
      },
      patched: {
        'quarrystone.io NS': ['ns.quarrystone.io'],
        'ns.quarrystone.io A': ['192.0.2.1'],
        'dev.quarrystone.io SOA': [soaOf('dev.quarrystone.io')],
        'dev.quarrystone.io NS': ['ns.dev.quarrystone.io'],
        'ns.dev.quarrystone.io AAAA': ['2001:db8::53'],
      },
    },
    { domain: 'quarrystone.io' },
  ),
];
