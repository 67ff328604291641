import type { InputSurface } from '../../model/surface.ts';
import type { CheckContext } from '../contract.ts';
import { inParallel } from './parallel.ts';
import { reactsTo } from './reactions.ts';

type NamesContext = Pick<CheckContext, 'allowance' | 'http' | 'nonce' | 'visitor' | 'writes'> & {
  surface: object;
};

const width = 4;

/**
 * Names of fields, and of headers that scripts send, that a server works with, as inputs: a field that is posted under a name of ours shows that name, or is answered
 * otherwise when a quote stands in it. Two requests for a field whose name says nothing, and only to a test system: what a server does
 * with names that no page has is not known.
 */
export async function fieldNames(context: NamesContext, inputs: readonly InputSurface[]): Promise<InputSurface[]> {
  if (context.writes !== 'create') return [];
  const names = inputs.filter((input) => isField(input) || isOwnHeader(input)).map(nameOf);
  const isRead = await inParallel(names, width, (name) =>
    isNamedByProgram(name) ? Promise.resolve(true) : reactsTo(context, name),
  );
  return names.filter((_, index) => isRead[index]);
}

const isField = ({
  method,
  in: place,
  contentType = '',
  json,
  xml,
  page,
  sample,
  renamed,
  encoded,
}: InputSurface): boolean =>
  method === 'POST' &&
  place === 'body' &&
  contentType.startsWith('application/x-www-form-urlencoded') &&
  !(json || xml || renamed || encoded || page?.tokens.length) &&
  // Without a value of its own a field is known by its name alone.
  sample !== '';

/** A header that a page's script sends, and none that browsers do. */
const isOwnHeader = ({ in: place, sample, renamed, isUnasked, encoded, page }: InputSurface): boolean =>
  place === 'header' && sample !== '' && page !== undefined && !(renamed || isUnasked || encoded);

/** The value of the field is the name of the program: what it works with is the field's own name, which may have to be a known one. */
const isNamedByProgram = ({ url, renamed }: InputSurface): boolean =>
  renamed !== undefined && renamed.value.length > 3 && new URL(url).pathname.split('/').at(-1) === renamed.value;

const nameOf = (input: InputSurface): InputSurface => ({
  ...input,
  ...{ parameter: `name of ${input.parameter}`, sample: input.parameter },
  renamed: { field: input.parameter, value: input.sample },
});
