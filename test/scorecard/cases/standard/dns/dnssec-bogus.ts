import { newZoneKey } from '../../../../fixtures/zone-keys.ts';
import { signedCase } from '../../../sites/names.ts';

const dayMs = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * dayMs);

export const cases = [
  signedCase('signatures that nobody renewed (NSEC, ECDSA)', {
    vulnerable: { domain: 'harborlight-inn.com', zone: { from: ago(30), until: ago(1) } },
    patched: { domain: 'harborlight-inn.com' },
  }),
  signedCase('key that was changed without the registry (NSEC3, Ed25519)', {
    vulnerable: {
      domain: 'veldkamp-fietsen.nl',
      algorithm: 15,
      zone: { denial: 'nsec3' },
      signer: () => [newZoneKey(15).signer('veldkamp-fietsen.nl')],
    },
    patched: { domain: 'veldkamp-fietsen.nl', algorithm: 15, zone: { denial: 'nsec3' } },
  }),
  signedCase('records edited after they were signed (RSA)', {
    vulnerable: {
      domain: 'osprey-charts.org',
      algorithm: 8,
      zone: {
        spoil: (set) => {
          if (set.type === 6)
            set.data = set.data.map((data) => Buffer.concat([data.subarray(0, -4), Buffer.from([0, 0, 1, 0])]));
        },
      },
    },
    patched: { domain: 'osprey-charts.org', algorithm: 8 },
  }),
];
