import type { DnssecFault } from '../types.ts';

/** Why a step of the chain does not hold. */
export type Fault = { fault: DnssecFault; reason: string };

export const isFault = (value: object): value is Fault => 'fault' in value;
