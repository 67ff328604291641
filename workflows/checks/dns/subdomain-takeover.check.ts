import type { Candidate } from '../../model/candidate.ts';
import { sameName } from '../../probe/dns/names.ts';
import { type CheckContext, defineCheck } from '../contract.ts';
import { atMost } from '../inputs/at-most.ts';
import { inParallel } from '../inputs/parallel.ts';
import { dnsLocation } from '../names/dns-records.ts';
import { ownZoneNameOf } from '../names/own-zone.ts';
import { isSession, signalsOf } from '../sessions/session-cookie.ts';
import { isDeletion, parseSetCookie } from '../sessions/set-cookie.ts';
import { type OpenAlias, openAliasExperiment, openAt } from './open-alias.ts';
import { namesSeen } from './seen-names.ts';

/** Names of the domain that the site leads to. */
const maxNames = 20;
const width = 4;

/** A name of the domain leads to a service where nobody has that name any more. Source: WSTG-CONF-10, RFC 1034 §3.6.2. */
export const subdomainTakeover = defineCheck<OpenAlias>({
  id: 'dns.subdomain-takeover',
  title: 'Subdomain takeover',
  cwe: 672,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    const own = await ownZoneNameOf(context);
    if ('notApplicable' in own) return own;
    const { host, domain } = own;
    const seen = namesSeen(context.surface, domain).filter((name) => name !== host);
    const others = atMost(context, seen, maxNames, 'names of the domain');
    const found = await inParallel([host, ...others], width, (owner) => openAt(context, owner, domain, owner === host));
    const session = domainSession(context, domain);
    return found.flatMap((one) => (one ? [withSession(asCandidate(one), session)] : []));
  },

  confirm: (context, { data }) => data && openAliasExperiment(context, data),

  gives: {
    kinds: ['claimable-name'],
    facts: ({ data }) =>
      data
        ? [{ kind: 'claimable-name', subject: data.owner, attributes: { domain: data.domain, target: data.target } }]
        : [],
  },

  explain: {
    description:
      'An alias (CNAME) of the domain leads to a name at a hosting service, and no customer of the service has that name: the site was taken down there, and the record was left. We did not take it, and asked for nothing but its page.',
    impact:
      'Whoever opens an account with the service and chooses this name decides what visitors of the address see. It is an address of yours, with a good certificate on request: made for stealing passwords, and for reading cookies that are set for the whole domain. Policies that trust the domain (CSP, CORS, sign-in redirects) trust the stranger, too. Search engines and old links lead there.',
    sends:
      'Asks DNS for CNAME, TXT and address of the host and of up to 20 names of the domain that the site links to; requests the home page and a random path of the audited host only.',
    proves:
      'A name is an alias of a service that says it has no such customer, or of a name that its zone denies, and no token reserves it; another name, or the zone itself, does exist. An attacker could claim it and serve pages; graver where a session cookie is set for the domain. It was not claimed.',
    remedy:
      'Take the record out of the zone today, or set the site up at the service again. From then on in this order: first the record in the DNS, then the site at the service. Look through the whole zone for further ones (`dig +short CNAME name`), and let the list of names be checked each time a service is given up; infrastructure as code should own both. Where the service can verify domains (GitHub Pages, Azure), do that, so that nobody else can use yours.',
    references: [
      'WSTG-CONF-10: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/10-Test_for_Subdomain_Takeover',
      'Can I take over XYZ: https://github.com/EdOverflow/can-i-take-over-xyz',
      'Microsoft, Prevent dangling DNS entries: https://learn.microsoft.com/azure/security/fundamentals/subdomain-takeover',
      'CWE-672: https://cwe.mitre.org/data/definitions/672.html',
    ],
  },
});

/** A page at the name is sent the sessions of the whole domain. */
const withSessions = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:H/I:H/A:N';

/** Name of a session cookie that the site sets for its domain and all names below it. */
function domainSession({ surface, now }: CheckContext, domain: string): string | undefined {
  const first = surface.origins.flatMap(({ headers }) => headers.filter(([name]) => /^set-cookie$/i.test(name)));
  const lines = [...first.map(([, value]) => value), ...surface.pages.flatMap(({ setCookies }) => setCookies)];
  return lines.map(parseSetCookie).find((cookie) => {
    if (!cookie || isDeletion(cookie, now())) return false;
    const given = (cookie.attributes.get('domain') ?? '').replace(/^\./, '');
    const signals = signalsOf(cookie);
    return given !== '' && sameName(given, domain) && signals !== undefined && isSession(signals);
  })?.name;
}

const withSession = (candidate: Candidate<OpenAlias>, session: string | undefined): Candidate<OpenAlias> =>
  session === undefined
    ? candidate
    : {
        ...candidate,
        cvss: withSessions,
        detail: `${candidate.detail} The session cookie "${session}" is sent there, too.`,
      };

const asCandidate = (open: OpenAlias): Candidate<OpenAlias> => ({
  location: dnsLocation(open.owner, 'CNAME'),
  route: open.owner,
  detail:
    open.by === 'answer'
      ? `${open.owner} leads to ${open.target}, where ${open.service} says that no customer has it.`
      : open.missing.undelegated === undefined
        ? `${open.owner} leads to ${open.target}, a name at ${open.service} that does not exist, and that a customer may choose.`
        : `${open.owner} leads to ${open.target}, and the registry does not have ${open.missing.undelegated}: a domain that anybody may register looks so (one that is on hold, too).`,
  data: open,
});
