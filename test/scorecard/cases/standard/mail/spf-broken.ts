import { soaOf } from '../../../../fixtures/soa.ts';
import type { ScoreCase } from '../../../case.ts';
import { recordsCase } from '../../../sites/names.ts';

const text = (...texts: string[]) => texts.map((one) => [one]);

export const cases: ScoreCase[] = [
  recordsCase('bakery that wrote "ip:" for its mail server', 'www.rye-and-salt.com', {
    vulnerable: { 'rye-and-salt.com TXT': text('v=spf1 mx ip:192.0.2.25 -all') },
    patched: { 'rye-and-salt.com TXT': text('v=spf1 mx ip4:192.0.2.25 -all') },
  }),
  recordsCase('club that still includes a newsletter service whose domain lapsed', 'club.tidewater-rowing.org', {
    vulnerable: {
      'com SOA': [soaOf('com')],
      'com NS': ['ns.registry.example'],
      'tidewater-rowing.org TXT': text('site-verification=4711', 'v=spf1 a include:spf.letterpigeon.com ~all'),
    },
    patched: {
      'com SOA': [soaOf('com')],
      'com NS': ['ns.registry.example'],
      'tidewater-rowing.org TXT': text('site-verification=4711', 'v=spf1 a ~all'),
    },
  }),
  recordsCase('firm whose record leads by way of its provider to one with two records', 'portal.quarrylane.de', {
    vulnerable: {
      'quarrylane.de TXT': text('v=spf1 redirect=_spf.quarrylane.de'),
      '_spf.quarrylane.de TXT': text('v=spf1 include:send.hostwell.net -all'),
      'send.hostwell.net TXT': text('v=spf1 ip4:198.51.100.0/24 -all', 'v=spf1 ip4:203.0.113.0/24 -all'),
    },
    patched: {
      'quarrylane.de TXT': text('v=spf1 redirect=_spf.quarrylane.de'),
      '_spf.quarrylane.de TXT': text('v=spf1 include:send.hostwell.net -all'),
      'send.hostwell.net TXT': text('v=spf1 ip4:198.51.100.0/24 ip4:203.0.113.0/24 -all'),
    },
  }),
];
