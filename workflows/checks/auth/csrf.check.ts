import type { Candidate } from '../../model/candidate.ts';
import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import { type ProfileForm, profileForms, sendForm } from '../accounts/profile-forms.ts';
import { defineCheck, notApplicable } from '../contract.ts';
import { inOwnSession, type LoginIdentity, type MarkedPage, withOwnSession } from '../sessions/own-sessions.ts';
import { type ForeignCookies, foreignCookies, sessionOfOthers } from './foreign-cookies.ts';
import { type ForgedEntry, forgedEntries, forgedEntryExperiment } from './forged-entries.ts';

type Forgeable = { identity: LoginIdentity; page: MarkedPage; cookies: string[] } & (
  | { form: ProfileForm }
  | { entry: ForgedEntry }
);

/** Forms that are tried; each is changed and put back four times. */
const maxForms = 2;

/** A page of another site can change data of a logged-in user. Source: CWE-352, WSTG-SESS-05. */
export const csrf = defineCheck<Forgeable>({
  id: 'auth.csrf',
  title: 'Cross-site request forgery (CSRF)',
  cwe: 352,
  owasp: 'A01:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:N/I:H/A:N',
  depth: 'deep',
  risk: 'caution',

  detect: (context) =>
    withOwnSession<Forgeable>(context, async (session, page, identity) => {
      const forms = await profileForms(context, identity, maxForms, { byGet: true });
      const candidates = [];
      for (const [method, ofMethod] of Map.groupBy(forms, (form) => form.method)) {
        const cookies = await foreignCookies(context, page, session, method);
        for (const form of cookies ? ofMethod : [])
          if (cookies) candidates.push(candidateFor({ identity, page, cookies: cookies.names, form }, cookies));
      }
      const posted = await foreignCookies(context, page, session, 'POST');
      const entries = posted ? await forgedEntries(context, identity, session, posted.names) : [];
      for (const entry of entries)
        if (posted) candidates.push(candidateFor({ identity, page, cookies: posted.names, entry }, posted));
      return posted && forms.length + entries.length === 0
        ? notApplicable('No form shows what it changes or adds, so none can be tried.')
        : candidates;
    }),

  confirm: (_context, { data }) =>
    data &&
    ('entry' in data
      ? forgedEntryExperiment(data.identity, data.page, data.cookies, data.entry)
      : experimentFor(data, data.form)),

  explain: {
    description:
      'A form that changes data of the account was accepted as another site’s page would send it: with the cookies that browsers send along from there, the Origin of a foreign site, and nothing that only the site’s own page knows.',
    impact:
      'Whoever gets a logged-in user to open a page of theirs changes the account in the user’s name, unseen: where orders are delivered to, the mail address, settings.',
    sends:
      'Logs in and sends up to 2 profile forms as a page of another site would: foreign `Origin`, no form token, only cookies that browsers send across sites. The old value is put back, and read to verify that. With `writes: "create"` up to 4 forms that add something as well, up to five times: that stays.',
    proves:
      'The user’s data shows the random value; the same form without the cookies changes nothing. An attacker’s page changes data of a logged-in user. The request is made as browsers make it, not by a browser.',
    remedy:
      'Set SameSite=Lax (or Strict) on the session cookie, and put a secret of the session into each form that is checked when it comes back: Django `{% csrf_token %}`, Rails `protect_from_forgery`, Laravel `@csrf`, Spring Security and ASP.NET Core antiforgery by default, Express `csrf-csrf`. A second line for all unsafe methods: refuse when `Sec-Fetch-Site` is there and is not `same-origin`, or `Origin` is not your own. APIs that take JSON refuse every other Content-Type.',
    references: [
      'CWE-352: https://cwe.mitre.org/data/definitions/352.html',
      'OWASP CSRF Prevention Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html',
      'WSTG-SESS-05: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/06-Session_Management_Testing/05-Testing_for_Cross_Site_Request_Forgery',
    ],
  },
});

function candidateFor(data: Forgeable, { isSentByAll }: ForeignCookies): Candidate<Forgeable> {
  const { form, field } = 'entry' in data ? data.entry : { form: data.form, field: data.form.field };
  const isByGet = form.method === 'GET';
  const cvss = (complexity: 'L' | 'H') =>
    `CVSS:3.1/AV:N/AC:${complexity}/PR:N/UI:R/S:U/C:N/I:${'entry' in data ? 'L' : 'H'}/A:N`;
  return {
    location: {
      url: form.action,
      method: form.method,
      parameter: field,
      parameterIn: isByGet ? 'query' : 'body',
    },
    detail: isByGet
      ? 'A link changes it: browsers send the session cookie with links of other sites, unless it is SameSite=Strict.'
      : isSentByAll
        ? 'The session cookie is SameSite=None, so every browser sends it from other sites.'
        : 'The session cookie has no SameSite: browsers differ in whether they send it with a form of another site.',
    cvss: cvss(isSentByAll ? 'L' : 'H'),
    data,
  };
}

function experimentFor({ identity, page, cookies }: Forgeable, form: ProfileForm): Experiment {
  const foreignSession = sessionOfOthers(identity, page, cookies);
  const { header } = foreignSession;
  const forged = (value: string, cookie: string | undefined, note: string): Step =>
    sendForm(form, { value, cookie, user: identity.name, note });
  const shown = (value: string, note: string): Step => ({
    http: { url: form.pageUrl },
    ...inOwnSession,
    note,
    expect: [claim('status', 'equals', '200'), claim('body:masked', 'contains', value)],
  });
  return {
    steps: [
      ...foreignSession.steps,
      forged('‹nonce›', header, 'The form as a page of another site would send it.'),
      shown('‹nonce›', 'The user’s data has changed.'),
    ],
    control: [
      forged(form.before, header, 'What was there before is put back in the same way.'),
      {
        ...forged('‹nonce2›', undefined, 'The same form without the cookies.'),
        expect: [claim('status', 'present')],
      },
      shown('‹nonce2›', 'It changes nothing: it is the session that makes the change.'),
    ],
  };
}
