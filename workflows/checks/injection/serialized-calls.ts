import type { InputSurface } from '../../model/surface.ts';
import { inBase64, inJava } from '../../proof/template.ts';
import { isOfJava, serializedForm } from '../inputs/serialized-text.ts';
import type { Delaying } from './delays.ts';
import { isJavaDocument, javaDocuments } from './java-documents.ts';
import { exceptionTexts, exceptionWords } from './php-objects.ts';
import type { SerializedCall } from './serialized-call.ts';
import { shapedCalls } from './shaped-calls.ts';

const [a, b] = ['‹int›', '‹int2›'];
const result = '‹product:int:int2›';

/** Opcodes of protocol 0, which are text: a name of a module, one of a function, and a tuple of numbers. Source: pickletools. */
const pickled = (module: string, name: string, numbers: readonly string[]): string =>
  `c${module}\n${name}\n(${numbers.map((each) => `I${each}\n`).join('')}tR.`;

const tagged = (name: string, numbers: readonly string[]): string =>
  `!!python/object/apply:${name} [${numbers.join(', ')}]`;

const revived = (name: string, mark = '_$$ND_FUNC$$_'): string =>
  JSON.stringify({ name: `${mark}function(){${name}}()` });

const [pickle, yaml, node] = ['a pickle of Python', 'YAML of Python', 'JSON with functions of Node (node-serialize)'];

const revivedObjects: readonly SerializedCall[] = [
  { where: pickle, value: pickled('operator', 'mul', [a, b]), broken: pickled('operator', 'muq', [a, b]), result },
  { where: yaml, value: tagged('operator.mul', [a, b]), broken: tagged('operator.muq', [a, b]), result },
  {
    where: node,
    value: revived(`return ${a}*${b}`),
    broken: revived(`return ${a}*${b}`, '_$$ND_FUNQ$$_'),
    result,
  },
];

const waiting = (seconds: string): string =>
  `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0,${seconds}*1000)`;

/** The same for objects that nobody is shown. */
const delayingObjects: readonly Delaying[] = [
  {
    where: pickle,
    value: (seconds) => pickled('time', 'sleep', [seconds]),
    broken: (seconds) => pickled('time', 'sleeq', [seconds]),
  },
  {
    where: yaml,
    value: (seconds) => tagged('time.sleep', [seconds]),
    broken: (seconds) => tagged('time.sleeq', [seconds]),
  },
  {
    where: node,
    value: (seconds) => revived(waiting(seconds)),
    broken: (seconds) => revived(waiting(seconds), '_$$ND_FUNQ$$_'),
  },
];

/** Formats of files from which such objects are made: what fields that take them are called, and the texts that wait. */
export const revivingFiles: readonly { called: RegExp; ending: string; type: string; delaying: Delaying }[] = (
  [
    [
      pickle,
      /pickle|\.pkl\b|\.p\b|\.sav\b|octet-stream|\bsaved?[-_ ]?games?\b|\bmodels?\b/i,
      'pkl',
      'application/octet-stream',
    ],
    [yaml, /ya?ml\b/i, 'yml', 'application/yaml'],
    [node, /json\b/i, 'json', 'application/json'],
  ] as const
).flatMap(([kind, called, ending, type]) =>
  delayingObjects.filter(({ where }) => where === kind).map((delaying) => ({ called, ending, type, delaying })),
);

/** What sets in sets take to be read, a number of turns for a second. */
const javaDelay = (isPercentEncoded: boolean): Delaying => {
  const at = (turns: number): Delaying => ({
    where: 'a native object of Java, in base64',
    value: (seconds) => inJava(turns, seconds, 'HashSet', isPercentEncoded),
    broken: (seconds) => inJava(turns, seconds, 'HashSeq', isPercentEncoded),
    paced: at,
    tolerance: 0.5,
  });
  return at(1);
};

const inEncodedCall = (call: SerializedCall): SerializedCall => ({
  ...call,
  where: `${call.where}, in base64`,
  value: inBase64(call.value),
  broken: inBase64(call.broken),
});

const inEncodedDelay = ({ where, value, broken }: Delaying): Delaying => ({
  where: `${where}, in base64`,
  value: (seconds) => inBase64(value(seconds)),
  broken: (seconds) => inBase64(broken(seconds)),
});

const encodedCalls = revivedObjects.map(inEncodedCall);
const encodedDelays = delayingObjects.map(inEncodedDelay);

const phpObject = /^[Oa]:\d+:/;

/** Objects in the form that a site's own value has. One of PHP is of no other language. */
export function callsFor({
  sample,
  in: place,
  contentType = '',
}: Pick<InputSurface, 'sample' | 'in' | 'contentType'>): {
  calls: readonly SerializedCall[];
  delays: readonly Delaying[];
} {
  if (isOfJava(sample)) {
    const isPercentEncoded = place !== 'cookie' && !contentType.includes('json');
    return { calls: [], delays: [javaDelay(isPercentEncoded)] };
  }
  if (isJavaDocument(sample)) return javaDocuments;
  const isEncoded = serializedForm(sample) === 'base64';
  const text = isEncoded ? Buffer.from(sample, 'base64').toString('latin1') : sample.trim();
  const isOfPhp = phpObject.test(text);
  const objects = exceptionTexts(isOfPhp ? text : '').map(
    ({ value, broken }): SerializedCall => ({
      where: `an object of PHP${isEncoded ? ', in base64' : ''}`,
      value: isEncoded ? inBase64(value) : value,
      broken: isEncoded ? inBase64(broken) : broken,
      result: exceptionWords,
      isObject: true,
    }),
  );
  if (isOfPhp) return { calls: objects, delays: [] };
  const shaped = shapedCalls(text);
  return isEncoded
    ? {
        calls: [...shaped.calls.map(inEncodedCall), ...encodedCalls, ...objects],
        delays: [...shaped.delays.map(inEncodedDelay), ...encodedDelays],
      }
    : { calls: [...shaped.calls, ...revivedObjects, ...objects], delays: [...shaped.delays, ...delayingObjects] };
}
