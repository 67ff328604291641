import { toBinary } from '@bufbuild/protobuf';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ProofSchema } from '../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { takenOverName } from '../../../workflows/chains/taken-over-name.step.ts';
import { broadDomain } from '../../../workflows/checks/cookies/broad-domain.check.ts';
import { subdomainTakeover } from '../../../workflows/checks/dns/subdomain-takeover.check.ts';
import { registryOf } from '../../../workflows/checks/registry.ts';
import type { Fact } from '../../../workflows/model/fact.ts';
import { goalsIn } from '../../../workflows/planner/act.ts';
import { smallestChains } from '../../../workflows/planner/chains.ts';
import { replay } from '../../../workflows/planner/replay.ts';
import { type MembersDesign, memberOf, membersSite, sound } from '../../fixtures/members.ts';
import { startNameServer, type Zone } from '../../fixtures/name-server.ts';
import { type Handler, startSite } from '../../fixtures/site.ts';
import { further } from '../../support/further.ts';
import { type Audit, check, openAudit, step, world } from '../checks/harness.ts';
import { soa } from '../checks/named-site.ts';

const test = suite('the chain from a free name to a session');

const host = 'www.northwind.shop';
const forgotten = 'northwind-events.azurewebsites.net';

const zone: Zone = {
  'northwind.shop SOA': [soa],
  [`${host} A`]: ['127.0.0.1'],
  'events.northwind.shop CNAME': [forgotten],
  'azurewebsites.net SOA': [soa],
  'azurewebsites.net A': ['192.0.2.1'],
};

const broad: MembersDesign = { ...sound, beforeLogin: 'none', attributes: 'Path=/; HttpOnly; Domain=northwind.shop' };

/** The members' site, whose first page leads to the forgotten host. */
function linking(design: MembersDesign): Handler {
  const members = membersSite(design);
  return (request) => {
    const answer = members(request);
    if (request.path !== '/' || !answer) return answer;
    return { ...answer, body: `${String(answer.body)}<a href="https://events.northwind.shop/">Events</a>` };
  };
}

async function onSite<T>(
  { design = broad, records = zone }: { design?: MembersDesign; records?: Zone },
  work: (audit: Audit, open: () => Promise<Audit>) => Promise<T>,
): Promise<T> {
  const names = await startNameServer(records);
  const site = await startSite(linking(design), { host });
  const open = () =>
    openAudit(site.url, { dnsServer: names.address, hosts: [host], identities: [memberOf(design)], depth: 'deep' });
  const audit = await open();
  try {
    return await work(audit, open);
  } finally {
    await audit.close();
    await site.close();
    names.close();
  }
}

const factsOf = async (audit: Audit): Promise<Fact[]> => [
  ...(await check(audit, subdomainTakeover)).facts,
  ...(await check(audit, broadDomain)).facts,
];
const kinds = (facts: readonly Fact[]) => facts.map(({ kind }) => kind);

test('a name that nobody holds is sent the cookie that is the session, again when it is replayed from nothing', () =>
  onSite({}, async (audit, open) => {
    const facts = await factsOf(audit);
    assert.equal(kinds(facts), ['claimable-name', 'domain-session']);
    const shown = await step(audit, takenOverName, facts);
    assert.equal(
      shown.facts.map(({ kind, attributes }) => [kind, attributes.goal]),
      [['goal', 'account takeover']],
      shown.partly?.text,
    );
    const proofs = shown.groups.flatMap(({ places }) => places.map(({ proof }) => proof));
    const kept = proofs.map((proof) => Buffer.from(toBinary(ProofSchema, proof)).toString('latin1')).join();
    assert.match(kept, /events\.northwind\.shop/);
    assert.not.match(kept, /sess[0-9a-f]{32}|correct-horse/);
    const [found] = smallestChains(goalsIn(shown.facts), [...facts, ...shown.facts]).chains;
    const fresh = await open();
    try {
      const registry = registryOf([subdomainTakeover, broadDomain], [takenOverName]);
      const held = found && (await replay(found.links, registry, () => world(fresh)));
      assert.is(held?.held, true);
    } finally {
      await fresh.close();
    }
  }));

test('a cookie for the host alone breaks the chain', async () => {
  const design = { ...broad, attributes: 'Path=/; HttpOnly' };
  assert.equal(kinds(await onSite({ design }, factsOf)), ['claimable-name']);
});

test('a name that somebody holds breaks the chain', async () => {
  const records = { ...zone, [`${forgotten} A`]: ['192.0.2.2'] };
  assert.equal(kinds(await onSite({ records }, factsOf)), ['domain-session']);
});

test('a cookie for the domain that opens nothing by itself gives no session', async () => {
  const design = { ...broad, attributes: 'Path=/; HttpOnly', extraCookie: 'visit=4f1c; Path=/; Domain=northwind.shop' };
  assert.equal(kinds(await onSite({ design }, factsOf)), ['claimable-name']);
});

further(test)('a name that was claimed in between gives nothing', async () => {
  const facts = await onSite({}, factsOf);
  const records = { ...zone, [`${forgotten} A`]: ['192.0.2.2'] };
  const shown = await onSite({ records }, (audit) => {
    const { origin } = new URL(audit.context.surface.url);
    return step(
      audit,
      takenOverName,
      facts.map((each) => (each.kind === 'domain-session' ? { ...each, subject: origin } : each)),
    );
  });
  assert.is(shown.groups.length, 0);
});

test.run();
