import type { FormSurface, Surface } from '../../checks/contract.ts';
import type { Observations, RefusalCode } from './types.ts';

/** What the survey and the observation learned of controls. Every activity after them begins with it. */
export type Knowledge = {
  /** Forms as their pages show them. */
  forms: readonly FormSurface[];
  /** Places that the survey left out because of what their control says or sends. */
  refused: readonly { url: string; code: RefusalCode }[];
  observations: Observations;
};

export const noKnowledge: Knowledge = { forms: [], refused: [], observations: {} };

/** What the surfaces of a run tell the gate: those of all visitors, since what one may not do nobody may. */
export function knowledgeOf(surfaces: readonly Surface[], observations: Observations = {}): Knowledge {
  return { forms: surfaces.flatMap(({ forms }) => forms), refused: [], observations };
}
