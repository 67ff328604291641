import { ProbeError } from '../../model/probe-error.ts';
import type { OmissionReporter } from '../inputs/at-most.ts';
import { omittedBy } from '../omitted.ts';

/** A page or file that cannot be had keeps the others from nothing: it is named as left out. */
export async function orLeft<T>({ leave }: OmissionReporter, url: string, look: () => Promise<T>): Promise<T[]> {
  try {
    return [await look()];
  } catch (error) {
    if (!(error instanceof ProbeError) || error.code === 'canceled') throw error;
    leave(omittedBy(error, 1, `${url} was not looked at: ${error.message}`));
    return [];
  }
}
