import { defineCheck, notApplicable } from '../contract.ts';
import { includeDirectives } from './include-directives.ts';
import { type Evaluation, evaluatedCandidate, evaluationExperiment } from './stored-evaluation.ts';
import { evaluatedFields } from './stored-expressions.ts';
import { noStoringForm, storedWords } from './stored-words.ts';

const vector = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:L/A:N';

/** What a visitor stores is carried out as directives when a page is made of it. Source: CWE-97, WSTG-INPV-08. */
export const storedIncludes = defineCheck<Evaluation>({
  id: 'injection.stored-includes',
  weakness: 'injection.server-includes',
  title: 'Server-side includes injection (SSI, ESI), stored',
  cwe: 97,
  owasp: 'A05:2025',
  cvss: vector,
  depth: 'deep',
  risk: 'caution',
  cost: 20,

  async detect(context) {
    const { forms, seen, sends } = await storedWords(context);
    if (forms.length === 0) return notApplicable(noStoringForm);
    const fields = await evaluatedFields(context, seen, sends, [{ forms: includeDirectives }]);
    return fields.map((field) => evaluatedCandidate({ field, sends }, vector));
  },

  async confirm(context, { data }) {
    return data && evaluationExperiment(context, data, wording);
  },

  explain: {
    description:
      'A text that a visitor stores is shown on a page in which the server, or a cache before it, carries out directives: a variable that the text sets was put out there.',
    impact:
      'Whoever may store the text includes files and internal addresses of the server into a page, reads its variables, and where programs may be run by directives, runs them.',
    sends:
      'Stores random words, and directives that set a variable and put it out (SSI, ESI) or have a shell multiply, at most 8 times for each form: in profiles that are put back, and with `writes: "create"` in all forms that may be tried. What stays is recorded with its place before it is sent.',
    proves:
      'On the page that shows the stored text two random words stand beside each other that only the directives bring together, or with a product between; with their names misspelt they do not. The server carries out what is stored.',
    remedy:
      'Encode on output: `<` as `&lt;`, so that a stored text is no markup of any kind. Turn server-side includes off where no page needs them (Apache `Options -Includes`, nginx `ssi off`), and have the cache carry out ESI only in answers that say so (`Surrogate-Control`).',
    references: [
      'CWE-97: https://cwe.mitre.org/data/definitions/97.html',
      'WSTG-INPV-08: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/08-Testing_for_SSI_Injection',
      'ESI Language Specification 1.0: https://www.w3.org/TR/esi-lang',
    ],
  },
});

const wording = {
  stored: 'Directives that set a variable and put it out are stored.',
  shown: 'The page that shows the stored text has what was set where it was put out.',
  storedInert: 'The same is stored with the names of the directives misspelt.',
};
