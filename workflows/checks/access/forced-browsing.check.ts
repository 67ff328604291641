import type { Candidate } from '../../model/candidate.ts';
import type { Experiment } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import { ProbeError } from '../../model/probe-error.ts';
import { partRoute } from '../../probe/program-parts.ts';
import { privateData } from '../../proof/files/private-data.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { eachKindAtMost, likeliest } from '../inputs/at-most.ts';
import { inParallel } from '../inputs/parallel.ts';
import { isLikeMissing, siblingOf } from '../pages/soft-404.ts';
import { administrationAddresses } from './admin-addresses.ts';
import { hashesIn, privilegeOf } from './privileged-page.ts';
import { type Privilege, shownPrivilege } from './privileged-rows.ts';

type OpenPage = { url: string; privilege: Privilege };

const maxAddresses = 60;

/** Lists of people are worth more than forms, of which it is not tried whether they work. */
const accounts = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N';

/** Pages of administration answer whoever knows their address. Source: CWE-425, WSTG-ATHZ-02. */
export const forcedBrowsing = defineCheck<OpenPage>({
  id: 'access.forced-browsing',
  title: 'Administrative pages accessible without login (forced browsing)',
  cwe: 425,
  owasp: 'A01:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:L/A:N',
  depth: 'standard',
  risk: 'safe',
  cost: 40,

  async detect(context) {
    const { named, usual } = await administrationAddresses(context);
    if (named.length + usual.length === 0) return notApplicable('No address gave an answer to look at.');
    const pages = eachKindAtMost(context, named, { max: maxAddresses, kindOf: viewOf }, 'addresses');
    const guesses = likeliest(context, usual, maxAddresses - pages.length, 'usual addresses');
    const looked = await inParallel([...pages, ...guesses], 5, (url) => look(context, url));
    return looked.flat().map(candidateFor);
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'A page or interface for those who run the site answers anybody who asks for its address: it lists accounts, makes users with rights, or has the settings of the site. It is protected only by the fact that nothing public links to it. Nothing was changed; what the forms do was not tried.',
    impact:
      'Addresses of administration are guessed from lists, and stand in scripts, in robots.txt and in histories. Whoever has one reads the data of the users, and where the forms work as they look, gives themselves rights or changes how the site behaves.',
    sends:
      'Requests up to 60 administrative addresses without a login: those that pages and scripts name, then usual ones; and random names beside those that answer.',
    proves:
      'An anonymous visitor is shown accounts with what manages them (outside of an administration with their role or state beside) or hashes of passwords, or a form with administrator rights among its choices, or settings; a random address shows neither. Whether the forms work is not tried.',
    remedy:
      'Ask for the session and the role on the server, for the whole branch rather than page by page, and refuse by default. Express: `app.use("/admin", requireRole("admin"))`. Django: `@user_passes_test` or `AdminSite`. Spring Security: `.requestMatchers("/admin/**").hasRole("ADMIN").anyRequest().authenticated()`. Laravel: `Route::middleware(["auth", "can:admin"])->prefix("admin")`. Rails: `before_action :require_admin` in the base controller. nginx in front of a tool without a login: `auth_basic` or `allow 10.0.0.0/8; deny all;`. Do the same for the interface behind the pages.',
    references: [
      'CWE-425: https://cwe.mitre.org/data/definitions/425.html',
      'WSTG-ATHZ-02: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/05-Authorization_Testing/02-Testing_for_Bypassing_Authorization_Schema',
      'OWASP Authorization Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/Authorization_Cheat_Sheet.html',
    ],
  },
});

/** A list in another order, or its next page, is the same page of administration. */
const viewOf = (url: string): string =>
  [partRoute(url), ...new Set(new URL(url).searchParams.keys())].toSorted().join(' ');

async function look(context: CheckContext, url: string): Promise<OpenPage[]> {
  const exchange = await context.http.get(url);
  try {
    const privilege = privilegeOf(exchange, context) ?? hashesIn(exchange);
    if (!privilege || isGivenOut(context, exchange)) return [];
    return (await isLikeMissing(context, exchange)) ? [] : [{ url, privilege }];
  } catch (error) {
    if (!(error instanceof ProbeError && error.code === 'too_large')) throw error;
    context.leave({ code: 'page_cut', count: 1, text: `${url} is larger or deeper than pages are read` });
    return [];
  }
}

/** What an interface gives out of its users with their passwords or keys is reported as excessive data exposure. */
function isGivenOut({ surface }: CheckContext, { request, text, header }: Exchange): boolean {
  if (!/json/i.test(header('content-type') ?? '') || !surface.pages.some(({ url }) => url === request.url))
    return false;
  const found = privateData(text);
  return found.has('hash') || found.has('password') || found.has('key');
}

const candidateFor = (data: OpenPage): Candidate<OpenPage> => ({
  location: { url: data.url },
  // What is not guarded is the branch: its pages are places of one mistake.
  route: `/{administration} ${data.privilege.kind}`,
  detail: data.privilege.detail,
  ...(data.privilege.kind === 'accounts' ? { cvss: accounts } : {}),
  data,
});

function experimentFor({ url, privilege }: OpenPage): Experiment {
  const shown = shownPrivilege(privilege);
  return {
    steps: [
      { http: { url }, note: 'Without a login the page shows what is for those who run the site.', expect: shown },
    ],
    control: [
      {
        http: { url: siblingOf(url, '‹nonce›') },
        note: 'An address beside it that does not exist shows nothing of it.',
        expect: shown,
      },
    ],
  };
}
