import { soaOf } from '../../../../fixtures/soa.ts';
import { recordsCase } from '../../../sites/names.ts';

const mx = (preference: number, exchange: string) => ({ preference, exchange });

export const cases = [
  recordsCase('second server at a provider that is gone', 'www.fennwick-books.com', {
    vulnerable: {
      'fennwick-books.com MX': [mx(10, 'mx1.fennwick-books.com'), mx(20, 'mx.lapsed-mailhouse.net')],
      'mx1.fennwick-books.com A': ['192.0.2.10'],
      'net SOA': [soaOf('net')],
    },
    patched: {
      'fennwick-books.com MX': [mx(10, 'mx1.fennwick-books.com')],
      'mx1.fennwick-books.com A': ['192.0.2.10'],
    },
  }),
  recordsCase('dot forgotten at the end of the name', 'shop.aurelia-teas.co.uk', {
    vulnerable: { 'aurelia-teas.co.uk MX': [mx(5, 'mail.aurelia-teas.co.uk.aurelia-teas.co.uk')] },
    patched: {
      'aurelia-teas.co.uk MX': [mx(5, 'mail.aurelia-teas.co.uk')],
      'mail.aurelia-teas.co.uk AAAA': ['2001:db8::25'],
    },
  }),
  recordsCase('host that takes mail of its own', 'lists.riverbend-choir.org', {
    vulnerable: {
      'lists.riverbend-choir.org MX': [mx(10, 'old.riverbend-choir.org')],
      'riverbend-choir.org MX': [mx(0, '.')],
    },
    patched: {
      'lists.riverbend-choir.org MX': [mx(10, 'lists.riverbend-choir.org')],
      'riverbend-choir.org MX': [mx(0, '.')],
    },
  }),
];
