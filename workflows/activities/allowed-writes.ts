import { Writes } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import type { RunContext } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import type { ChainStep, Check } from '../checks/contract.ts';
import type { AllowedWrites } from '../model/budget.ts';

/** What core does not say, as a value of a newer version, allows nothing. */
export function allowedWrites({ writes }: Pick<RunContext, 'writes'>): AllowedWrites {
  if (writes === Writes.CREATE) return 'create';
  return writes === Writes.REVERSIBLE ? 'reversible' : 'none';
}

/** Whether a check or step may be run: those that change the target need the leave to. */
export const isAllowed = ({ risk }: Pick<Check | ChainStep, 'risk'>, writes: AllowedWrites): boolean =>
  risk === 'safe' || writes !== 'none';

export const notAllowed =
  'it changes data, which the scope of the domain does not allow: put the scope with "writes": "reversible" to run it';
