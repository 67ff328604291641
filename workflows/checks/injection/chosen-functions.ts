import type { InputSurface } from '../../model/surface.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import type { Computed } from './computed-result.ts';

/** A name of a function of some language, and what it gives. */
export type CalledFunction = Computed & {
  broken: string;
  /** Field that holds its argument, and what it gets. */
  argument?: { field: string; value: string };
};

const callingNames =
  /^(?:f|fns?|func(?:tion)?s?(?:[-_]?name)?|filters?|format(?:ter)?|methods?|call(?:back|able)?|cb|transform(?:er|ation)?|op(?:eration)?|action|convert(?:er)?|algo(?:rithm)?|hash(?:er)?|encod(?:e|er|ing)|handler|cmd|do|processor|modifier|apply|helper|proc|task|style|mode|type|class|map(?:per)?)$/i;
/** What functions of PHP, Python, JavaScript and Ruby that change a text are called. */
const knownFunctions =
  /^(?:strto(?:upper|lower)|uc(?:first|words)|lcfirst|strrev|md5|sha1|crc32|str_rot13|base64_(?:en|de)code|bin2hex|trim|nl2br|html(?:specialchars|entities)|url(?:en|de)code|strlen|upper|lower|title|swapcase|capitalize|casefold|to(?:Upper|Lower)Case|encodeURIComponent|escape|btoa|atob|reversed?|upcase|downcase|hex|len|json_encode|serialize|var_dump|print_r)$/;
const isName = /^[A-Za-z_]\w{0,39}$/;

/** Whether the value is, or may be, the name of a function. */
export const namesFunction = ({ parameter, sample, in: place, json, xml, encoded }: InputSurface): boolean =>
  (place === 'query' || place === 'body') &&
  !json &&
  !xml &&
  !encoded &&
  (isName.test(sample) || sample === '') &&
  (knownFunctions.test(sample) || callingNames.test(parameter));

const [a, b] = ['‹int›', '‹int2›'];
const result = '‹nonce›‹product:int:int2›‹nonce2›';
const command = `echo ‹nonce›$((${a}*${b}))‹nonce2›`;

/** Functions that run a command and those that evaluate code. A list of refused names rarely has all of the first. */
const withTexts: readonly (Computed & { broken: string; text: string })[] = [
  ...['shell_exec', 'system', 'passthru', 'exec'].map((name) => ({
    ...{ value: name, broken: `${name}q`, text: command, result },
  })),
  // Python and Ruby, then JavaScript.
  { value: 'eval', broken: 'evaq', text: `'‹nonce›%d‹nonce2›'%(${a}*${b})`, result },
  { value: 'eval', broken: 'evaq', text: `'‹nonce›'+${a}*${b}+'‹nonce2›'`, result },
];

/** Of the settings that PHP shows, what every page of them has. */
const settings: CalledFunction = { value: 'phpinfo', broken: 'phpinfq', result: 'PHP Version' };

const maxFields = 2;
const isText = ({ name, value }: { name: string; value: string }): boolean =>
  name !== '' && !/^\d+$/.test(value) && !/csrf|token|submit|button|action/i.test(name);

/** Calls to try: with each text that is sent beside the name as their argument, and without one. */
export function functionCalls({ others }: InputSurface): CalledFunction[] {
  const fields = others.filter(isText).slice(0, maxFields);
  return [
    ...withTexts.flatMap(({ text, ...call }) =>
      fields.map(({ name }) => ({ ...call, argument: { field: name, value: text } })),
    ),
    settings,
  ];
}

/** The input whose request has the argument beside the name. */
export const withArgument = (input: OpenedInput, { argument }: CalledFunction): OpenedInput =>
  argument === undefined
    ? input
    : {
        ...input,
        others: input.others.map((other) =>
          other.name === argument.field ? { ...other, value: argument.value } : other,
        ),
      };
