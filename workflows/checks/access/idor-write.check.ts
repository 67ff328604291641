import type { Candidate } from '../../model/candidate.ts';
import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import { partRoute } from '../../probe/program-parts.ts';
import { defineCheck, notApplicable } from '../contract.ts';
import { byRole } from '../sessions/roles.ts';
import { lacksIdentities } from '../sessions/site-login.ts';
import { type FormWrite, formExperiment, formWrites } from './form-writes.ts';
import {
  markRequest,
  memberOf,
  type ObjectWrite,
  objectPlan,
  objectRequest,
  objectWrites,
  personalTexts,
} from './object-writes.ts';

type OtherWrite = { object: ObjectWrite } | { form: FormWrite };

/** One user changes what belongs to another by naming its identifier. Source: CWE-639, API1:2023, WSTG-ATHZ-04. */
export const idorWrite = defineCheck<OtherWrite>({
  id: 'access.idor-write',
  title: 'IDOR: data of other users can be changed',
  cwe: 639,
  owasp: 'A01:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:N/I:H/A:N',
  depth: 'deep',
  risk: 'caution',

  async detect(context) {
    const [one, other] = byRole(context).users;
    if (!one || !other)
      return lacksIdentities(context, 'two identities without administrator rights, each with a proven login');
    const objects = await objectWrites(context, one, other);
    const forms = await formWrites(context, one, other);
    if (objects.length + forms.length === 0)
      return notApplicable('Nothing shows each user an object of their own with a text that could be changed.');
    return [
      ...objects.map((object) =>
        candidateFor({ url: object.url, method: object.method, parameter: object.member }, object, { object }),
      ),
      ...forms.map((each) =>
        candidateFor({ url: each.form.action, method: 'POST', parameter: each.form.field }, each, { form: each }),
      ),
    ];
  },

  confirm: (_context, { data }) => data && ('form' in data ? formExperiment(data.form) : experimentFor(data.object)),

  explain: {
    description:
      'The site takes an identifier from the address and changes what it names without asking whether it belongs to whoever is logged in. A text in an object of one user was replaced in the session of another one.',
    impact:
      'Any user can go through the identifiers and change the data of all others: addresses that orders go to, profiles, records. Where a text can be replaced, other members of the object can be as a rule.',
    sends:
      'Replaces a harmless text (a note, a street) in an object or the account of one test user as another one, by PATCH, by PUT where a document or script has that, and by its form; on a test system, where both texts are equal, by a random word. All is put back, and a read verifies that.',
    proves:
      'The owner’s object shows the text that another user sent; the same request without a login changes nothing. What is sent is the text of the other user’s own object, so that nothing of theirs can change. An attacker with any account changes the data of others.',
    remedy:
      'Make ownership part of every change: `UPDATE … WHERE id = $1 AND customer_id = $2` with the customer of the session, and answer 404 when no row matched. Enforce it in one place (row-level security, a policy layer, a scoped repository such as `current_user.orders.find(id)`), and test each method of each route with a second user.',
    references: [
      'CWE-639: https://cwe.mitre.org/data/definitions/639.html',
      'OWASP API1:2023 Broken Object Level Authorization: https://owasp.org/API-Security/editions/2023/en/0xa1-broken-object-level-authorization/',
      'WSTG-ATHZ-04: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/05-Authorization_Testing/04-Testing_for_Insecure_Direct_Object_References',
    ],
  },
});

const candidateFor = (
  place: { url: string; method: string; parameter: string },
  { owner, writer }: Pick<ObjectWrite, 'owner' | 'writer'>,
  data: OtherWrite,
): Candidate<OtherWrite> => ({
  location: { ...place, parameterIn: 'body' },
  // Ways to the same object are places of one mistake.
  route: partRoute(place.url),
  detail: `"${writer}" replaced the ${place.parameter} of an object of "${owner}"; it was put back.`,
  data,
});

function experimentFor(write: ObjectWrite): Experiment {
  const { url, twin, owner, writer } = write;
  const member = memberOf(write);
  const reads = (identity: string, of: string, note: string): Step => ({
    http: { url: of },
    identity,
    note,
    expect: [claim('status', 'equals', '200')],
    // As JSON writes it: it goes into JSON again.
    capture: [{ name: 'other', subject: member, pattern: '(?s)^"(.+)"$', secret: true }],
  });
  const change = (value: string | null, identity: string, note: string): Step => ({
    http: { ...objectRequest(write, value), secrets: personalTexts(write), write: objectPlan(write) },
    ...(identity === '' ? {} : { identity }),
    note,
    expect: [claim('status', 'less-than', '400')],
  });
  const shows = (note: string): Step => ({
    http: { url },
    identity: owner,
    note,
    expect: [claim('status', 'equals', '200'), claim(member, 'equals', '"‹other›"', 'The text of the other user.')],
  });
  const marks = (mark: NonNullable<ObjectWrite['marked']>): Step => ({
    http: markRequest(write, mark),
    identity: writer,
    note: 'Another user gives an object of their own a text that nobody has.',
    expect: [claim('status', 'less-than', '400')],
  });
  return {
    steps: [
      ...(write.marked ? [marks(write.marked)] : []),
      reads(writer, twin, 'Another user reads an object of their own.'),
      change('‹other›', writer, 'That user puts its text into the object of the owner.'),
      shows('The owner’s object has it.'),
    ],
    control: [
      change(write.before, owner, 'The owner puts back what was there.'),
      { ...change('‹other›', '', 'The same request without a login.'), expect: [claim('status', 'present')] },
      shows('It changes nothing: it is the other user’s session that makes the change.'),
    ],
  };
}
