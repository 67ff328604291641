import { generateKeyPairSync } from 'node:crypto';
import { recordsCase } from '../../../sites/names.ts';

const publicKey = (bits: number, type: 'spki' | 'pkcs1' = 'spki'): string =>
  generateKeyPairSync('rsa', { modulusLength: bits }).publicKey.export({ format: 'der', type }).toString('base64');

const strings = (text: string): string[] => text.match(/.{1,200}/g) ?? [];
const long = publicKey(2048);

export const cases = [
  recordsCase('key of 512 bits under the default selector', 'www.oakmoss-prints.com', {
    vulnerable: { 'default._domainkey.oakmoss-prints.com TXT': [[`v=DKIM1; k=rsa; p=${publicKey(512)}`]] },
    patched: { 'default._domainkey.oakmoss-prints.com TXT': [strings(`v=DKIM1; k=rsa; p=${long}`)] },
  }),
  recordsCase('key of 768 bits without its version, as PKCS #1', 'mail.trollberg.no', {
    vulnerable: { 'mail._domainkey.trollberg.no TXT': [[`p=${publicKey(768, 'pkcs1')}`]] },
    patched: {
      'mail._domainkey.trollberg.no TXT': [['v=DKIM1; p=']],
      's1._domainkey.trollberg.no TXT': [strings(`p=${long}`)],
    },
  }),
  recordsCase('key of 1024 bits in several strings, by an alias', 'www.penhallow.co.uk', {
    vulnerable: { 'k1._domainkey.penhallow.co.uk TXT': [strings(`k=rsa; t=s; p=${publicKey(1024)}`)] },
    patched: { 'k1._domainkey.penhallow.co.uk TXT': [strings(`k=rsa; t=s; p=${long}`)] },
  }),
];
