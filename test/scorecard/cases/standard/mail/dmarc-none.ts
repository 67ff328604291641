import { recordsCase } from '../../../sites/names.ts';

export const cases = [
  recordsCase('first step that was never followed by the second', 'www.halyard-sails.com', {
    vulnerable: { '_dmarc.halyard-sails.com TXT': [['v=DMARC1; p=none; rua=mailto:d@halyard-sails.com']] },
    patched: { '_dmarc.halyard-sails.com TXT': [['v=DMARC1; p=quarantine; rua=mailto:d@halyard-sails.com']] },
  }),
  recordsCase('policy that is misspelt', 'www.zandvoort-bloemen.nl', {
    vulnerable: { '_dmarc.zandvoort-bloemen.nl TXT': [['v=DMARC1; p:reject; pct=100']] },
    patched: { '_dmarc.zandvoort-bloemen.nl TXT': [['v=DMARC1; p=reject; pct=100']] },
  }),
  recordsCase('policy that is applied to nothing yet', 'www.fennel-and-fig.com', {
    vulnerable: {
      '_dmarc.fennel-and-fig.com TXT': [['v=DMARC1; p=quarantine; pct=0; rua=mailto:d@fennel-and-fig.com']],
    },
    patched: { '_dmarc.fennel-and-fig.com TXT': [['v=DMARC1; p=quarantine; rua=mailto:d@fennel-and-fig.com']] },
  }),
  recordsCase('subdomains left open', 'intranet.cloudberry.fi', {
    vulnerable: { '_dmarc.cloudberry.fi TXT': [['v=DMARC1;p=REJECT;sp=NONE']] },
    patched: { '_dmarc.cloudberry.fi TXT': [['v=DMARC1;p=REJECT;sp=reject']] },
  }),
];
