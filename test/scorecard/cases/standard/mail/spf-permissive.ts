import { recordsCase } from '../../../sites/names.ts';

export const cases = [
  recordsCase('everybody may send', 'www.duskvale-cider.com', {
    vulnerable: { 'duskvale-cider.com TXT': [['v=spf1 mx +all']] },
    patched: { 'duskvale-cider.com TXT': [['v=spf1 mx ~all']] },
  }),
  recordsCase('bare "all" behind a redirect', 'www.eichhof-saft.de', {
    vulnerable: {
      'eichhof-saft.de TXT': [['v=spf1  redirect=_spf.eichhof-saft.de']],
      '_spf.eichhof-saft.de TXT': [['v=spf1 ip4:192.0.2.0/24 all']],
    },
    patched: {
      'eichhof-saft.de TXT': [['v=spf1  redirect=_spf.eichhof-saft.de']],
      '_spf.eichhof-saft.de TXT': [['v=spf1 ip4:192.0.2.0/24 -all']],
    },
  }),
  recordsCase('no end at all', 'www.whitby-kippers.co.uk', {
    vulnerable: { 'whitby-kippers.co.uk TXT': [['v=spf1 a mx ip6:2001:db8::/32']] },
    patched: { 'whitby-kippers.co.uk TXT': [['v=spf1 a mx ip6:2001:db8::/32 -ALL']] },
  }),
];
