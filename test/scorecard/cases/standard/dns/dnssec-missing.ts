import { signedCase } from '../../../sites/names.ts';

export const cases = [
  signedCase('registry that lists its names (NSEC)', {
    vulnerable: { domain: 'pinecrest-dental.com', isSigned: false },
    patched: { domain: 'pinecrest-dental.com' },
  }),
  signedCase('registry that hashes them and leaves unsigned ones out (NSEC3, opt-out)', {
    vulnerable: { domain: 'brunnmayr.at', isSigned: false, registry: { denial: { iterations: 0, isOptOut: true } } },
    patched: { domain: 'brunnmayr.at', algorithm: 15, registry: { denial: { iterations: 0, isOptOut: true } } },
  }),
  signedCase('suffix of two labels (NSEC3), the patched one with RSA', {
    vulnerable: { domain: 'merrow-print.co.uk', isSigned: false, registry: { denial: 'nsec3' } },
    patched: { domain: 'merrow-print.co.uk', algorithm: 8, registry: { denial: 'nsec3' }, zone: { denial: 'nsec3' } },
  }),
];
