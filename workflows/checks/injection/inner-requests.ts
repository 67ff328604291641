import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import { clearest, piecesOf } from '../../probe/html/page-pieces.ts';
import { inputAction, type OpenedInput } from '../inputs/input-request.ts';
import { inputSteps } from '../inputs/open-input.ts';
import { decidedPage } from './decided-page.ts';
import type { Comparison } from './sql-comparisons.ts';
import type { Ask } from './sql-decision.ts';

/** The value with something behind or before it: a sign of addresses decides, and signs that have no meaning there do not. */
const signed = (where: string, write: (n: string, sign: string) => string, sign: string): Comparison => ({
  where,
  whenTrue: (n) => write(n, sign),
  whenFalse: (n) => write(n, '$'),
  broken: (n) => write(n, '!'),
});

/** Of several parameters of one name the last counts: ours takes the place of that of the server. */
export const overriding =
  (parameter: string) =>
  (value: string): Comparison[] => [
    signed('a value in the query of a request of the server', (n, sign) => `q${n}${sign}${parameter}=${value}`, '&'),
  ];

export const added = (value: string): Comparison[] => [
  signed('a value in the query of a request of the server', (n, sign) => `${value}${sign}q${n}=${n}`, '&'),
];

export const cutOff = (value: string): Comparison[] => [
  signed('a value in the address of a request of the server', (n, sign) => `${value}${sign}q${n}`, '#'),
];

/** A step into a folder and out again leads to the same address, as long as that folder need not be there. */
const resolved = (value: string): Comparison[] => [
  {
    where: 'a part of the path of a request of the server',
    whenTrue: (n) => `q${n}/../${value}`,
    whenFalse: (n) => `q${n}/..q/${value}`,
    broken: (n) => `q${n}/q../${value}`,
  },
];

/** What is read one or more steps above the folder that is meant, and what of that nothing else of the page has. */
export type ReadAbove = { path: string; lost: string; status: number; markers: string[] };

const mostSteps = 3;
const maxMarkers = 3;
/** What services have for their own: what they are made of, how they are, and who may use them. */
const usualNames = ['', 'health', 'status', 'metrics', 'openapi.json', 'api', 'admin', 'internal', 'users'];

/** What reads files says this of a folder, or of a name that is not there: no service has answered. */
const ofFiles =
  /is a directory|not a directory|no such file|\b(?:EISDIR|ENOTDIR|ENOENT|EACCES)\b|failed to open|permission denied|access is denied/i;

/**
 * A path that leads out of the folder which is meant, where it is followed. Not what stays in that folder, as a program does that resolves
 * a path and compares it afterwards, or that knows nothing above.
 * @throws ProbeError
 */
export async function readAbove(ask: Ask, value: string): Promise<ReadAbove | undefined> {
  // A whole address is no part of a path.
  if (value.includes('..') || /^https?:/i.test(value)) return undefined;
  const inside = await decidedPage(ask, [value], resolved);
  if (!inside) return undefined;
  const stays = await ask(`../${value}`);
  if (inside.markers.every((marker) => stays.text.includes(marker))) return undefined;
  const usual = await ask(value);
  const others = [await ask(''), usual, await ask('q‹int›')];
  for (let steps = 1; steps <= mostSteps; steps += 1) {
    const folder = '../'.repeat(steps);
    const lost = `${folder}q‹int›`;
    const gone = await ask(lost);
    for (const name of usualNames) {
      const there = await ask(folder + name);
      if (there.status !== inside.status || (ofFiles.test(there.text) && !ofFiles.test(usual.text))) continue;
      const known = [...others, gone].map(({ text }) => text);
      const own = piecesOf(there.text).filter((piece) => !known.some((text) => text.includes(piece)));
      const again = own.length === 0 ? '' : (await ask(folder + name, true)).text;
      const isTold = (piece: string) => piece.includes(folder) || (name !== '' && piece.includes(name));
      const markers = own.filter((piece) => again.includes(piece) && !isTold(piece));
      if (markers.length > 0)
        return { path: folder + name, lost, status: inside.status, markers: clearest(markers, maxMarkers) };
    }
  }
  return undefined;
}

export function aboveExperiment(input: OpenedInput, { path, lost, status, markers }: ReadAbove): Experiment {
  const shown = [claim('status', 'equals', String(status)), ...markers.map((each) => claim('body', 'contains', each))];
  const lacked = markers.map((each) => claim('body', 'not-contains', each));
  const step = (value: string, note: string, expect: Step['expect']): Step[] =>
    inputSteps(input, inputAction(input, value), { note, expect });
  const gone = 'A name in the same place that nothing has shows none of it.';
  return {
    steps: [
      ...step(path, 'The address above the folder that is meant is read, and its answer shown.', shown),
      ...step(lost, gone, lacked),
      ...step(path, 'So it is once more.', shown),
    ],
    control: step(lost, gone, shown),
  };
}
