import type { Candidate } from '../../model/candidate.ts';
import { claim, type Experiment } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import type { Identity } from '../../model/identity.ts';
import { ProbeError } from '../../model/probe-error.ts';
import { isLeftOut } from '../../probe/errors.ts';
import { isHtml } from '../../probe/http/document-type.ts';
import { namedPath } from '../../probe/program-parts.ts';
import { leadSource } from '../../survey/lead.ts';
import { parsePage } from '../../survey/page.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import { inParallel } from '../inputs/parallel.ts';
import { isAdministration } from '../pages/admin-paths.ts';
import { isLikeMissing, siblingOf } from '../pages/soft-404.ts';
import { addressesIn } from '../sessions/objects.ts';
import { byRole } from '../sessions/roles.ts';
import { lacksIdentities } from '../sessions/site-login.ts';
import { contextAs } from '../visitors/as-visitor.ts';
import { administrationAddresses } from './admin-addresses.ts';
import { administrationPage } from './administration-page.ts';
import { privilegeOf } from './privileged-page.ts';
import { type Privilege, shownPrivilege } from './privileged-rows.ts';

type OpenToUsers = { url: string; user: string; privilege: Privilege };

const maxAddresses = 40;
const maxFurther = 12;

/** Forms are looked at, and not tried; of another page it is not known how much it reveals. */
const notAccounts = 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:L/I:L/A:N';

/** An ordinary user asks for pages of the administration that nothing leads them to, and is shown them. Source: CWE-862, WSTG-ATHZ-02. */
export const userAdministration = defineCheck<OpenToUsers>({
  id: 'access.user-administration',
  title: 'Broken function level authorization: administrative pages open to every user',
  cwe: 862,
  owasp: 'A01:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:N/A:N',
  depth: 'deep',
  risk: 'safe',
  cost: 30,

  async detect(context) {
    const { administrators, users } = byRole(context);
    if (administrators.length > 0)
      return notApplicable('An administrator is there to compare with: access.function-level does.');
    const [user] = users;
    const surface = user && context.surfaces[user.name];
    if (!user || !surface)
      return lacksIdentities(context, 'an identity without administrator rights, with a proven login');
    const own = contextAs(context, user, surface);
    const offered = offeredTo(context, user);
    const isWanted = (url: string) => isAdministration(namedPath(url)) && !offered.has(url);
    const { named, usual } = await administrationAddresses(own);
    const first = [...named, ...usual].filter(isWanted);
    const shown = await shownOf(own, likeliest(context, first, maxAddresses, 'addresses of an administration'));
    const asked = new Set(first);
    const further = shown.flatMap(linksIn).filter((url) => isWanted(url) && !asked.has(url));
    const next = likeliest(context, [...new Set(further)], maxFurther, 'pages that an administration leads to');
    const all = [...shown, ...(await shownOf(own, next))];
    const known = all.flatMap((answer) =>
      candidateFor(
        user,
        answer,
        privilegeIn(own, answer, () => privilegeOf(answer, own)),
      ),
    );
    if (known.length > 0) return known;
    const others = await shownOf(own, [...new Set([user.checkUrl, context.surface.url])]);
    return all.flatMap((answer) =>
      candidateFor(
        user,
        answer,
        privilegeIn(own, answer, () => administrationPage(answer, others)),
      ),
    );
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'A page of the administration that no page of an ordinary user leads to was shown to one who asked for its address: accounts with what manages them or their roles, a form that makes users with rights, settings of the site, or another page that calls itself the administration. Visitors without a login are refused.',
    impact:
      'Every user who guesses the address, or reads it in a script, has what administrators have there. Where reading is not guarded, changing often is not either.',
    sends:
      'Requests up to 40 administrative addresses (named by scripts and robots.txt, then usual ones), and 12 that these lead to, as an ordinary test user, when no administrator is given.',
    proves:
      'A user who is no administrator there is shown accounts, a form with administrator rights among its choices, settings, or under an address of the administration a page of that name or data; a random name beside it and a visitor without a login are shown nothing of it. Forms are not sent.',
    remedy:
      'Refuse by default, and ask for the role where the request is handled, for a whole branch of routes at once: Express `app.use("/admin", requireRole("admin"))`, Spring `requestMatchers("/admin/**").hasRole("ADMIN")`, Django `@user_passes_test` or `UserPassesTestMixin`. A login is no right: test each route as an ordinary user.',
    references: [
      'CWE-862: https://cwe.mitre.org/data/definitions/862.html',
      'OWASP API5:2023 Broken Function Level Authorization: https://owasp.org/API-Security/editions/2023/en/0xa5-broken-function-level-authorization/',
      'WSTG-ATHZ-02: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/05-Authorization_Testing/02-Testing_for_Bypassing_Authorization_Schema',
    ],
  },
});

/** What the site leads the user to, it means them to see. Scripts, descriptions of interfaces and robots.txt name addresses to everybody. */
function offeredTo({ surfaces, surface }: CheckContext, user: Identity): Set<string> {
  const views = [surface, ...(surfaces[user.name] ? [surfaces[user.name]] : [])].flatMap((view) => view ?? []);
  const hinted = new Set(
    views.flatMap(({ pages }) => pages.flatMap(({ url, source }) => (namesToAll.test(source) ? url : []))),
  );
  return new Set(views.flatMap((view) => [...addressesIn(view)]).filter((url) => !hinted.has(url)));
}

const namesToAll = new RegExp(`script|robots|sitemap|guess|^(?:${leadSource.document}|${leadSource.usualPlace})$`, 'i');

/** Answers that show a page of its own. */
async function shownOf(context: CheckContext, urls: readonly string[]): Promise<Exchange[]> {
  const answers = await inParallel(urls, 4, async (url): Promise<Exchange[]> => {
    try {
      const answer = await context.http.get(url);
      return answer.status === 200 && !(await isLikeMissing(context, answer)) ? [answer] : [];
    } catch (error) {
      if (isLeftOut(error)) return [];
      throw error;
    }
  });
  return answers.flat();
}

const linksIn = (answer: Exchange): string[] => {
  const { origin } = new URL(answer.request.url);
  if (!isHtml(answer)) return [];
  return parsePage(answer.text, answer.request.url).links.flatMap(({ url, acts }) =>
    acts === undefined && new URL(url).origin === origin ? url : [],
  );
};

/** @returns undefined for what is not read to its end, which is reported */
function privilegeIn(
  context: CheckContext,
  answer: Exchange,
  read: () => Privilege | undefined,
): Privilege | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ProbeError && error.code === 'too_large')) throw error;
    context.leave({
      code: 'page_cut',
      count: 1,
      text: `${answer.request.url} is larger or deeper than pages are read`,
    });
    return undefined;
  }
}

function candidateFor(user: Identity, answer: Exchange, privilege: Privilege | undefined): Candidate<OpenToUsers>[] {
  const { url } = answer.request;
  if (!privilege || isAdministratorThere(answer.text, user)) return [];
  return [
    {
      location: { url },
      // What is not guarded is the branch: its pages are places of one mistake.
      route: `/{administration} ${privilege.kind}`,
      detail: `${privilege.detail} "${user.name}" can read it.`,
      ...(privilege.kind === 'accounts' ? {} : { cvss: notAccounts }),
      data: { url, user: user.name, privilege },
    },
  ];
}

/** Who opens an account of a company is often its administrator: the list says so in the row of the user. */
function isAdministratorThere(text: string, { userName = '', marker }: Identity): boolean {
  const names = [userName, marker].filter(({ length }) => length > 2).map((name) => name.toLowerCase());
  // Addresses in a row are of the administration, whoever it is about, and `"admin":false` says that somebody is none.
  const rows = text
    .split(/<(?:tr|li)\b|\{/i)
    .map((row) => row.replace(/<[^<>]*>?|"[\w-]{1,40}"\s*:\s*(?:false|null|0)\b/g, ' ').toLowerCase());
  return rows.some(
    (row) => names.some((name) => row.includes(name)) && /\b(?:admin\w*|owner|root|super-?user)\b/.test(row),
  );
}

function experimentFor({ url, user, privilege }: OpenToUsers): Experiment {
  const shown = shownPrivilege(privilege);
  return {
    steps: [
      {
        http: { url },
        identity: user,
        note: 'An ordinary user is shown what is for those who run the site.',
        expect: shown,
      },
    ],
    control: [
      {
        http: { url: siblingOf(url, '‹nonce›') },
        identity: user,
        note: 'An address beside it that does not exist shows the user nothing of it.',
        expect: privilege.patterns.slice(-1).map((pattern) => claim('body:masked', 'not-matches', pattern)),
      },
      { http: { url }, note: 'Without a login it is refused: it is not public.', expect: shown },
    ],
  };
}
