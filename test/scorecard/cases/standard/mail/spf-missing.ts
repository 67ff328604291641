import { recordsCase } from '../../../sites/names.ts';

export const cases = [
  recordsCase('other text records only', 'www.maplewood-vets.com', {
    vulnerable: { 'maplewood-vets.com TXT': [['google-site-verification=4f0a'], ['MS=ms12345']] },
    patched: { 'maplewood-vets.com TXT': [['google-site-verification=4f0a'], ['v=spf1 -all']] },
  }),
  recordsCase('two records, left by two services', 'shop.grauwolf.ch', {
    vulnerable: {
      'grauwolf.ch TXT': [['v=spf1 include:spf.first.example -all'], ['v=spf1 include:spf.second.example ~all']],
    },
    patched: { 'grauwolf.ch TXT': [['v=spf1 include:spf.first.example ', 'include:spf.second.example -all']] },
  }),
  recordsCase('host that takes mail of its own', 'lists.penrith-rovers.org.uk', {
    vulnerable: {
      'penrith-rovers.org.uk TXT': [['v=spf1 mx -all']],
      'lists.penrith-rovers.org.uk MX': [{ preference: 10, exchange: 'lists.penrith-rovers.org.uk' }],
    },
    patched: {
      'penrith-rovers.org.uk TXT': [['v=spf1 mx -all']],
      'lists.penrith-rovers.org.uk MX': [{ preference: 10, exchange: 'lists.penrith-rovers.org.uk' }],
      'lists.penrith-rovers.org.uk TXT': [['V=SPF1 a -all']],
    },
  }),
];
