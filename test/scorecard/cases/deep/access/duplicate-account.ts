import type { ScoreCase } from '../../../case.ts';
import { type NameDesign, startNameSite } from '../../../sites/name-site.ts';

/** Whoever mends it brings names into the form first in which they are compared. */
const caseOf = (name: string, design: NameDesign): ScoreCase => ({
  name,
  start: (variant) => startNameSite({ ...design, ...(variant === 'patched' && { stored: design.compared }) }),
});
const trimmed = (name: string) => name.trim();
const small = (name: string) => name.toLowerCase();

export const cases: ScoreCase[] = [
  caseOf('pages whose login takes spaces away', { compared: trimmed, session: ({ name }) => trimmed(name) }),
  caseOf('pages whose sessions have the name in small letters', {
    compared: small,
    session: (_account, typed) => small(typed),
  }),
  caseOf('interface whose login takes spaces away', {
    ...{ compared: trimmed, session: ({ name }) => trimmed(name), isApi: true },
  }),
];
