import type { Candidate } from '../../model/candidate.ts';
import type { Assertion, Experiment, HttpAction, Step } from '../../model/experiment.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { openInput } from '../inputs/open-input.ts';
import { attempt, attemptSteps, type LoginAttempt } from '../logins/attempt.ts';
import { isLocked } from '../logins/entrance.ts';
import { type Login, loginAction } from '../logins/login.ts';
import { guesses, refusalOf, saysMore } from './code-refusals.ts';
import { letsWait } from './pace.ts';
import { pinLogins } from './pin-logins.ts';
import { type SteppedCode, steppedCodes, steppedControl } from './stepped-codes.ts';

type GuessableCode = { login: Login; pageUrl: string; tried: LoginAttempt; refused: Assertion[] };

/** Wrong codes of a few digits are taken one after the other. Source: CWE-307, CWE-799, WSTG-ATHN-03. */
export const codeGuessing = defineCheck<GuessableCode | { stepped: SteppedCode }>({
  id: 'guessing.code-guessing',
  title: 'Weak lockout: 25 guesses of a PIN or code in a row are not limited',
  cwe: 307,
  owasp: 'A07:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  depth: 'deep',
  risk: 'caution',
  triesLogins: true,
  cost: 90,

  async detect(context) {
    const logins = pinLogins(context.surface);
    const stepped = context.writes === 'create' ? await steppedCodes(context) : [];
    if (logins.length + stepped.length === 0)
      return notApplicable('No form opens something with a PIN alone, and none takes a code that could be guessed.');
    const found: Candidate<GuessableCode | { stepped: SteppedCode }>[] = stepped.map(steppedCandidate);
    for (const each of logins) {
      const login = { ...each, input: await openInput(context, each.input) };
      const guessable = await withoutLimit(context, login);
      if (!guessable) continue;
      const { url, method, in: place, route } = login.input;
      found.push({
        location: { url, method, parameter: login.passwordField, parameterIn: place },
        route,
        detail: `${guesses} wrong codes in a row were each looked at and refused in the same words.`,
        data: guessable,
      });
    }
    return found;
  },

  confirm: (_context, { data }) => {
    if (!data) return undefined;
    return 'stepped' in data
      ? { steps: data.stepped.steps, control: steppedControl(data.stepped) }
      : experimentFor(data);
  },

  explain: {
    description:
      'A form that opens something with a PIN, or takes the code of a second factor or of a new password, takes one wrong code after the other: none is refused for being one too many, and no captcha is asked for.',
    impact: 'A code of four digits is one of 10,000: an attacker tries them all in minutes, and opens what it guards.',
    sends: `Sends a form with a PIN and no name ${guesses} wrong codes, three times, last of the deep checks; with \`writes: "create"\` also that for the code behind the password of a shown account, and for a new password of its own account or a name that pages show. It stops at the first answer that differs.`,
    proves: `${guesses} wrong codes in a row are refused in the words of the first, twice; the page itself does not have these words. An attacker goes on guessing. That the right code would still open it is not shown.`,
    remedy:
      'Count wrong codes for each thing that a code opens, on the server, and close it for a while after a few; take longer codes with letters, or a password beside a name.',
    references: [
      'CWE-307: https://cwe.mitre.org/data/definitions/307.html',
      'WSTG-ATHN-03: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/04-Authentication_Testing/03-Testing_for_Weak_Lock_Out_Mechanism',
    ],
  },
});

const steppedCandidate = (stepped: SteppedCode): Candidate<{ stepped: SteppedCode }> => ({
  location: { url: stepped.url, method: 'POST', parameter: stepped.parameter, parameterIn: 'body' },
  detail: `${guesses} wrong codes in a row were each looked at and refused in the same words.`,
  data: { stepped },
});

/** Codes of four digits that are no usual ones; the right one may be among them by chance, which ends the look. */
const codeAt = (place: number): string => String(2_603 + place * 317).slice(0, 4);
const guess = (login: Login, place: number): HttpAction | undefined => loginAction(login, '', codeAt(place));

async function withoutLimit(context: CheckContext, login: Login): Promise<GuessableCode | undefined> {
  const pageUrl = login.input.page?.url ?? login.input.url;
  const page = await context.http.get(pageUrl, { fresh: true });
  const answers: LoginAttempt[] = [];
  let refused: Assertion[] | undefined;
  for (let place = 0; place < guesses; place += 1) {
    const action = guess(login, place);
    const tried = action && (await attempt(context, login, action, 'guess'));
    if (!tried || isLocked(tried.exchange)) return undefined;
    answers.push(tried);
    if (
      letsWait(
        answers.map(({ exchange }) => exchange),
        guesses,
      )
    )
      return undefined;
    const [first, second] = answers;
    if (!first || !second) continue;
    refused ??= refusalOf([first.exchange, second.exchange], page);
    if (!refused || tried.exchange.status !== first.exchange.status) return undefined;
    if (saysMore(tried.exchange, [first.exchange, second.exchange, page])) return undefined;
  }
  const [tried] = answers;
  return tried && refused && { login, pageUrl, tried, refused };
}

function experimentFor({ login, pageUrl, tried, refused }: GuessableCode): Experiment {
  const steps = Array.from({ length: guesses }, (_, place): Step[] => {
    const action = guess(login, place);
    const note = `Wrong code ${place + 1} of ${guesses}.`;
    return action ? attemptSteps(login, { ...tried, action }, { note, expect: refused }) : [];
  });
  return {
    steps: steps.flat(),
    control: [{ http: { url: pageUrl }, note: 'The page itself does not have these words.', expect: refused }],
  };
}
