import type { DnsProbe } from '../../model/dns.ts';
import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import { bareName, isBelow, sameName } from '../../probe/dns/names.ts';
import { escapePattern, firstMatch } from '../../proof/pattern.ts';
import type { CheckContext } from '../contract.ts';
import { isAnswered, recordsOf } from '../names/dns-records.ts';
import { denials, type MissingTarget, missingTarget } from '../names/missing-targets.ts';
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
export type OpenAlias = { owner: string; target: string; domain: string; service: string; tokenless: Tokenless[] } & (
  | { by: 'answer'; url: string; answer: UnclaimedAnswer }
  | { by: 'name'; missing: MissingTarget }
);

/**
 * Whether the name is an alias of one that a stranger could take.
 * @param isHost the host that is audited: only that one may be sent requests
 */
export async function openAt(
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

/** Shows that the name leads there and that nobody has the other one, without taking it. */
export async function openAliasExperiment(context: CheckContext, open: OpenAlias): Promise<Experiment> {
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
