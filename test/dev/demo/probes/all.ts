import { accessProbes } from './access.ts';
import { fileProbes } from './files.ts';
import { headerProbes } from './headers.ts';
import { injectionProbes } from './injection.ts';
import { nameProbes } from './names.ts';
import type { Probes } from './probe.ts';
import { sessionProbes } from './sessions.ts';

/** A probe for each weakness; the type sees to it that none is forgotten. */
export const probes: Probes = {
  ...headerProbes,
  ...sessionProbes,
  ...fileProbes,
  ...injectionProbes,
  ...accessProbes,
  ...nameProbes,
};
