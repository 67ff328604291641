import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import { fill, newTrialValues } from '../../proof/template.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { inputAction, type OpenedInput } from '../inputs/input-request.ts';
import { experimentAt, type Looked, lookAtEach } from '../inputs/look-at-each.ts';
import { inputSteps, sendInput } from '../inputs/open-input.ts';
import { canaryAt } from './canary.ts';
import { decodedText } from './decoded-text.ts';
import { rootPath } from './path-inputs.ts';
import { inputsToProbe } from './probe-inputs.ts';

type Evaluated = { input: OpenedInput; expression: string; detail: string };

const maxInputs = 300;

const product = '‹int›*‹int2›';
/** How languages for templates write an expression, the commonest first, and some of those that do. */
const expressions: readonly [expression: string, languages: string][] = [
  [`{{${product}}}`, 'Jinja2, Twig, Nunjucks, Pebble'],
  [`\${${product}}`, 'Mako, Thymeleaf, JSP and Spring expressions'],
  [`<%=${product}%>`, 'ERB, EJS'],
  [`#{${product}}`, 'Pug, Slim, JSF'],
  [`{${product}}`, 'Smarty, Latte'],
  // FreeMarker puts separators into numbers unless they are for a computer.
  [`\${(${product})?c}`, 'FreeMarker'],
  [`@(${product})`, 'Razor'],
  [`{{=${product}}}`, 'doT'],
  [`[[\${${product}}]]`, 'Thymeleaf'],
  [`#set($x=${product})$x`, 'Velocity'],
  [`*{${product}}`, 'Spring expressions'],
];

/** An expression in a value is calculated on the server. Source: CWE-1336, WSTG-INPV-18. */
export const template = defineCheck<Looked<Evaluated>>({
  id: 'injection.template',
  title: 'Server-side template injection (SSTI)',
  cwe: 1336,
  owasp: 'A05:2025',
  // What was shown is arithmetic. From there to code depends on the language and its sandbox, hence the high complexity.
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:H',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',

  async detect(context) {
    // Pages for what is not there are often made of a text with the path in it.
    const roots = context.surface.origins
      .filter(({ origin, redirectsTo }) => !redirectsTo || redirectsTo.startsWith(`${origin}/`))
      .map(({ origin }) => rootPath(origin));
    const inputs = [...inputsToProbe(context.surface), ...roots];
    if (inputs.length === 0) return notApplicable('No page takes a value that may be changed.');
    return lookAtEach(context, inputs, maxInputs, (input) => look(context, input));
  },

  confirm: (_context, candidate) => experimentAt(candidate, experimentFor),

  explain: {
    description:
      'The value becomes part of a template before the template is evaluated: an expression in it comes back as its result, here the product of two numbers that were chosen by chance, between two words of ours. Without the signs around it the expression comes back as it was.',
    impact:
      'Most languages for templates reach the objects of the application, and many the operating system: settings and keys can be read, and often commands be run on the server.',
    sends:
      'Sends a random word in each input, and where it comes back, products of two random numbers in the syntax of eleven template languages.',
    proves:
      'The product stands where the expression was; without the signs of an expression nothing is calculated. The server evaluates input. That an attacker gets from there to files or code is not shown.',
    remedy:
      'Keep templates in files and give values to them as data: `render_template("hello.html", name=name)`, never `render_template_string("Hello " + name)` (Flask); `$twig->render("hello.twig", ["name" => $name])`, never `createTemplate($text)`; in Thymeleaf never a value in the name of a view or between `__…__`. Where users have to write templates, use a language without logic (Mustache, Liquid), rendered in a process of its own.',
    references: [
      'CWE-1336: https://cwe.mitre.org/data/definitions/1336.html',
      'CWE-917: https://cwe.mitre.org/data/definitions/917.html',
      'WSTG-INPV-18: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/18-Testing_for_Server-side_Template_Injection',
    ],
  },
});

/** Only what comes back can come back calculated. */
async function look(context: CheckContext, input: OpenedInput): Promise<Evaluated | undefined> {
  const { word, exchange } = await canaryAt(context, input);
  const times = exchange.text.split(word).length - 1;
  if (times === 0 || (await comesBackAsItIs(context, input, times))) return undefined;
  for (const [expression, languages] of expressions) {
    const trial = newTrialValues(context.nonce);
    const answer = await sendInput(context, input, inputAction(input, between(expression)), trial);
    if (answer.text.includes(fill(result, trial)))
      return { input, expression, detail: `Expressions are written as in ${languages}.` };
  }
  return undefined;
}

/**
 * Sends all expressions in one value. A language among them would change its own one, or fail at another's: what comes back as often
 * as a word does, with nothing changed but how it is written, is evaluated nowhere.
 */
async function comesBackAsItIs(context: CheckContext, input: OpenedInput, times: number): Promise<boolean> {
  const values = newTrialValues(context.nonce);
  const value = between(expressions.map(([expression]) => expression).join(' '));
  const { text } = await sendInput(context, input, inputAction(input, value), values);
  return decodedText(text).split(decodedText(fill(value, values))).length - 1 >= times;
}

const between = (text: string): string => `‹nonce›${text}‹nonce2›`;
const result = between('‹product:int:int2›');

function experimentFor({ input, expression }: Evaluated): Experiment {
  const step = (value: string, note: string): Step[] =>
    inputSteps(input, inputAction(input, value), {
      note,
      expect: [claim('body', 'contains', result, 'The product stands where the expression was.')],
    });
  return {
    steps: step(between(expression), 'An expression in the value comes back as its result.'),
    control: step(between(product), 'Without the signs of an expression, nothing is calculated.'),
  };
}
