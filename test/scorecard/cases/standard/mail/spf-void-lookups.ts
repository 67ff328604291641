import { soaOf } from '../../../../fixtures/soa.ts';
import { recordsCase } from '../../../sites/names.ts';

export const cases = [
  recordsCase('machines that were switched off one by one', 'www.copperleaf-events.com', {
    vulnerable: {
      'copperleaf-events.com TXT': [
        [
          'v=spf1 a:mail.copperleaf-events.com a:web1.copperleaf-events.com a:web2.copperleaf-events.com ',
          'a:news.copperleaf-events.com -all',
        ],
      ],
      'mail.copperleaf-events.com A': ['192.0.2.7'],
    },
    patched: {
      'copperleaf-events.com TXT': [['v=spf1 a:mail.copperleaf-events.com -all']],
      'mail.copperleaf-events.com A': ['192.0.2.7'],
    },
  }),
  recordsCase('words of a template, in a record for all of a company’s domains', 'www.birkenau-moebel.de', {
    vulnerable: {
      'birkenau-moebel.de TXT': [['v=spf1 redirect=_spf.birkenau-moebel.de']],
      '_spf.birkenau-moebel.de TXT': [['v=spf1 a mx mx:relay.birkenau-moebel.de ip4:192.0.2.0/28 ~all']],
    },
    patched: {
      'birkenau-moebel.de TXT': [['v=spf1 redirect=_spf.birkenau-moebel.de']],
      '_spf.birkenau-moebel.de TXT': [['v=spf1 mx ip4:192.0.2.0/28 ~all']],
      '_spf.birkenau-moebel.de MX': [{ preference: 10, exchange: 'mx.birkenau-moebel.de' }],
    },
  }),
  recordsCase('newsletter service whose domain has lapsed', 'www.seabright.org.uk', {
    vulnerable: {
      'seabright.org.uk TXT': [['v=spf1 a:out.mail-for-charities.com include:_s.seabright.org.uk -all']],
      '_s.seabright.org.uk TXT': [['v=spf1 ip6:2001:db8::/32 -all']],
      'com SOA': [soaOf('com')],
    },
    patched: {
      'seabright.org.uk TXT': [['v=spf1 include:_s.seabright.org.uk -all']],
      '_s.seabright.org.uk TXT': [['v=spf1 ip6:2001:db8::/32 -all']],
      'com SOA': [soaOf('com')],
    },
  }),
];
