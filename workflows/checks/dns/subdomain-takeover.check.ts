import type { Candidate } from '../../model/candidate.ts';
import type { DnsProbe } from '../../model/dns.ts';
import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import { bareName, isBelow, sameName } from '../../probe/dns/names.ts';
import { escapePattern, firstMatch } from '../../proof/pattern.ts';
import { type CheckContext, defineCheck } from '../contract.ts';
import { atMost } from '../inputs/at-most.ts';
import { inParallel } from '../inputs/parallel.ts';
import { isSession, signalsOf } from '../sessions/session-cookie.ts';
import { isDeletion, parseSetCookie } from '../sessions/set-cookie.ts';
import { dnsLocation, isAnswered, recordsOf } from './dns-records.ts';
import { denials, type MissingTarget, missingTarget } from './missing-targets.ts';
import { ownZoneNameOf } from './own-zone.ts';
import { namesSeen } from './seen-names.ts';
import {
  chosenNames,
  type HeldBy,
  tokenPattern,
  type UnclaimedAnswer,
  unclaimedAnswers,
} from './unclaimed-services.ts';

/** A name that has no token of the service, though perhaps another text record. */
type Tokenless = { name: string; hasText: boolean };

/** `owner` leads to `target` (directly), at a service where nobody has it. */
type OpenAlias = { owner: string; target: string; domain: string; service: string; tokenless: Tokenless[] } & (
  | { by: 'answer'; url: string; answer: UnclaimedAnswer }
  | { by: 'name'; missing: MissingTarget }
);

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

  confirm: (context, { data }) => data && experimentFor(context, data),

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

/** @param isHost the host that is audited: only that one may be sent requests */
async function openAt(
  context: CheckContext,
  owner: string,
  domain: string,
  isHost: boolean,
): Promise<OpenAlias | undefined> {
  const reply = await context.dns.query(owner, 'CNAME');
  const alias = reply.answers.find(({ type, name }) => type === 'CNAME' && sameName(name, owner));
  const target = alias && bareName(alias.data);
  // A name of one's own is nobody else's to take.
  if (!target || sameName(target, domain) || isBelow(target, domain)) return undefined;
  const missing = await missingTarget(context.dns, target);
  const chosen = chosenNames.find((service) => firstMatch(service.target, target));
  if (missing && (chosen || missing.undelegated !== undefined)) {
    const service = chosen?.service ?? `the domain ${missing.undelegated}`;
    const tokenless = await withoutToken(context.dns, chosen?.heldBy, owner, target);
    return tokenless && { owner, target, domain, service, tokenless, by: 'name', missing };
  }
  const answer = isHost ? unclaimedAnswers.find((one) => firstMatch(one.target, target)) : undefined;
  const url = answer && (await unclaimedPage(context, answer));
  const tokenless = url ? await withoutToken(context.dns, answer?.heldBy, owner, target) : undefined;
  if (!answer || !url || !tokenless) return undefined;
  return { owner, target, domain, service: answer.service, tokenless, by: 'answer', url, answer };
}

/** Where the service would look for the owner's token; undefined when one is there, or when that cannot be determined. */
async function withoutToken(
  dns: DnsProbe,
  heldBy: HeldBy = () => [],
  owner: string,
  target: string,
): Promise<Tokenless[] | undefined> {
  const names = heldBy(owner, target);
  const replies = await Promise.all(names.map((name) => dns.query(name, 'TXT')));
  const isHeld = replies.some(
    (reply) => !isAnswered(reply) || recordsOf(reply, 'TXT').some((text) => firstMatch(tokenPattern, text)),
  );
  return isHeld ? undefined : names.map((name, at) => ({ name, hasText: (replies[at]?.answers.length ?? 0) > 0 }));
}

/** Address of the page that says that nobody has the name. */
async function unclaimedPage(
  { surface, http }: CheckContext,
  { status, body }: UnclaimedAnswer,
): Promise<string | undefined> {
  for (const { origin, status: seen } of surface.origins) {
    if (seen !== status) continue;
    const { status: now, text } = await http.get(`${origin}/`);
    if (now === status && firstMatch(body, text)) return `${origin}/`;
  }
  return undefined;
}

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

async function experimentFor(context: CheckContext, open: OpenAlias): Promise<Experiment> {
  const { owner, target, domain } = open;
  const unheld = open.tokenless.map(
    ({ name, hasText }): Step => ({
      dns: { name, type: 'TXT' },
      note: `No token there keeps ${owner} for its owner at ${open.service}.`,
      expect: [
        claim('dns:rcode', 'one-of', 'NOERROR|NXDOMAIN'),
        hasText ? claim('dns:answers', 'not-matches', tokenPattern) : claim('dns:answers', 'absent'),
      ],
    }),
  );
  const leads = claim('dns:answers', 'matches', `(?i)^${escapePattern(target)}\\.?$`);
  const alias: Step = {
    dns: { name: owner, type: 'CNAME' },
    note: `${owner} is an alias of ${target}.`,
    expect: [leads],
  };
  if (open.by === 'name') {
    const { zone } = open.missing;
    const note = 'The resolver does find that zone itself: neither its name servers nor a filter deny all of it.';
    const control: Step = {
      dns: { name: zone, type: 'SOA' },
      note,
      expect: [claim('dns:rcode', 'equals', 'NXDOMAIN')],
    };
    return { steps: [alias, ...unheld, ...denials(open.missing)], control: [control] };
  }
  const { url, answer } = open;
  const unclaimed = [claim('status', 'equals', String(answer.status)), claim('body', 'matches', answer.body)];
  const page = (path: string): Step => ({
    http: { url: `${url}${path}` },
    note: `${open.service} says that nobody has the name, whatever page is asked for.`,
    expect: unclaimed,
  });
  // With a wildcard in the zone every sibling is an alias as well, but the domain itself cannot be one.
  const sibling = await context.dns.query(`${context.nonce()}.${domain}`, 'CNAME');
  const other = recordsOf(sibling, 'CNAME').length > 0 ? domain : `‹nonce›.${domain}`;
  return {
    steps: [alias, ...unheld, page(''), page('‹nonce›')],
    control: [
      {
        dns: { name: other, type: 'CNAME' },
        note: 'It is this name that leads there, and not any name.',
        expect: [leads],
      },
    ],
  };
}
