import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import { shuffled } from '../../model/shuffled.ts';
import type { CheckContext } from '../contract.ts';
import { onlyIn } from '../decisions/difference.ts';
import { inputAction, type OpenedInput } from '../inputs/input-request.ts';
import { inputSteps } from '../inputs/open-input.ts';
import { askerOf } from './sql-decision.ts';

/**
 * Answers that tell whether a native stream of Java has the version of a class that the server has: what each of the two kinds of
 * answers shows, and the other does not.
 */
export type KnownClass = { status: number; markers: string[]; others: string[] };

const maxMarkers = 2;

/**
 * A point of two numbers, which no application takes from a visitor, so that a reader with a list of classes refuses both. Source: Java
 * Object Serialization Specification §6.4; serialVersionUID of java.awt.Point.
 */
const pointWith = (version: string): string =>
  Buffer.from(
    `aced00057372000e6a6176612e6177742e506f696e74${version}020002490001784900017978700000000300000004`,
    'hex',
  ).toString('base64');
const [own, foreign] = [pointWith('b6c48a72347ec826'), pointWith('b6c48a72347ec827')];

/**
 * Whether the server makes an object of a class that only the value names: it takes the class by its own version, and not by another one.
 * @throws ProbeError
 */
export async function knownClass(context: CheckContext, input: OpenedInput): Promise<KnownClass | undefined> {
  const ask = askerOf(context, input);
  const answers = new Map<string, Exchange[]>([
    [own, []],
    [foreign, []],
  ]);
  for (const value of [own, foreign, foreign, own]) answers.get(value)?.push(await ask(value, true));
  const [taken, refused] = [answers.get(own) ?? [], answers.get(foreign) ?? []];
  const [status] = taken.map((answer) => answer.status);
  if (status === undefined || taken.some((answer) => answer.status !== status)) return undefined;
  const markers = onlyIn(taken, refused).slice(0, maxMarkers);
  const others = onlyIn(refused, taken).slice(0, maxMarkers);
  const isTold = markers.length + others.length > 0 || refused.every((answer) => answer.status !== status);
  return isTold ? { status, markers, others } : undefined;
}

/** Both values in an order that nobody can foresee; in the control the other version has to be answered as the own one. */
export function classExperiment(input: OpenedInput, { status, markers, others }: KnownClass): Experiment {
  const ofOwn = [
    claim('status', 'equals', String(status)),
    ...markers.map((marker) => claim('body', 'contains', marker)),
    ...others.map((marker) => claim('body', 'not-contains', marker)),
  ];
  const ofForeign = [
    ...markers.map((marker) => claim('body', 'not-contains', marker)),
    ...others.map((marker) => claim('body', 'contains', marker)),
    ...(markers.length + others.length === 0 ? [claim('status', 'not-equals', String(status))] : []),
  ];
  const step = (value: string, note: string, expect: Step['expect']): Step[] =>
    inputSteps(input, inputAction(input, value), { note, expect, isShown: true });
  const taken =
    'An object of a class of Java that has nothing to do with the site, in the version that the server has, is read.';
  const refused = 'The same bytes with another version of that class are refused: the class was loaded to compare it.';
  return {
    steps: shuffled([true, true, false, false]).flatMap((isOwn) =>
      isOwn ? step(own, taken, ofOwn) : step(foreign, refused, ofForeign),
    ),
    control: step(foreign, refused, ofOwn),
  };
}
