import type { DnssecFault } from '../../../model/dns.ts';

/** Why a step of the chain does not hold. */
export type ValidationFault = { fault: DnssecFault; reason: string };

export const isFault = (value: object): value is ValidationFault => 'fault' in value;
