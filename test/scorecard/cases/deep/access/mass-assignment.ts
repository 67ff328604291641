import type { ScoreCase } from '../../../case.ts';
import { startClinic } from '../../../sites/clinic.ts';
import { startDesk } from '../../../sites/desk.ts';

export const cases: ScoreCase[] = [
  {
    name: 'JSON API that sets each field of the model that it is sent',
    start: (variant) =>
      startDesk({ mayChange: variant === 'vulnerable' ? ['displayName', 'mail', 'role'] : ['displayName'] }),
  },
  {
    name: 'Django-like form over a model with a flag for staff',
    start: (variant) => startClinic({ assignsAll: variant === 'vulnerable' }),
  },
  {
    name: 'API with a session cookie that sets the role along with the name',
    start: (variant) =>
      startDesk({ carrier: 'cookie', mayChange: variant === 'vulnerable' ? ['displayName', 'role'] : [] }),
  },
];
