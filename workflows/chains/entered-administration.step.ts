import { administrationPage } from '../checks/access/administration-page.ts';
import { privilegeOf } from '../checks/access/privileged-page.ts';
import { type Privilege, shownPrivilege } from '../checks/access/privileged-rows.ts';
import { type CheckContext, defineChainStep } from '../checks/contract.ts';
import { likeliest } from '../checks/inputs/at-most.ts';
import { attempt, attemptSteps, type LoginAttempt, pageAfter } from '../checks/logins/attempt.ts';
import { entryOf, needsEnteredLogin } from '../checks/logins/entered-login.ts';
import type { Login } from '../checks/logins/login.ts';
import { commonAdminPaths, isAdministration } from '../checks/pages/admin-paths.ts';
import { siblingOf } from '../checks/pages/soft-404.ts';
import { claim, type Experiment } from '../model/experiment.ts';
import type { Exchange } from '../model/http.ts';
import { isHtml } from '../probe/http/document-type.ts';
import { firstMatch } from '../proof/pattern.ts';
import { parsePage } from '../survey/page.ts';

type Opened = {
  login: Login;
  tries: { changed: LoginAttempt; twin: LoginAttempt };
  what: string;
  url: string;
  privilege: Privilege;
};

const maxPages = 25;

/** Whoever gets past the login is an administrator. Source: CWE-287 with CWE-269, WSTG-ATHN-04. */
export const enteredAdministration = defineChainStep<Opened>({
  id: 'chains.entered-administration',
  title: 'Administrator access without an account',
  cwe: 287,
  owasp: 'A07:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  risk: 'safe',
  needs: [needsEnteredLogin],
  goal: 'session(admin)',
  cost: 30,

  async detect(context, [fact]) {
    const entered = await entryOf(context, fact);
    if (!entered) return [];
    const { login, entry } = entered;
    const tries = {
      changed: await attempt(context, login, entry.changed, 'entered'),
      twin: await attempt(context, login, entry.twin, 'twin'),
    };
    if (tries.changed.cookies === '') return [];
    const opened = await openedPage(context, tries);
    if (!opened) return [];
    return [
      {
        location: { url: opened.url },
        detail: `Somebody was let in by ${entry.what}, and is an administrator. ${opened.privilege.detail}`,
        data: { login, tries, what: entry.what, ...opened },
      },
    ];
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The login lets somebody in who has no account, and the session that it starts is one with which the administration of the site opens.',
    impact:
      'Anybody is an administrator after one request: they read what all users have, change it, and can lock the owners out.',
    sends:
      'Sends the login what lets in, and the same without what makes it work; requests up to 25 administrative addresses with either session. The site starts a session, as after any login.',
    proves:
      'With the session of that login a page shows accounts, settings or another privileged function; without what makes the login work, and to visitors, it does not. An attacker administrates the site.',
    remedy:
      'Fix the login first. Then ask for a second factor where the administration begins, and serve it on a network of its own, so that one mistake of the login does not open everything.',
    references: [
      'CWE-287: https://cwe.mitre.org/data/definitions/287.html',
      'CWE-269: https://cwe.mitre.org/data/definitions/269.html',
      'WSTG-ATHN-04: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/04-Authentication_Testing/04-Testing_for_Bypassing_Authentication_Schema',
    ],
  },
});

/** The first page of the administration that only the session from the login is shown. */
async function openedPage(
  context: CheckContext,
  { changed, twin }: Opened['tries'],
): Promise<Pick<Opened, 'url' | 'privilege'> | undefined> {
  const { origin } = new URL(context.surface.url);
  const home = await pageAfter(context, changed, context.surface.url);
  const landing = URL.parse(changed.exchange.header('location') ?? '', changed.exchange.request.url);
  const first = landing?.origin === origin ? await pageAfter(context, changed, landing.href) : undefined;
  const shown = [first, home, changed.exchange].filter((answer) => answer !== undefined);
  const views = [context.surface, ...Object.values(context.surfaces)];
  const seen = views.flatMap(({ pages, skipped }) => [...pages, ...skipped].map(({ url }) => url));
  const wanted = [...shown.flatMap(linksIn), ...seen, ...commonAdminPaths.map((path) => origin + path)].filter(
    (url) => URL.parse(url)?.origin === origin && isAdministration(new URL(url).pathname),
  );
  const urls = [...new Set([...(first ? [first.request.url] : []), ...wanted])];
  for (const url of likeliest(context, urls, maxPages, 'addresses of the administration')) {
    const answer = await pageAfter(context, changed, url);
    if (answer?.status !== 200) continue;
    const privilege =
      privilegeOf(answer, context) ?? administrationPage(answer, url === first?.request.url ? [] : shown);
    if (!privilege) continue;
    const others = [
      await pageAfter(context, twin, url),
      await pageAfter(context, changed, siblingOf(url, context.nonce(12))),
    ];
    if (others.some((other) => other !== undefined && shows(other, privilege))) continue;
    return { url, privilege };
  }
  return undefined;
}

const shows = ({ status, text }: Exchange, { patterns }: Privilege): boolean =>
  status === 200 && patterns.every((pattern) => firstMatch(pattern, text) !== undefined);

const linksIn = (answer: Exchange): string[] =>
  isHtml(answer) ? parsePage(answer.text, answer.request.url).links.flatMap(({ url, acts }) => (acts ? [] : url)) : [];

function experimentFor({ login, tries, what, url, privilege }: Opened): Experiment {
  const shown = shownPrivilege(privilege);
  return {
    steps: [
      {
        http: { url },
        note: 'A visitor is not shown the page.',
        expect: privilege.patterns.slice(-1).map((pattern) => claim('body:masked', 'not-matches', pattern)),
      },
      ...attemptSteps(login, tries.changed, {
        note: `The login is sent ${what}.`,
        page: { url, note: 'Whoever sent that is shown what is for those who run the site.' },
        expect: shown,
      }),
    ],
    control: attemptSteps(login, tries.twin, {
      note: 'The same kind of value without what makes it work starts no such session.',
      page: { url, note: 'The page is refused.' },
      expect: shown,
    }),
  };
}
