import { recordsCase } from '../../../sites/names.ts';

export const cases = [
  recordsCase('address without its kind', 'www.finchley-strings.com', {
    vulnerable: { '_smtp._tls.finchley-strings.com TXT': [['v=TLSRPTv1; rua=tls@finchley-strings.com']] },
    patched: { '_smtp._tls.finchley-strings.com TXT': [['v=TLSRPTv1; rua=mailto:tls@finchley-strings.com']] },
  }),
  recordsCase('two records', 'www.hagedorn-uhren.de', {
    vulnerable: {
      '_smtp._tls.hagedorn-uhren.de TXT': [
        ['v=TLSRPTv1;rua=mailto:a@hagedorn-uhren.de'],
        ['v=TLSRPTv1;rua=https://r.example/'],
      ],
    },
    patched: {
      '_smtp._tls.hagedorn-uhren.de TXT': [['v=TLSRPTv1;rua=mailto:a@hagedorn-uhren.de,', 'https://r.example/']],
    },
  }),
  recordsCase('no address at all', 'mail.kestrel-rowing.org.uk', {
    vulnerable: { '_smtp._tls.kestrel-rowing.org.uk TXT': [['v=TLSRPTv1;']] },
    patched: {
      '_smtp._tls.kestrel-rowing.org.uk TXT': [['v=TLSRPTv1; ', 'rua=https://reports.kestrel-rowing.org.uk/tls']],
    },
  }),
];
