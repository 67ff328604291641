import type { Candidate } from '../../model/candidate.ts';
import { claim, type Experiment, type HttpAction, type Step } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import type { KnownPassword, OwnSession } from '../../model/identity.ts';
import { locationOf } from '../../probe/http/exchange.ts';
import { type CheckContext, defineCheck, notApplicable, notRun } from '../contract.ts';
import { onlyIn } from '../decisions/difference.ts';
import { atMost } from '../inputs/at-most.ts';
import { foreignPageHeaders, ownPageHeaders } from '../sessions/own-forms.ts';
import { inOwnSession, type LoginIdentity, type MarkedPage, withOwnSession } from '../sessions/own-sessions.ts';
import { isPrivileged } from '../sessions/roles.ts';
import { type ForeignCookies, foreignCookies, sessionOfOthers } from './foreign-cookies.ts';
import { mayChangeOwn, type PasswordChange, passwordRequest, readPasswordForm } from './password-change-forms.ts';

type SetPassword = {
  identity: LoginIdentity;
  page: MarkedPage;
  cookies: string[];
  form: PasswordChange;
  password: KnownPassword;
  /** What the answer, or the page that it leads to, says when the password is set, and not when it was typed wrongly again. */
  said: string;
  /** Page that the answer leads to, where it says so there. */
  landing?: string;
};

const maxForms = 2;
/** Words for what was done, and for what was not. */
const done =
  /success|updat|chang|saved|stored|ge[äa]ndert|gespeichert|aktualisiert|erfolg|modifi|mis à jour|enregistr|cambiad|actualizad|guardad|alterad|salv|aggiornat|gewijzigd|opgeslagen|измен|обновл|сохран|已|成功|変更|更新/iu;
const notDone =
  /\bnot\b|n't|n’t|must|should|invalid|error|fail|differ|same|required|denied|match|wrong|expired|please|token|nicht|fehl|ungültig|muss|échou|invalide|doit|inválid|debe|erro|deve/i;

/** A page of another site can set the password of a logged-in user. Source: CWE-352, WSTG-SESS-05. */
export const passwordCsrf = defineCheck<SetPassword>({
  id: 'auth.password-csrf',
  weakness: 'auth.csrf',
  title: 'Cross-site request forgery (CSRF)',
  cwe: 352,
  owasp: 'A01:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:N',
  depth: 'deep',
  risk: 'caution',

  detect: (context) =>
    withOwnSession<SetPassword>(context, async (session, page, identity) => {
      if (context.writes !== 'create')
        return notRun('would_write', 'A form for a new password is sent on a test system alone (`writes: "create"`).');
      const password = identity.password?.();
      const shown = isPrivileged(identity) ? [] : (context.surfaces[identity.name]?.forms ?? []).filter(mayChangeOwn);
      if (!password || shown.length === 0) return notApplicable('No form sets a password without the one before it.');
      const found: Candidate<SetPassword>[] = [];
      for (const each of atMost(context, shown, maxForms, 'forms for a new password')) {
        const cookies = await foreignCookies(context, page, session, each.method);
        const form = cookies && (await readPasswordForm(context, session, each));
        const sign = form && (await signOf(context, session, form, password));
        if (cookies && form && sign)
          found.push(candidateFor({ identity, page, cookies: cookies.names, form, password, ...sign }, cookies));
      }
      return found;
    }),

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'A form that sets the password of the account was accepted as another site’s page would send it: with the cookies that browsers send along from there, and nothing that only the site’s own page or the user knows.',
    impact:
      'Whoever gets a logged-in user to open a page of theirs chooses the user’s password, unseen, and then logs in with it: the account is theirs.',
    sends:
      'Logs a test identity in and sends up to 2 forms for a new password as a page of another site would. The password that is sent is the one that the identity has, so nothing changes. Only on a test system.',
    proves:
      'The forged form is answered that the password was changed; the same form whose two passwords differ is not. An attacker’s page sets the password of a logged-in user. The request is made as browsers make it, not by a browser.',
    remedy:
      'Ask for the current password in that form, send it by POST alone, and put a secret of the session into it that is checked when it comes back: Django `{% csrf_token %}`, Rails `protect_from_forgery`, Laravel `@csrf`, Spring Security and ASP.NET Core antiforgery by default, Express `csrf-csrf`. Set SameSite=Lax or Strict on the session cookie: that alone does not protect what takes GET.',
    references: [
      'CWE-352: https://cwe.mitre.org/data/definitions/352.html',
      'OWASP CSRF Prevention Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html',
      'WSTG-SESS-05: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/06-Session_Management_Testing/05-Testing_for_Cross_Site_Request_Forgery',
    ],
  },
});

function candidateFor(data: SetPassword, { isSentByAll }: ForeignCookies): Candidate<SetPassword> {
  const { action, method, typed } = data.form;
  return {
    location: { url: action, method, parameter: typed, parameterIn: method === 'GET' ? 'query' : 'body' },
    detail: `The password of the account is set by ${method} alone, without the one before it. ${
      isSentByAll
        ? 'Every browser sends the session cookie with such a request of another site.'
        : 'The session cookie has no SameSite: browsers differ in whether they send it with a form of another site.'
    }`,
    ...(isSentByAll ? {} : { cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:H/I:H/A:N' }),
    data,
  };
}

/** Nothing changes by it, so it is taken back by looking at the form. */
function sent(form: PasswordChange, http: HttpAction, user: string): HttpAction {
  const { pageUrl } = form;
  return {
    ...http,
    write: {
      description: `The password of "${user}" is set to the one that it has.`,
      identity: user,
      undo: { method: 'GET', url: pageUrl },
      verify: { url: pageUrl, expect: [claim('status', 'equals', '200')] },
    },
  };
}

/** Sends it twice from its own page: what the answer says only when both passwords are the same. */
async function signOf(
  context: CheckContext,
  session: OwnSession,
  form: PasswordChange,
  password: KnownPassword,
): Promise<Pick<SetPassword, 'said' | 'landing'> | undefined> {
  const look = async (http: Omit<HttpAction, 'headers'>): Promise<Exchange[] | undefined> => {
    const fromOwnPage = {
      ...http,
      headers: form.method === 'POST' ? ownPageHeaders(form) : [['Referer', form.pageUrl] as const],
    };
    return context.store?.(session.name, sent(form, fromOwnPage, session.name), async (answer) => {
      const to = URL.parse(locationOf(answer) ?? '', form.action);
      const isRedirect = answer.status >= 300 && answer.status < 400 && to?.origin === new URL(form.action).origin;
      return to && isRedirect ? [answer, await pageAt(context, session, to.href)] : [answer];
    });
  };
  const differing = await look(passwordRequest(form, password, { repeated: `${password.value}x`, isForged: false }));
  const again = await readPasswordForm(context, session, form);
  const equal = again && (await look(passwordRequest(again, password, { isForged: false })));
  const [shown] = equal?.slice(-1) ?? [];
  if (!differing || !equal || !shown) return undefined;
  const landing = equal.length > 1 ? shown.request.url : undefined;
  const plain = [await pageAt(context, session, form.pageUrl), await pageAt(context, session, landing ?? form.pageUrl)];
  const said = onlyIn([shown], [...differing, ...plain], [password.value]).find(
    (piece) => done.test(piece) && !notDone.test(piece) && !/\d/.test(piece),
  );
  return said === undefined ? undefined : { said, ...(landing === undefined ? {} : { landing }) };
}

const pageAt = ({ http, identities }: CheckContext, { name }: OwnSession, url: string): Promise<Exchange> => {
  const { jar, headers } = identities[name] ?? {};
  return http.get(url, { ...(jar && { jar }), ...(headers && { headers }), fresh: true });
};

function experimentFor({ identity, page, cookies, form, password, said, landing }: SetPassword): Experiment {
  const foreignSession = sessionOfOthers(identity, page, cookies);
  const { header } = foreignSession;
  const shows = claim('body', 'contains', said, 'What the site says when the password is set.');
  const steps = (repeated: string | undefined, cookie: string | undefined, note: string): Step[] => {
    const http = passwordRequest(form, password, { ...(repeated && { repeated }), isForged: true });
    const headers = [
      ...foreignPageHeaders.filter(([name]) => form.method === 'POST' || !/^(?:origin|content-type)$/i.test(name)),
      ...(cookie === undefined ? [] : [['Cookie', cookie] as const]),
    ];
    const request = { http: sent(form, { ...http, headers }, identity.name), note };
    return landing === undefined
      ? [{ ...request, expect: [shows] }]
      : [
          { ...request, expect: [claim('status', 'present')] },
          { http: { url: landing }, ...inOwnSession, note: 'The page that the answer leads to.', expect: [shows] },
        ];
  };
  const [noCookies] = steps(
    undefined,
    undefined,
    'The same form without the cookies: it is the session that it works in.',
  );
  return {
    steps: [
      ...foreignSession.steps,
      ...steps(
        undefined,
        header,
        'The form as a page of another site would send it, with the password that the user has.',
      ),
    ],
    control: [
      ...(noCookies ? [{ ...noCookies, expect: [claim('body', 'not-contains', said)] }] : []),
      ...steps(`${password.value}x`, header, 'With two passwords that differ the site does not say so.'),
    ],
  };
}
