import { recordsCase } from '../../../sites/names.ts';

export const cases = [
  recordsCase('nothing at the name', 'www.bluefinch-toys.com', {
    vulnerable: { 'bluefinch-toys.com TXT': [['v=spf1 -all']] },
    patched: { '_dmarc.bluefinch-toys.com TXT': [['v=DMARC1; p=reject; rua=mailto:d@bluefinch-toys.com']] },
  }),
  recordsCase('two records, left by two services', 'shop.wiesengrund.at', {
    vulnerable: {
      '_dmarc.wiesengrund.at TXT': [['v=DMARC1; p=reject'], ['v=DMARC1;p=none;rua=mailto:x@service.example']],
    },
    patched: { '_dmarc.wiesengrund.at TXT': [['v=DMARC1; p=reject; ', 'rua=mailto:x@service.example']] },
  }),
  recordsCase('text of a wildcard where the record should be', 'www.stonebridge-law.co.uk', {
    vulnerable: { '_dmarc.stonebridge-law.co.uk TXT': [['v=spf1 include:_spf.stonebridge-law.co.uk ~all']] },
    patched: {
      '_dmarc.stonebridge-law.co.uk TXT': [
        ['v=spf1 include:_spf.stonebridge-law.co.uk ~all'],
        ['V=DMARC1 ; p = quarantine'],
      ],
    },
  }),
];
