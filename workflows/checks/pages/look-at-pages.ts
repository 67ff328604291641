import { ProbeError } from '../../model/probe-error.ts';
import { counted, wasOrWere } from '../../model/words.ts';
import { RefusedError } from '../../probe/gate/refusal.ts';
import type { OmissionReporter } from '../inputs/at-most.ts';
import { inParallel } from '../inputs/parallel.ts';
import { omittedBy } from '../omitted.ts';

const width = 4;

/**
 * Looks at pages beside each other. One that is too large to be read to its end, or that the write gate keeps from being asked for as the
 * look does it, is reported, and the others are looked at all the same.
 */
export async function lookAtPages<P extends { url: string }, R>(
  { leave }: OmissionReporter,
  pages: readonly P[],
  look: (page: P) => Promise<R>,
): Promise<R[]> {
  const cut: string[] = [];
  const looked: R[][] = await inParallel(pages, width, async (page): Promise<R[]> => {
    try {
      return [await look(page)];
    } catch (error) {
      if (error instanceof RefusedError) leave(omittedBy(error, 1, error.message));
      else if (error instanceof ProbeError && error.code === 'too_large') cut.push(page.url);
      else throw error;
      return [];
    }
  });
  const { length } = cut;
  const text = `${counted(length, 'page')} ${wasOrWere(length)} too large or too deep to be read to the end (for instance ${cut[0]})`;
  if (length > 0) leave({ code: 'page_cut', count: length, text });
  return looked.flat() as R[];
}
