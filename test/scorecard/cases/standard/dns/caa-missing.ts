import { recordsCase } from '../../../sites/names.ts';

const issue = (value: string, flags = 0) => ({ flags, tag: 'issue', value });

export const cases = [
  recordsCase('shop at its registered domain', 'www.lindenhof-keramik.de', {
    vulnerable: {},
    patched: { 'lindenhof-keramik.de CAA': [issue('letsencrypt.org')] },
  }),
  recordsCase(
    'deep host, with a record at the host itself',
    'api.eu.parcelbird.io',
    {
      vulnerable: { 'parcelbird.io TXT': [['v=spf1 -all']] },
      patched: {
        'api.eu.parcelbird.io CAA': [issue('pki.goog'), { flags: 0, tag: 'iodef', value: 'mailto:s@parcelbird.io' }],
      },
    },
    { domain: 'parcelbird.io' },
  ),
  recordsCase('owner who asks for reports, and leaves open who may issue', 'www.saltmarsh-books.com', {
    vulnerable: { 'saltmarsh-books.com CAA': [{ flags: 0, tag: 'iodef', value: 'mailto:s@saltmarsh-books.com' }] },
    patched: {
      'saltmarsh-books.com CAA': [
        { flags: 0, tag: 'iodef', value: 'mailto:s@saltmarsh-books.com' },
        issue('letsencrypt.org'),
      ],
    },
  }),
  recordsCase('host that is an alias at a CDN', 'static.orchardmaps.org.uk', {
    vulnerable: { 'static.orchardmaps.org.uk CAA': [{ alias: 'orchardmaps.cdn-host.net' }] },
    patched: { 'orchardmaps.org.uk CAA': [issue(';', 128)] },
  }),
];
