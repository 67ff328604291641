import type { Candidate } from '../../model/candidate.ts';
import type { Experiment } from '../../model/experiment.ts';
import type { InputSurface } from '../../model/surface.ts';
import type { CheckContext } from '../contract.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { experimentAt, type Looked } from '../inputs/look-at-each.ts';
import { type Computed, computedBy, computedExperiment } from './computed-result.ts';

/** What applications call the name of a page or a part of one. */
const pageNames =
  /page|file|incl|templ|path|doc|lang|locale|view|module|section|content|theme|layout|load|read|show|action|controller|^(?:p|f|pg|dir|cat|name|src|source)$/i;
const fileLike = /\.(?:php\d?|phtml|html?|inc|tpl|txt)$/i;

/** Whether the value may be the name of what an application includes. */
export const mayBeIncluded = ({ parameter, sample }: InputSurface): boolean =>
  pageNames.test(parameter) || fileLike.test(sample);

const code = (begin: string): string => `data:text/plain,‹nonce›${begin} echo ‹int›*‹int2›;?>‹nonce2›`;

/** What reads files alone is found by the sources that it shows: path traversal. */
const wrapped: Computed = { value: code('<?php'), result: '‹nonce›‹product:int:int2›‹nonce2›' };
const inert = code('<?phq');

/** Whether PHP runs what the value names, an address of a text among it. @throws ProbeError */
export const isIncluded = async (context: CheckContext, input: OpenedInput): Promise<boolean> =>
  (await computedBy(context, input, [wrapped])) !== undefined;

export const inclusionExperiment = (input: OpenedInput): Experiment =>
  computedExperiment(input, wrapped, inert, {
    computed: 'An address of a text stands for the name of the page, and PHP includes it.',
    result: 'The product of two numbers of the request, which only the code in the text gives.',
    control: 'With the opening tag of the code misspelt, the text is no code.',
  });

/**
 * The experiment of another check, where the value is not included: what is run as code is also read and fetched, which has one cause and
 * is one finding.
 */
export async function unlessIncluded<D extends { input: OpenedInput }>(
  context: CheckContext,
  candidate: Candidate<Looked<D>>,
  experimentFor: (found: D) => Experiment,
): Promise<Experiment | undefined> {
  const { data } = candidate;
  if (data && 'found' in data && mayBeIncluded(data.found.input) && (await isIncluded(context, data.found.input)))
    return undefined;
  return experimentAt(candidate, experimentFor);
}
