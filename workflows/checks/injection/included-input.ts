import type { Candidate } from '../../model/candidate.ts';
import type { Experiment } from '../../model/experiment.ts';
import type { InputSurface } from '../../model/surface.ts';
import type { CheckContext } from '../contract.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { type Computed, computedBy, computedExperiment } from './computed-result.ts';

/** What applications call the name of a page or a part of one. */
const pageNames =
  /page|file|incl|templ|path|doc|lang|locale|view|module|section|content|theme|layout|load|read|show|action|controller|^(?:p|f|pg|dir|cat|name|src|source)$/i;
const fileLike = /\.(?:php\d?|phtml|html?|inc|tpl|txt)$/i;

/** Whether the value may be the name of what an application includes. */
export const mayBeIncluded = ({ parameter, sample }: InputSurface): boolean =>
  pageNames.test(parameter) || fileLike.test(sample);

/** What reads files alone is found by the sources that it shows: path traversal. */
type Inclusion = Computed & {
  /** The same with a word of the language misspelt. */
  inert: string;
  language: 'PHP' | 'Python';
};

const result = '‹nonce›‹product:int:int2›‹nonce2›';
const php = (begin: string): string => `data:text/plain,‹nonce›${begin} echo ‹int›*‹int2›;?>‹nonce2›`;
/** Of Python's addresses of texts, in the form in which programs recognise an address. Source: `urllib.request.DataHandler`. */
const python = (print: string): string => `data://text/plain,${print}("‹nonce›"+str(‹int›*‹int2›)+"‹nonce2›")`;

const inclusions: readonly Inclusion[] = [
  { value: php('<?php'), result, inert: php('<?phq'), language: 'PHP' },
  { value: python('print'), result, inert: python('prinq'), language: 'Python' },
];

/** How the application runs what the value names, an address of a text among it; undefined when it does not. @throws ProbeError */
export const inclusionAt = (context: CheckContext, input: OpenedInput): Promise<Inclusion | undefined> =>
  computedBy(context, input, inclusions);

export const inclusionExperiment = (input: OpenedInput, inclusion: Inclusion): Experiment =>
  computedExperiment(input, inclusion, inclusion.inert, {
    computed: `An address of a text stands for the name of the page, and ${inclusion.language} runs it.`,
    result: 'The product of two numbers of the request, which only the code in the text gives.',
    control: 'With a word of the language misspelt, the text is no code.',
  });

/**
 * The experiment of another check, where the value is not included: what is run as code is also read and fetched, which has one cause and
 * is one finding.
 */
export async function unlessIncluded<D extends { input: OpenedInput }>(
  context: CheckContext,
  { data }: Candidate<D>,
  experimentFor: (found: D) => Experiment,
): Promise<Experiment | undefined> {
  if (data && mayBeIncluded(data.input) && (await inclusionAt(context, data.input))) return undefined;
  return data && experimentFor(data);
}
