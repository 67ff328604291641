import type { Misbehaviour } from '../../../../fixtures/authority.ts';
import { startSignedSite } from '../../../../fixtures/signed-site.ts';
import type { ScoreCase } from '../../../case.ts';

type Second = { host: string; does?: Misbehaviour; isSigned: boolean };

/** The second server does not have the zone, or refuses; mended, it has it. */
const serverCase = (name: string, domain: string, { host, does, isSigned }: Second): ScoreCase => ({
  name,
  start: (variant) => {
    const lame = does ? { does } : { zones: [] };
    return startSignedSite(
      { domain, isSigned, servers: { [`ns1.${domain}`]: '127.0.0.1', [host]: '127.0.0.2' } },
      { others: { '127.0.0.2': variant === 'vulnerable' ? lame : {} } },
    );
  },
});

export const cases: ScoreCase[] = [
  serverCase('secondary server where the zone was never set up', 'amberline-cabs.com', {
    host: 'ns2.amberline-cabs.com',
    isSigned: false,
  }),
  serverCase('server that refuses since a move, of a signed zone', 'hofgut-weiden.de', {
    host: 'dns2.hofgut-weiden.de',
    does: 'refuses',
    isSigned: true,
  }),
  serverCase('server of a suffix of two labels', 'tarn-kayaks.co.uk', {
    host: 'backup.tarn-kayaks.co.uk',
    isSigned: true,
  }),
];
