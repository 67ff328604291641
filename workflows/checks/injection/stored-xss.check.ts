import type { Candidate } from '../../model/candidate.ts';
import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import { type CheckContext, defineCheck, notApplicable, notRun } from '../contract.ts';
import { dialogPattern } from '../dom/script-calls.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { inputSteps } from '../inputs/open-input.ts';
import { stepsToEntry } from './entry-places.ts';
import { isHandedOver } from './handed-over.ts';
import { openedInput, type Sends, sendsLeft, sendsOfProof, storingAction } from './plant.ts';
import { storedScriptKinds, storedScriptOf } from './stored-script-fact.ts';
import { clicksOfRunning, type Running, runningFields } from './stored-scripts.ts';
import { type ShownField, shownFields } from './stored-values.ts';
import { noStoringForm, storedWords } from './stored-words.ts';
import type { StoringForm } from './storing-form.ts';
import { withOtherFillers } from './storing-forms.ts';

/** Where a form stores script and who runs it; JSON, so that a replay goes straight to it. */
type Stored = { form: StoringForm; parameter: string; running: Running };

/** What one visitor stores is run as script in a page that another one is shown. Source: CWE-79, WSTG-INPV-02. */
export const storedXss = defineCheck<Stored>({
  id: 'injection.stored-xss',
  title: 'Stored cross-site scripting (XSS)',
  cwe: 79,
  owasp: 'A05:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
  depth: 'deep',
  risk: 'caution',
  cost: 120,

  async detect(context) {
    const { forms, seen, sends } = await storedWords(context);
    if (forms.length === 0) return notApplicable(noStoringForm);
    const unavailable = await context.browser.unavailable();
    if (unavailable !== undefined) return notRun('browser_unavailable', unavailable);
    const fields = await shownFields(context, seen, sends);
    const candidates = [];
    for (const [form, ofForm] of Map.groupBy(fields, ({ form }) => form))
      for (const [field, running] of await runningFields(context, form, ofForm, sends))
        if (isLeftToProve(context, field, sends)) candidates.push(candidateFor(context, field, running));
    return candidates;
  },

  async confirm(context, { data }) {
    const input = data && (await openedInput(context, data.form, data.parameter));
    return data && input && experimentFor(data, input);
  },

  gives: {
    kinds: storedScriptKinds,
    facts: ({ data }) => (data ? storedScriptOf(data.form, data.parameter, data.running) : []),
  },

  explain: {
    description:
      'A page shows what a visitor has stored without encoding it for the place where it stands, so the text can carry script that runs in the browser of everybody who opens the page.',
    impact:
      'Whoever can store such a text acts as each visitor who opens the page, without a link that has to be followed: reads what the site shows them, changes their data, or asks for their password. Where administrators read it, the site is taken over.',
    sends:
      'Stores random words, the signs that script needs, and texts that open a dialog, at most 8 times for each form: in profiles that are put back, and with `writes: "create"` in all forms that may be tried, of registrations too, and in three headers. What stays is recorded with its place first.',
    proves:
      'A real browser of another visitor (or of nobody) opens the page and runs the stored script (`alert` with the nonce); the nonce alone runs nothing. Of tickets, orders and the like, which those who run the site read, the page of their sender counts. An attacker’s text acts as whoever opens the page.',
    remedy:
      'Encode on output for the place where the value stands, by a template engine that does so by default (React, Jinja2 with autoescape, Razor, Thymeleaf `th:text`): `<p>{{ comment.text }}</p>`, never `| safe`, `innerHTML` or string building. Where visitors may use markup, clean it when it is put out: DOMPurify, OWASP Java HTML Sanitizer, `nh3`. A Content-Security-Policy with nonces is the second line.',
    references: [
      'CWE-79: https://cwe.mitre.org/data/definitions/79.html',
      'WSTG-INPV-02: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/02-Testing_for_Stored_Cross_Site_Scripting',
      'OWASP XSS Prevention Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/Cross_Site_Scripting_Prevention_Cheat_Sheet.html',
    ],
  },
});

/** The sends of a proof are counted before the proofs begin: those of several fields of a form are proven one by one. */
function isLeftToProve(context: CheckContext, { form, parameter }: ShownField, sends: Sends): boolean {
  if (sendsLeft(sends, form) < sendsOfProof) {
    const text = `${parameter}, which ran a text, was not proven: a form is sent 8 times at most`;
    context.leave({ code: 'guessed', count: 1, text });
    return false;
  }
  sends.set(form, (sends.get(form) ?? 0) + sendsOfProof);
  return true;
}

function candidateFor(
  context: CheckContext,
  { form, parameter, sightings }: ShownField,
  running: Running,
): Candidate<Stored> {
  const input = form.inputs.find((each) => each.parameter === parameter);
  const [first] = sightings;
  const isOwn = form.identity !== '' && sightings.every(({ viewer }) => viewer === form.identity);
  const who = form.identity === '' ? 'Anybody' : `The test identity "${form.identity}"`;
  const handedOver = isOwn && isHandedOver(context, form);
  const shown = handedOver
    ? 'them; it is written to those who run the site, whose own pages the audit cannot see'
    : isOwn
      ? 'them, as the only test identity that there is'
      : first?.viewer === ''
        ? 'everybody'
        : `"${first?.viewer}"`;
  return {
    location: {
      url: input?.url ?? form.pageUrl,
      method: input?.method ?? 'POST',
      parameter,
      parameterIn: input?.in ?? ('body' as const),
    },
    ...(input ? { route: input.route } : {}),
    detail: `${who} stores the value, and ${first?.url} shows it to ${shown}.`,
    ...(handedOver
      ? { cvss: 'CVSS:3.1/AV:N/AC:H/PR:L/UI:R/S:C/C:L/I:L/A:N' }
      : isOwn
        ? { cvss: 'CVSS:3.1/AV:N/AC:H/PR:L/UI:R/S:U/C:L/I:L/A:N' }
        : form.identity === ''
          ? {}
          : { cvss: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:R/S:C/C:L/I:L/A:N' }),
    data: { form: { ...form, inputs: input ? [input] : [] }, parameter, running },
  };
}

function experimentFor({ form, running }: Stored, input: OpenedInput): Experiment {
  const { payload, sighting } = running;
  const clicks = clicksOfRunning(running);
  const sender = form.identity === '' ? {} : { identity: form.identity };
  const entry = stepsToEntry(form, sighting);
  const store = (value: string, note: string, sent = input): Step[] => [
    ...inputSteps(sent, storingAction(form, sent, value), {
      note,
      expect: [claim('status', 'less-than', '500')],
      hasEffect: true,
      ...(entry.captures.length > 0 && { capture: entry.captures }),
    }).map((step) => ({ ...step, ...sender })),
    ...entry.steps,
  ];
  const show = (nonce: string, note: string): Step => ({
    browser: { url: entry.url, ...(clicks.length > 0 && { clicks }) },
    ...(sighting.viewer === '' ? {} : { identity: sighting.viewer }),
    note,
    expect: [claim('browser:dialogs', 'matches', dialogPattern(nonce), 'The page opened a dialog with the nonce.')],
  });
  return {
    steps: [
      ...store(payload.value, 'The text is stored.'),
      show('‹nonce›', 'Another visitor opens the page, and the browser runs the script in the text.'),
    ],
    control: [
      ...store('‹nonce2›', 'A word without script around it is stored in the same way.', withOtherFillers(input)),
      show('‹nonce2›', 'It is no script: no dialog opens with that word.'),
    ],
  };
}
