import type { CheckContext } from '../checks/contract.ts';
import { inputAction } from '../checks/inputs/input-request.ts';
import { sendInput } from '../checks/inputs/open-input.ts';
import { inputsToProbe } from '../checks/inputs/probe-inputs.ts';
import type { Identities } from '../login/identities.ts';
import type { Omitted } from '../model/omission.ts';
import { isFinal, ProbeError } from '../model/probe-error.ts';
import type { InputSurface, Surface } from '../model/surface.ts';
import { counted, wasOrWere } from '../model/words.ts';
import { newTrialValues } from '../proof/template.ts';

type EndingContext = Pick<CheckContext, 'http' | 'nonce' | 'surface' | 'visitor'>;

/** Inputs that end the session of whoever sends another value in them, as one that chooses the server that a session is for. */
export type EndingInputs = {
  /** Looks for them where a session ended on the way; once for all checks of an activity. @throws ProbeError, LoginError */
  look(context: EndingContext): Promise<void>;
  /** The context without them. */
  without<C extends EndingContext>(context: C): C;
  /** What is left out for it. */
  omitted(): Omitted[];
};

const atOnce = 12;
/** What most programs take for no value of theirs. */
const oddSigns = `'"`;

/** @param renew logs in again whoever was logged out, and returns who was */
export function createEndingInputs(renew: Identities['renew']): EndingInputs {
  const ending = new Map<string, InputSurface>();
  const kept = new WeakMap<Surface, Surface>();
  let hasLooked = false;
  const isEnding = (input: InputSurface): boolean => ending.has(keyOf(input));

  const ends = async (context: EndingContext, inputs: readonly InputSurface[]): Promise<boolean> => {
    for (const input of inputs) await sendOdd(context, input);
    return (await renew()).length > 0;
  };
  return {
    async look(context) {
      if (hasLooked) return;
      hasLooked = true;
      const inputs = inputsToProbe(context.surface).filter(isPlain);
      for (let start = 0; start < inputs.length; start += atOnce) {
        const some = inputs.slice(start, start + atOnce).filter((input) => !isEnding(input));
        if (some.length === 0 || !(await ends(context, some))) continue;
        for (const input of some)
          if (!isEnding(input) && (await ends(context, [input])) && (await ends(context, [input])))
            ending.set(keyOf(input), input);
      }
    },
    without(context) {
      if (ending.size === 0) return context;
      const { surface } = context;
      // What checks share goes by the surface.
      const left = kept.get(surface) ?? { ...surface, inputs: surface.inputs.filter((input) => !isEnding(input)) };
      kept.set(surface, left);
      return { ...context, surface: left };
    },
    omitted() {
      const [first] = ending.values();
      if (!first) return [];
      const { size: count } = ending;
      const text = `${counted(count, 'input')} ${wasOrWere(count)} not probed: other values end the session ("${first.parameter}" of ${first.route})`;
      return [{ code: 'would_act', count, text }];
    },
  };
}

/** A name means the same to a whole program; a place in a path has none. */
const keyOf = ({ method, in: place, parameter, route }: InputSurface): string =>
  JSON.stringify([method, place, parameter, ...(place === 'path' ? [route] : [])]);

/** What needs nothing of its page, and is no session itself. */
const isPlain = ({ in: place, page }: InputSurface): boolean => place !== 'cookie' && !page?.tokens.length;

async function sendOdd(context: EndingContext, input: InputSurface): Promise<void> {
  const action = inputAction(input, `${context.nonce()}${oddSigns}`);
  try {
    await sendInput(context, input, action, newTrialValues(context.nonce));
  } catch (error) {
    if (!(error instanceof ProbeError) || error.code === 'canceled' || isFinal(error)) throw error;
  }
}
