import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import { decodedText } from '../../probe/html/decoded-text.ts';
import { fill, newTrialValues } from '../../proof/template.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { canaryAt } from '../inputs/canary.ts';
import { inputAction, type OpenedInput } from '../inputs/input-request.ts';
import { inputSteps, sendInput } from '../inputs/open-input.ts';
import { rootPath } from '../inputs/path-inputs.ts';
import { inputsToProbe } from '../inputs/probe-inputs.ts';
import { unlessKnownDataOnly } from './data-only.ts';
import { type DecidedPage, pageExperiment } from './decided-page.ts';
import { type Delayed, delayExperiment, delayedBy, mayCalculate } from './delays.ts';
import { isKnownOfAnother } from './interpreters.ts';
import { keptSigns } from './kept-signs.ts';
import { lookAtEach } from './look-at-each.ts';
import { onceForMissing } from './missing-page.ts';
import { foldersOfFew } from './repeated-inputs.ts';
import { delayingTemplates, loopingTemplates } from './template-delays.ts';
import { templateFailureAt } from './template-failures.ts';
import {
  asName,
  faultless,
  inFormat,
  isMemberName,
  lineTemplates,
  ownTemplates,
  type TemplateForm,
  withinTexts,
} from './template-forms.ts';
import { showsUnparsable } from './unparsable.ts';

type Evaluated = { input: OpenedInput; form: TemplateForm; detail: string; cvss?: string };
type Failing = { input: OpenedInput; decided: DecidedPage; detail: string };
type Looping = { input: OpenedInput; delayed: Delayed; detail: string };

const maxInputs = 300;

/** An expression in a value is calculated on the server. Source: CWE-1336, WSTG-INPV-18. */
export const template = defineCheck<Evaluated | Failing | Looping>({
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
    const given = inputsToProbe(context.surface);
    const asked = given.filter(({ isUnasked }) => !isUnasked);
    const inputs = [...given, ...foldersOfFew(context, asked), ...roots];
    if (inputs.length === 0) return notApplicable('No page takes a value that may be changed.');
    return lookAtEach(
      context,
      inputs,
      maxInputs,
      unlessKnownDataOnly(context, (input) =>
        onceForMissing(
          context,
          input,
          look,
          async (root, found) => 'form' in found && !!(await firstEvaluated(context, root, [found.form])),
        ),
      ),
    );
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The value becomes part of a template before the template is evaluated: an expression in it comes back as its result, here the product of two numbers that were chosen by chance, or one of two branches, between two words of ours. Without the signs of the language it comes back as it was.',
    impact:
      'Most languages for templates reach the objects of the application, and many the operating system: settings and keys can be read, and often commands be run on the server.',
    sends:
      'Sends a random word in each input; where it comes back, products of two random numbers, and conditions, in eighteen template languages, in several places; elsewhere signs without an end, and if they fail, divisions; with `writes: "create"` loops of up to four seconds.',
    proves:
      'The product stands where the expression was, or the taken branch, the name of the type, or a text sent in base64; or a division by a number makes the page and one by zero does not; or answers follow loops. Without the signs nothing is evaluated. A way to code is not shown.',
    remedy:
      'Keep templates in files and give values to them as data: `render_template("hello.html", name=name)`, never `render_template_string("Hello " + name)` (Flask); `$twig->render("hello.twig", ["name" => $name])`, never `createTemplate($text)`; in Thymeleaf never a value in the name of a view or between `__…__`. Where users have to write templates, use a language without logic (Mustache, Liquid), rendered in a process of its own.',
    references: [
      'CWE-1336: https://cwe.mitre.org/data/definitions/1336.html',
      'CWE-917: https://cwe.mitre.org/data/definitions/917.html',
      'WSTG-INPV-18: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/18-Testing_for_Server-side_Template_Injection',
    ],
  },
});

/** Only what comes back can come back calculated, but for names that stand in an expression. Of the rest, errors are evidence. */
async function look(context: CheckContext, input: OpenedInput): Promise<Evaluated | Failing | Looping | undefined> {
  const { word, exchange } = await canaryAt(context, input);
  const times = exchange.text.toLowerCase().split(word).length - 1;
  if (times === 0)
    return isMemberName(input.sample) || saysTemplateError(exchange.text)
      ? firstEvaluated(context, input, asName(input.sample))
      : lookAtFailures(context, input);
  const areBack = (forms: readonly TemplateForm[]) => comeBackAsTheyAre(context, input, forms, times);
  const firstOf = (forms: readonly TemplateForm[]) => firstEvaluated(context, input, forms);
  // Who renders a text with a mistake in it, as one in all languages is, may show the text itself.
  if (await areBack([...ownTemplates, ...withinTexts.slice(0, 2)]))
    return (await areBack(faultless)) ? undefined : firstOf(faultless);
  if (await isKnownOfAnother(context, input, ['xml'])) return undefined;
  // Filters take out the signs of tags, and leave those of other languages as they are.
  const isTag = ({ value }: TemplateForm) => /[<>]/.test(value);
  const areKept = await keptSigns(context, input);
  const [all, formats] = [[...ownTemplates, ...withinTexts], inFormat(input.sample)].map((forms) =>
    forms.filter(({ value }) => areKept(value)),
  ) as [TemplateForm[], TemplateForm[]];
  for (const forms of [formats, all.filter((form) => !isTag(form)), all.filter(isTag)]) {
    if (forms.length === 0) continue;
    const evaluated = (await areBack(forms)) ? undefined : await firstOfGroups(forms, areBack, firstOf);
    if (evaluated) return evaluated;
  }
  return evaluatedBehindLine(context, input, word, areBack);
}

async function lookAtFailures(context: CheckContext, input: OpenedInput): Promise<Failing | Looping | undefined> {
  const decided = await templateFailureAt(context, input);
  const detail = (where: string) => `The value stands in ${where}.`;
  if (decided) return { input, decided, detail: detail(`a template as ${decided.comparison.where}`) };
  // Where nothing shows what a value does, time does: on a test system.
  const isBlind = context.writes === 'create' && !(await showsUnparsable(context, input));
  if (!isBlind || !(await mayCalculate(context, input, loopingTemplates))) return undefined;
  const delayed = await delayedBy(context, input, delayingTemplates);
  return delayed && { input, delayed, detail: detail(delayed.delaying.where) };
}

/** What is decoded, or refused, on the way is so for the signs of one kind: the others still come back together as they are. */
async function firstOfGroups(
  forms: readonly TemplateForm[],
  areBack: (forms: readonly TemplateForm[]) => Promise<boolean>,
  firstOf: (forms: readonly TemplateForm[]) => Promise<Evaluated | undefined>,
): Promise<Evaluated | undefined> {
  const signs = ['%', '<', '"', "'", '#', '@'];
  const groups = Map.groupBy(forms, ({ value }) => signs.find((sign) => value.includes(sign)) ?? '{');
  for (const group of groups.values()) {
    const evaluated = group.length > 2 && (await areBack(group)) ? undefined : await firstOf(group);
    if (evaluated) return evaluated;
  }
  return undefined;
}

/**
 * A pattern for lines ("^[a-z ]+$", always in Ruby, elsewhere with a flag) takes a value of several lines of which one is as it
 * demands. Asked for once, where signs alone are refused.
 */
async function evaluatedBehindLine(
  context: CheckContext,
  input: OpenedInput,
  line: string,
  areBack: (forms: readonly TemplateForm[]) => Promise<boolean>,
): Promise<Evaluated | undefined> {
  const isTaken = async (value: string): Promise<boolean> => {
    const values = newTrialValues(context.nonce);
    const { text } = await sendInput(context, input, inputAction(input, value), values);
    return text.includes(fill('‹nonce›', values));
  };
  if ((await isTaken(`${line} ‹nonce› {{<%#`)) || !(await isTaken(`${line}\n‹nonce›`))) return undefined;
  const forms = [...lineTemplates, ...ownTemplates].map(
    (form): TemplateForm => ({ ...form, value: `${line}\n${form.value}`, inert: `${line}\n${form.inert}` }),
  );
  return firstOfGroups(forms, areBack, (some) => firstEvaluated(context, input, some));
}

/** What engines say of a name that nothing has. */
const saysTemplateError = (text: string): boolean =>
  /TemplateSyntaxError|UndefinedError|Template(?:Runtime)?Error|Twig\\?[\\_]Error|freemarker\.core|VariableDoesNotExist|is undefined\W+\d|ejs:\d+|Handlebars|Liquid (?:syntax )?error|nunjucks/i.test(
    text,
  );

async function firstEvaluated(
  context: CheckContext,
  input: OpenedInput,
  forms: readonly TemplateForm[],
): Promise<Evaluated | undefined> {
  for (const form of forms) {
    const trial = newTrialValues(context.nonce);
    const answer = await sendInput(context, input, inputAction(input, form.value), trial);
    if (answer.text.toLowerCase().includes(fill(form.result, trial).toLowerCase())) {
      const { detail, cvss } = form;
      return { input, form, detail, ...(cvss === undefined ? {} : { cvss }) };
    }
  }
  return undefined;
}

/**
 * Sends all values in one. A language among them would change its own one, or fail at another's: what comes back as often
 * as a word does, with nothing changed but how it is written, is evaluated nowhere.
 */
async function comeBackAsTheyAre(
  context: CheckContext,
  input: OpenedInput,
  forms: readonly TemplateForm[],
  times: number,
): Promise<boolean> {
  const values = newTrialValues(context.nonce);
  const value = forms.map((form) => form.value).join(' ');
  // What cuts a value, or writes something behind it, does so with the word at its end.
  const { text } = await sendInput(context, input, inputAction(input, `${value} ‹nonce3›`), values);
  return readable(text).split(readable(fill(value, values))).length - 1 >= times;
}

/** Links write a space as a plus, an address within an address is encoded twice, and names are given a capital. */
const readable = (text: string): string => decodedText(decodedText(text)).replaceAll('+', ' ').toLowerCase();

function experimentFor(data: Evaluated | Failing | Looping): Experiment {
  if ('delayed' in data) return delayExperiment(data.input, data.delayed);
  if ('decided' in data)
    return pageExperiment(data.input, data.decided, {
      language: 'expression of a template',
      whenTrue: 'With an expression that gives something behind the value, the page is made as usual.',
      whenFalse: 'With one of the same signs that fails when it is evaluated, the page is not.',
      broken: 'With one that cannot be parsed, the page is not made either.',
    });
  const { input, form } = data;
  const step = (value: string, note: string): Step[] =>
    inputSteps(input, inputAction(input, value), {
      note,
      expect: [claim('body', 'matches', `(?i)${form.result}`, form.seen)],
    });
  return {
    steps: step(form.value, 'What the language of the template evaluates comes back as its result.'),
    control: step(form.inert, 'Without the signs of the language, nothing is evaluated.'),
  };
}
