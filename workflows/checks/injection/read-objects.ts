import type { InputSurface } from '../../model/surface.ts';
import { partRoute } from '../../probe/program-parts.ts';
import { isOtherThan } from '../auth/answer-kinds.ts';
import type { CheckContext } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import { serializedForm } from './serialized-calls.ts';
import { askerOf } from './sql-decision.ts';

const maxPages = 4;

/**
 * Cookies that hold an object, as inputs of the page that reads them: that shows something else without the object, of the one that gave
 * it and one of each other route. Others stay as they are.
 * @throws ProbeError
 */
export async function readObjects(context: CheckContext, inputs: readonly InputSurface[]): Promise<InputSurface[]> {
  const read: InputSurface[] = [];
  for (const input of inputs)
    read.push(input.in === 'cookie' && serializedForm(input.sample) ? await asRead(context, input) : input);
  return read;
}

async function asRead(context: CheckContext, input: InputSurface): Promise<InputSurface> {
  const others = context.surface.pages.filter(
    ({ status, contentType }) => status === 200 && /html|json/.test(contentType),
  );
  const urls = new Map([input.url, ...others.map(({ url }) => url)].toReversed().map((url) => [partRoute(url), url]));
  if (urls.size === 1) return input;
  for (const url of likeliest(context, [...urls.values()].toReversed(), maxPages, 'pages that may read a cookie')) {
    const ask = askerOf(context, { ...input, url });
    const [one, other] = [await ask('‹nonce›'), await ask('‹nonce›')];
    if (isOtherThan([one, other])?.(await ask(input.sample))) return { ...input, url };
  }
  return input;
}
