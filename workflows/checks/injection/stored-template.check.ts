import { defineCheck, notApplicable } from '../contract.ts';
import { type Evaluation, evaluatedCandidate, evaluationExperiment } from './stored-evaluation.ts';
import { evaluatedFields } from './stored-expressions.ts';
import { evaluatedMemberNames } from './stored-member-names.ts';
import { noStoringForm, storedWords } from './stored-words.ts';
import { inOwnFormat, togetherInText } from './template-forms.ts';

// What was shown is arithmetic, as with templates that are evaluated at once.
const vector = 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:H';

/** What a visitor stores is evaluated as a template when a page is made of it. Source: CWE-1336, WSTG-INPV-18. */
export const storedTemplate = defineCheck<Evaluation>({
  id: 'injection.stored-template',
  title: 'Server-side template injection (SSTI), stored',
  cwe: 1336,
  owasp: 'A05:2025',
  cvss: vector,
  depth: 'deep',
  risk: 'caution',
  cost: 60,

  async detect(context) {
    const { forms, seen, sends } = await storedWords(context);
    if (forms.length === 0) return notApplicable(noStoringForm);
    // A form is sent a few times only: what its own text says of the language comes first.
    const formats = await evaluatedMemberNames(context, forms, sends, inOwnFormat);
    const others = new Map([...seen].filter(([{ form }]) => !formats.some((field) => field.form === form)));
    const shown = [...formats, ...(await evaluatedFields(context, others, sends, togetherInText))];
    const looked = forms.filter((form) => !shown.some((field) => field.form === form));
    return [...shown, ...(await evaluatedMemberNames(context, looked, sends))].map((field) =>
      evaluatedCandidate({ field, sends }, vector),
    );
  },

  async confirm(context, { data }) {
    return data && evaluationExperiment(context, data, wording);
  },

  explain: {
    description:
      'A text that a visitor stores becomes part of a template before a page is made of it: an expression in it is shown there as its result, the product of two numbers that were chosen by chance. Without the signs of the language it is shown as it was stored.',
    impact:
      'Most languages for templates reach the objects of the application, and many the operating system: whoever may store the text can read settings and keys, and often run commands on the server.',
    sends:
      'Stores random words, products of two random numbers in the syntax of some fifteen template languages, and in texts with placeholders those of `str.format`, at most 8 times for each form: in profiles that are put back, with `writes: "create"` in all that may be tried. What stays is recorded before.',
    proves:
      'The page that shows the stored text has the product in place of the expression, or the name of a type in place of a placeholder; without the signs of the language neither. The server evaluates what is stored. That an attacker gets from there to files or code is not shown.',
    remedy:
      'Give stored texts to templates as data: `render_template("profile.html", about=user.about)`, never `render_template_string("<p>" + user.about)` (Flask), `ejs.render(text + user.name)` or `createTemplate($text)` (Twig). Where users have to write templates, use a language without logic (Mustache, Liquid), rendered in a process of its own.',
    references: [
      'CWE-1336: https://cwe.mitre.org/data/definitions/1336.html',
      'WSTG-INPV-18: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/18-Testing_for_Server-side_Template_Injection',
    ],
  },
});

const wording = {
  stored: 'An expression between two words is stored.',
  shown: 'The page that shows the stored text has the result of the expression.',
  storedInert: 'Two other numbers are stored without the signs of the language.',
};
