import type { Exchange } from '../../model/http.ts';
import { ProbeError } from '../../model/probe-error.ts';
import type { InputSurface } from '../../model/surface.ts';
import { newTrialValues } from '../../proof/template.ts';
import type { CheckContext } from '../contract.ts';
import { inputAction } from './input-request.ts';
import { sendInput } from './open-input.ts';
import { inParallel } from './parallel.ts';

type CookieContext = Pick<CheckContext, 'http' | 'nonce' | 'visitor'> & { surface: object };

const width = 4;
/** Of no site. */
const unknownWord = 'wqzvx';

/** By the surface, which all checks of an activity share: each cookie is asked once, whichever checks ask. */
const known = new WeakMap<object, Map<string, Promise<string | undefined>>>();

/**
 * Many servers refuse spaces, commas and quotes in cookies (RFC 6265 §4.1.1), so that applications which take them percent-decode the
 * value. Where the site's own value in percent signs is answered as it is, and an unknown word is not, values of ours are encoded, too.
 */
export async function withDecodedCookies(
  context: CookieContext,
  inputs: readonly InputSurface[],
): Promise<InputSurface[]> {
  const samples = await inParallel(inputs, width, (input) =>
    input.in === 'cookie' && input.encoded === undefined ? decodedSample(context, input) : Promise.resolve(undefined),
  );
  return inputs.map((input, index) => {
    const sample = samples[index];
    return sample === undefined ? input : { ...input, sample, isDecoded: true };
  });
}

function decodedSample(context: CookieContext, input: InputSurface): Promise<string | undefined> {
  const asked = known.get(context.surface) ?? new Map<string, Promise<string | undefined>>();
  known.set(context.surface, asked);
  const { method, url, parameter, sample } = input;
  const key = JSON.stringify([method, url, parameter, sample, context.visitor]);
  const before = asked.get(key);
  // The check that asked first may have been ended meanwhile.
  if (before) return before.catch(() => lookAt(context, input));
  const looked = lookAt(context, input);
  asked.set(key, looked);
  // Failures pass, so they are not kept.
  looked.catch(() => asked.delete(key));
  return looked;
}

/** The site's own value as the application has it; undefined where it is not decoded. */
async function lookAt(context: CookieContext, input: InputSurface): Promise<string | undefined> {
  const { sample } = input;
  const spelt = sample.replace(/[a-z0-9]/i, (char) => `%${char.charCodeAt(0).toString(16)}`);
  if (spelt === sample) return undefined;
  const ask = async (value: string) =>
    seen(await sendInput(context, input, inputAction(input, value), newTrialValues(context.nonce)));
  try {
    const usual = await ask(sample);
    if (usual === (await ask(unknownWord)) || usual !== (await ask(spelt))) return undefined;
    // In a form's encoding a plus is a space.
    const spaced = sample.replaceAll('+', ' ');
    return spaced !== sample && usual === (await ask(spaced.replaceAll(' ', '%20'))) ? spaced : sample;
  } catch (error) {
    if (!(error instanceof ProbeError) || error.code === 'canceled') throw error;
    return undefined;
  }
}

const seen = ({ status, text }: Exchange): string => JSON.stringify([status, text]);
