import { defineCheck, notApplicable } from '../contract.ts';
import { storedCalculations } from './sql-stored-values.ts';
import { type Evaluation, evaluatedCandidate, evaluationExperiment } from './stored-evaluation.ts';
import { evaluatedFields } from './stored-expressions.ts';
import { noStoringForm, storedWords } from './stored-words.ts';

// The statement writes, and a subquery in it reads what the page then shows.
const vector = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:L/A:N';

/** A value that is stored is calculated by the statement that stores it. Source: CWE-89, WSTG-INPV-05. */
export const sqlStored = defineCheck<Evaluation>({
  id: 'injection.sql-stored',
  weakness: 'sql-injection',
  title: 'SQL injection (INSERT or UPDATE)',
  cwe: 89,
  owasp: 'A05:2025',
  cvss: vector,
  depth: 'deep',
  risk: 'caution',
  cost: 30,

  async detect(context) {
    const { forms, seen, sends } = await storedWords(context);
    if (forms.length === 0) return notApplicable(noStoringForm);
    const fields = await evaluatedFields(context, seen, sends, storedCalculations);
    return fields.map((field) => evaluatedCandidate({ field, sends }, vector));
  },

  async confirm(context, { data }) {
    return data && evaluationExperiment(context, data, wording);
  },

  explain: {
    description:
      'The value becomes part of the text of the statement that stores it (INSERT or UPDATE): a quote in it ends the text that it was meant to be, and what follows is calculated by the database. The page that shows what was stored has the product of two numbers that were chosen by chance. With the quotes doubled it has the text.',
    impact:
      'Whoever can store the value puts a subquery in the place of the product, and reads on the page whatever the application can read, passwords and customers included. The other columns of the row can be written as well, such as a role or an owner.',
    sends:
      'Stores random words, and a number that the database calculates (`0\'+(CASE 1 WHEN 1 THEN a*b END)+\'0`), at most 8 times for each form: in profiles that are put back, and with `writes: "create"` in all forms that may be tried, names of files and logged headers. Compares nothing with a row.',
    proves:
      'The page that shows what was stored has the product in place of the value; with the quotes doubled, as SQL writes them within a text, it does not. The database evaluates what is stored. No table was read.',
    remedy:
      'Bind values instead of putting them into the statement: `db.prepare("INSERT INTO notes (text) VALUES (?)").run(text)` (Node), `$stmt = $pdo->prepare("UPDATE users SET city = :city WHERE id = :id")` (PHP), `cursor.execute("INSERT INTO notes (text) VALUES (%s)", (text,))` (Python), `PreparedStatement` (Java). Headers such as `User-Agent` and names of files come from the visitor, too. Hiding error messages is no remedy.',
    references: [
      'CWE-89: https://cwe.mitre.org/data/definitions/89.html',
      'WSTG-INPV-05: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/05-Testing_for_SQL_Injection',
      'OWASP SQL Injection Prevention Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/SQL_Injection_Prevention_Cheat_Sheet.html',
    ],
  },
});

const wording = {
  stored: 'A calculation is stored behind a quote.',
  shown: 'The page that shows what was stored has the result: the database has calculated it.',
  storedInert: 'Two other numbers are stored with the quotes doubled, as SQL writes a quote within a text.',
};
