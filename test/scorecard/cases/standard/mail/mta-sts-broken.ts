import { recordsCase } from '../../../sites/names.ts';

export const cases = [
  recordsCase('host of the policy that is not there', 'www.glasswing-audio.com', {
    vulnerable: { '_mta-sts.glasswing-audio.com TXT': [['v=STSv1; id=20260301T120000']] },
    patched: {
      '_mta-sts.glasswing-audio.com TXT': [['v=STSv1; id=20260301T120000']],
      'mta-sts.glasswing-audio.com A': ['192.0.2.80'],
    },
  }),
  recordsCase('two announcements', 'www.falkenried.de', {
    vulnerable: {
      '_mta-sts.falkenried.de TXT': [['v=STSv1; id=1'], ['v=STSv1; id=2;']],
      'mta-sts.falkenried.de AAAA': ['2001:db8::1'],
    },
    patched: { '_mta-sts.falkenried.de TXT': [['v=STSv1; id=2;']], 'mta-sts.falkenried.de AAAA': ['2001:db8::1'] },
  }),
  recordsCase('announcement without its number, by an alias', 'www.thornbury-bikes.co.uk', {
    vulnerable: {
      '_mta-sts.thornbury-bikes.co.uk TXT': [['v=STSv1; mode=enforce']],
      'mta-sts.thornbury-bikes.co.uk A': ['192.0.2.7'],
    },
    patched: {
      '_mta-sts.thornbury-bikes.co.uk TXT': [['v=STSv1; id=7;']],
      'mta-sts.thornbury-bikes.co.uk A': ['192.0.2.7'],
    },
  }),
];
