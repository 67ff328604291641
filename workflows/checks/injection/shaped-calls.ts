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

const withTexts = (value: unknown, text: string): unknown => {
  if (typeof value === 'string') return text;
  if (Array.isArray(value)) return value.map((each) => withTexts(each, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withTexts(each, text)]));
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

const pythonSleep = (seconds: string, word = 'sleep'): string => `!!python/object/apply:time.${word} [${seconds}]`;

/** Documents like the site's own, with calls in them: those that show a result, and those that wait. None where it is no such document. */
export function shapedCalls(sample: string): { calls: SerializedCall[]; delays: Delaying[] } {
  const json = inJson(sample);
  if (json) return { calls: [within(nodeCall, json)], delays: [] };
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
