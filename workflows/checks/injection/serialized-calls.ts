import type { Computed } from './computed-result.ts';
import type { Delaying } from './delays.ts';

/** A text of a format that makes objects, in which a function is called that multiplies. */
export type SerializedCall = Computed & {
  where: string;
  /** The same with the name misspelt. */
  broken: string;
};

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

export const revivedObjects: readonly SerializedCall[] = [
  { where: pickle, value: pickled('operator', 'mul', [a, b]), broken: pickled('operator', 'muq', [a, b]), result },
  { where: yaml, value: tagged('operator.mul', [a, b]), broken: tagged('operator.muq', [a, b]), result },
  {
    where: node,
    value: revived(`return ${a}*${b}`),
    broken: revived(`return ${a}*${b}`, '_$$ND_FUNQ$$_'),
    result,
  },
];

/** The same for objects that nobody is shown. */
export const delayingObjects: readonly Delaying[] = [
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

const waiting = (seconds: string): string =>
  `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0,${seconds}*1000)`;
