import { type CheckContext, defineChainStep } from '../checks/contract.ts';
import { type DomainSession, domainSession, domainSessionSteps } from '../checks/cookies/domain-session.ts';
import { type OpenAlias, openAliasExperiment, openAt } from '../checks/dns/open-alias.ts';
import type { Fact } from '../model/fact.ts';
import { bareName, isBelow, sameName } from '../probe/dns/names.ts';

type TakenOverName = { alias: OpenAlias; session: DomainSession };

/** A host that a stranger may take is sent the sessions of this one. Source: CWE-668 with CWE-672. */
export const takenOverName = defineChainStep<TakenOverName>({
  id: 'chains.taken-over-name',
  title: 'Account takeover: session cookie sent to a claimable subdomain',
  cwe: 668,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:N',
  risk: 'safe',
  needs: [{ kind: 'claimable-name' }, { kind: 'domain-session' }],
  goal: 'account takeover',
  cost: 10,

  async detect(context, [name, session]) {
    const data = await bind(context, name, session);
    if (!data) return [];
    const { owner } = data.alias;
    return [
      {
        location: { url: data.session.page.url, parameter: data.session.names.join(' '), parameterIn: 'cookie' },
        route: owner,
        detail: `${owner}, which a stranger could claim, is sent the cookie that alone opened the account of "${data.session.identity.name}".`,
        data,
      },
    ];
  },

  async confirm(context, { data }) {
    if (!data) return undefined;
    const session = domainSessionSteps(data.session);
    const { steps } = await openAliasExperiment(context, data.alias);
    return { steps: [...steps, ...session.steps], control: session.control };
  },

  explain: {
    description:
      'Two weaknesses combine: a name of the domain is an alias of one at a service that nobody has any more, and the login sets the session cookie for the whole domain. Browsers send that cookie to the forgotten name as well. We did not claim it.',
    impact:
      'Whoever claims the name at the service is sent the session of each user who can be led to it, by a link, a picture in a mail or a frame in another page, and has the account from then on. HttpOnly and SameSite do not help: the request goes to the same site.',
    sends:
      'Asks DNS for the alias and its target anew, logs a test identity in, and opens its page with the cookies of that answer alone. Nothing is sent to the service or the other name, unless that is the audited host.',
    proves:
      'The name leads to one that is free, the login sets the cookie for a domain that the name belongs to, and the cookie alone opens the account; a random value does not. Who claims the name takes sessions over. The claim itself was not made.',
    remedy:
      'Take the alias out of the zone today, and leave the Domain attribute of the session cookie out. Either breaks the chain; do both, since the next forgotten name would be given the sessions again.',
    references: [
      'RFC 6265 §8.6: https://www.rfc-editor.org/rfc/rfc6265#section-8.6',
      'CWE-668: https://cwe.mitre.org/data/definitions/668.html',
      'CWE-672: https://cwe.mitre.org/data/definitions/672.html',
      'Microsoft, Prevent dangling DNS entries: https://learn.microsoft.com/azure/security/fundamentals/subdomain-takeover',
    ],
  },
});

async function bind(context: CheckContext, name?: Fact, session?: Fact): Promise<TakenOverName | undefined> {
  const [owner, given] = [name?.subject ?? '', session?.attributes.domain ?? ''];
  if (!sameName(owner, given) && !isBelow(owner, given)) return undefined;
  const alias = await openAt(context, owner, name?.attributes.domain ?? '', sameName(owner, context.surface.host));
  const found = alias && (await domainSession(context, ({ domain }) => bareName(domain).replace(/^\./, '') === given));
  return found && { alias, session: found };
}
