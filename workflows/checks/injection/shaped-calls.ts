import { parseJson } from '../../model/json.ts';
import type { Delaying } from './delays.ts';
import type { SerializedCall } from './serialized-call.ts';

/** What reads a document may go on only with the members that it knows: there a call stands in the place of the site's own texts. */
type Shaped = (call: string) => string;

/** "name: build", also as an item of a list; numbers and switches are checked. */
const yamlText =
  /^([ \t]*(?:-[ \t]+)*[\w.-]{1,60}:[ \t]+)("[^"\n]*"|'[^'\n]*'|[^\s#{}[\]|>&*!"'%@`-][^\n#]*?)([ \t]*)$/gm;
const isChecked = /^(?:[\d.,:/+-]+|true|false|yes|no|on|off|null|~)$/i;
const maxLength = 8_000;

function inYaml(sample: string): Shaped | undefined {
  const isText = (text: string) => !isChecked.test(text);
  if (sample.length > maxLength || ![...sample.matchAll(yamlText)].some(([, , text = '']) => isText(text)))
    return undefined;
  return (call) => sample.replace(yamlText, (line, key: string, text: string) => (isText(text) ? key + call : line));
}

function inJson(sample: string): Shaped | undefined {
  const value = sample.length > maxLength ? undefined : parseJson(sample);
  if (typeof value !== 'object' || value === null || !hasText(value)) return undefined;
  return (call) => JSON.stringify(withTexts(value, call));
}

const hasText = (value: unknown): boolean =>
  typeof value === 'string' || (typeof value === 'object' && value !== null && Object.values(value).some(hasText));

/** Members by which jsonpickle says of which class an object is. Source: jsonpickle.tags. */
const isOfPickle = (name: string): boolean => name.startsWith('py/');

const withTexts = (value: unknown, text: string): unknown => {
  if (typeof value === 'string') return text;
  if (Array.isArray(value)) return value.map((each) => withTexts(each, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, isOfPickle(name) ? each : withTexts(each, text)]),
  );
};

const [a, b] = ['‹int›', '‹int2›'];
const product = '‹product:int:int2›';

/** Calls and objects in YAML, as values of members. Sources: PyYAML, js-yaml 3, Psych, SnakeYAML. */
const yamlCalls: readonly SerializedCall[] = [
  {
    where: 'YAML of Python',
    value: `!!python/object/apply:operator.mul [${a}, ${b}]`,
    broken: `!!python/object/apply:operator.muq [${a}, ${b}]`,
    result: product,
  },
  {
    where: 'YAML of JavaScript',
    value: `{ toString: !!js/function 'function () { return ${a}*${b} }' }`,
    broken: `{ toString: !!js/functioq 'function () { return ${a}*${b} }' }`,
    result: product,
  },
  {
    where: 'YAML of Ruby',
    value: `!ruby/range { begin: ${a}, end: ${b}, excl: false }`,
    broken: `!ruby/ranqe { begin: ${a}, end: ${b}, excl: false }`,
    result: `${a}..${b}`,
    isObject: true,
  },
  {
    where: 'YAML of Java',
    value: `!!java.awt.Point [${a}, ${b}]`,
    broken: `!!java.awt.Poinq [${a}, ${b}]`,
    result: `java.awt.Point[x=${a},y=${b}]`,
    isObject: true,
  },
];

const nodeCall: SerializedCall = {
  where: 'JSON with functions of Node (node-serialize)',
  value: `_$$ND_FUNC$$_function(){return ${a}*${b}}()`,
  broken: `_$$ND_FUNQ$$_function(){return ${a}*${b}}()`,
  result: product,
};

/** An object that jsonpickle makes by calling a function, in the place of a text. Source: jsonpickle.tags. */
const reduced = (name: string, values: readonly string[]): string =>
  `{"py/reduce":[{"py/function":"${name}"},{"py/tuple":[${values.join(',')}]}]}`;

/** What stands for a text that becomes an object: no value has it. */
const spot = 'q0-object-q0';

/** Documents that jsonpickle reads: each text is a call, or the first alone is one that waits. */
function picklesIn(sample: string, json: Shaped) {
  const where = "JSON of Python (jsonpickle), in a document like the site's own";
  const texts = json(spot);
  const inAll = (call: string) => texts.replaceAll(`"${spot}"`, call);
  const inOne = (call: string) => texts.replace(`"${spot}"`, call).replaceAll(`"${spot}"`, '""');
  const waiting = (name: string) => (seconds: string) => inOne(reduced(name, [seconds]));
  const call: SerializedCall = {
    ...{ where, result: product },
    value: inAll(reduced('operator.mul', [a, b])),
    broken: inAll(reduced('operator.muq', [a, b])),
  };
  const delay: Delaying = { where, value: waiting('time.sleep'), broken: waiting('time.sleeq') };
  return /"py\/\w+"\s*:/.test(sample) ? { calls: [call], delays: [delay] } : { calls: [], delays: [] };
}

const pythonSleep = (seconds: string, word = 'sleep'): string => `!!python/object/apply:time.${word} [${seconds}]`;

/** Documents like the site's own, with calls in them: those that show a result, and those that wait. None where it is no such document. */
export function shapedCalls(sample: string): { calls: SerializedCall[]; delays: Delaying[] } {
  const json = inJson(sample);
  if (json) {
    const { calls, delays } = picklesIn(sample, json);
    return { calls: [...calls, within(nodeCall, json)], delays };
  }
  const yaml = inYaml(sample);
  if (!yaml) return { calls: [], delays: [] };
  // Each of several calls would wait.
  let isFirst = true;
  const once = (call: string): string =>
    sample.replace(yamlText, (line, key: string, text: string) => {
      if (!isFirst || isChecked.test(text)) return line;
      isFirst = false;
      return key + call;
    });
  const waiting = (seconds: string, word?: string): string => {
    isFirst = true;
    return once(pythonSleep(seconds, word));
  };
  return {
    calls: yamlCalls.map((call) => within(call, yaml)),
    delays: [
      { where: 'YAML of Python', value: (seconds) => waiting(seconds), broken: (seconds) => waiting(seconds, 'sleeq') },
    ],
  };
}

const within = (call: SerializedCall, shaped: Shaped): SerializedCall => ({
  ...call,
  where: `${call.where}, in a document like the site's own`,
  value: shaped(call.value),
  broken: shaped(call.broken),
});
