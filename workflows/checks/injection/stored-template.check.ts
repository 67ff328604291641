import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import { defineCheck, notApplicable } from '../contract.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { inputSteps } from '../inputs/open-input.ts';
import { openedInput, type Sends, sendsLeft, sendsOfProof, storingAction } from './plant.ts';
import { type EvaluatedField, evaluatedFields } from './stored-expressions.ts';
import { noStoringForm, storedWords } from './stored-words.ts';

type Stored = { field: EvaluatedField; sends: Sends };

/** What a visitor stores is evaluated as a template when a page is made of it. Source: CWE-1336, WSTG-INPV-18. */
export const storedTemplate = defineCheck<Stored>({
  id: 'injection.stored-template',
  title: 'Server-side template injection (SSTI), stored',
  cwe: 1336,
  owasp: 'A05:2025',
  // What was shown is arithmetic, as with templates that are evaluated at once.
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:H',
  depth: 'deep',
  risk: 'caution',
  cost: 60,

  async detect(context) {
    const { forms, seen, sends } = await storedWords(context);
    if (forms.length === 0) return notApplicable(noStoringForm);
    const fields = await evaluatedFields(context, seen, sends);
    return fields.map((field) => candidateFor({ field, sends }));
  },

  async confirm(context, { data }) {
    if (!data) return undefined;
    const { form, parameter } = data.field;
    if (sendsLeft(data.sends, form) < sendsOfProof) {
      const text = `${parameter}, whose expression was evaluated, was not proven: a form is sent 8 times at most`;
      context.leave({ code: 'guessed', count: 1, text });
      return undefined;
    }
    data.sends.set(form, (data.sends.get(form) ?? 0) + sendsOfProof);
    const input = await openedInput(context, form, parameter);
    return input && experimentFor(data.field, input);
  },

  explain: {
    description:
      'A text that a visitor stores becomes part of a template before a page is made of it: an expression in it is shown there as its result, the product of two numbers that were chosen by chance. Without the signs of the language it is shown as it was stored.',
    impact:
      'Most languages for templates reach the objects of the application, and many the operating system: whoever may store the text can read settings and keys, and often run commands on the server.',
    sends:
      'Stores random words, and products of two random numbers in the syntax of some fifteen template languages, at most 8 times for each form: in profiles that are put back, and with `writes: "create"` in all forms that may be tried. What stays is recorded with its place before it is sent.',
    proves:
      'The page that shows the stored text has the product in place of the expression; without the signs of the language it is not calculated. The server evaluates what is stored. That an attacker gets from there to files or code is not shown.',
    remedy:
      'Give stored texts to templates as data: `render_template("profile.html", about=user.about)`, never `render_template_string("<p>" + user.about)` (Flask), `ejs.render(text + user.name)` or `createTemplate($text)` (Twig). Where users have to write templates, use a language without logic (Mustache, Liquid), rendered in a process of its own.',
    references: [
      'CWE-1336: https://cwe.mitre.org/data/definitions/1336.html',
      'WSTG-INPV-18: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/18-Testing_for_Server-side_Template_Injection',
    ],
  },
});

function candidateFor(data: Stored) {
  const { form, parameter, sighting, template } = data.field;
  const input = form.inputs.find((each) => each.parameter === parameter);
  const who = form.identity === '' ? 'Anybody' : `The test identity "${form.identity}"`;
  return {
    location: {
      url: input?.url ?? form.pageUrl,
      method: input?.method ?? 'POST',
      parameter,
      parameterIn: input?.in ?? ('body' as const),
    },
    ...(input ? { route: input.route } : {}),
    detail: `${who} stores the value, and ${sighting.url} shows it calculated. ${template.detail}`,
    ...(form.identity === '' ? {} : { cvss: 'CVSS:3.1/AV:N/AC:H/PR:L/UI:N/S:U/C:H/I:H/A:H' }),
    data,
  };
}

function experimentFor({ form, sighting, template }: EvaluatedField, input: OpenedInput): Experiment {
  const sender = form.identity === '' ? {} : { identity: form.identity };
  const place = sighting.isOfEntry ? `${new URL(sighting.url).origin}‹place›` : sighting.url;
  const store = (value: string, note: string): Step[] =>
    inputSteps(input, storingAction(form, input, value), {
      note,
      expect: [claim('status', 'less-than', '500')],
      hasEffect: true,
      ...(sighting.isOfEntry && {
        capture: [{ name: 'place', subject: 'header:location', pattern: '^(?:https?://[^/]+)?(/[^#]*)' }],
      }),
    }).map((step) => ({ ...step, ...sender }));
  const show = (result: string, note: string): Step => ({
    http: { url: place },
    ...(sighting.viewer === '' ? {} : { identity: sighting.viewer }),
    note,
    expect: [claim('body', 'contains', result, 'The product stands where the expression was.')],
  });
  return {
    steps: [
      ...store(template.value, 'An expression between two words is stored.'),
      show(template.result, 'The page that shows the stored text has the result of the expression.'),
    ],
    control: [
      ...store(withOtherValues(template.inert), 'Two other numbers are stored without the signs of the language.'),
      show(withOtherValues(template.result), 'Nothing is calculated.'),
    ],
  };
}

/** A list of entries still shows the first product. */
const withOtherValues = (text: string): string =>
  text.replace(/\b(nonce|int)(\d?)(?=[›:])/g, (_, name, place) => `${name}${Number(place || 1) + 2}`);
