import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inOrg } from '../../../core/db/session.ts';
import { domainFor, requireDomain } from '../../../core/domains/right.ts';
import { Refusal, toConnectError } from '../../../core/errors.ts';
import { CreditService } from '../../../proto/gen/scanaudit/v1/credits_pb.ts';
import { DomainService, type ListDomainsResponse } from '../../../proto/gen/scanaudit/v1/domains_pb.ts';
import { OwnershipRequiredSchema } from '../../../proto/gen/scanaudit/v1/errors_pb.ts';
import { ScanService } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { approve, isRefused, newOrg, refused, startCore, type TestCore } from '../support.ts';

let core: TestCore;
const test = suite('domains');
test.before(async () => {
  core = await startCore();
});
test.after(() => core.close());

const covered = (orgId: string, host: string) =>
  inOrg(core.program.core.em, orgId, async (tx) => (await domainFor(tx, orgId, host))?.domain);

test('a right covers its domain, and what is under it only where it says so', async () => {
  const { orgId } = await newOrg(core);
  await approve(core, orgId, 'example.com', true);
  await approve(core, orgId, 'exact.example.org');
  assert.is(await covered(orgId, 'example.com'), 'example.com');
  assert.is(await covered(orgId, 'a.b.example.com'), 'example.com');
  assert.is(await covered(orgId, 'exact.example.org'), 'exact.example.org');
  for (const host of ['a.exact.example.org', 'example.org', 'notexample.com', 'example.com.evil.net', 'com'])
    assert.is(await covered(orgId, host), undefined, host);
});

test('the nearest right counts', async () => {
  const { orgId } = await newOrg(core);
  await approve(core, orgId, 'example.com', true);
  await approve(core, orgId, 'shop.example.com', true);
  assert.is(await covered(orgId, 'a.shop.example.com'), 'shop.example.com');
});

test('a withdrawn right ends at once, and what it covered falls back to a parent’s', async () => {
  const { orgId, key } = await newOrg(core);
  await approve(core, orgId, 'example.com', true);
  await core.operator(DomainService).withdrawDomain({ orgId, domain: 'EXAMPLE.com.' });
  assert.is(await covered(orgId, 'example.com'), undefined);
  const [listed] = (await core.as(key)(DomainService).listDomains({})).items;
  assert.ok(listed?.withdrawnAt, 'it is still listed');
  const again = await core.operator(DomainService).withdrawDomain({ orgId, domain: 'example.com' });
  assert.equal(again.withdrawnAt, listed.withdrawnAt);
  assert.is((await approve(core, orgId, 'example.com')).withdrawnAt, undefined, 'approving gives it back');
});

test('two orgs may hold the same domain, and neither sees the other’s', async () => {
  const [a, b] = [await newOrg(core), await newOrg(core)];
  await approve(core, a.orgId, 'example.com');
  assert.is(await covered(b.orgId, 'example.com'), undefined);
  assert.equal((await core.as(b.key)(DomainService).listDomains({})).items, []);
  await approve(core, b.orgId, 'example.com');
  assert.is(await covered(b.orgId, 'example.com'), 'example.com');
});

test('domains are listed a page at a time by name, proven and unproven ones in one order', async () => {
  const [{ orgId, key }, other] = [await newOrg(core), await newOrg(core)];
  const client = core.as(key)(DomainService);
  for (const domain of ['b.example', 'z-1.example', 'xn--bcher-kva.example']) await approve(core, orgId, domain);
  for (const domain of ['a.example', 'z.example', 'c.example']) await client.registerDomain({ domain });
  await approve(core, other.orgId, 'd.example');
  const seen: string[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const page: ListDomainsResponse = await client.listDomains({ limit: 4, cursor });
    seen.push(...page.items.map(({ domain, status }) => `${domain} ${status}`));
    cursor = page.nextCursor;
  }
  assert.equal(seen, [
    'a.example pending',
    'b.example verified',
    'c.example pending',
    'xn--bcher-kva.example verified',
    'z-1.example verified',
    'z.example pending',
  ]);
  await isRefused(client.listDomains({ cursor: 'abc' }), 'INVALID_PARAMETER');
  await isRefused(client.listDomains({ limit: 0 }), 'INVALID_PARAMETER');
});

test('a start without the right says what to prove and how', async () => {
  const { key, orgId } = await newOrg(core);
  await core.operator(CreditService).grantCredits({ orgId, amount: 1, reason: 'x', idempotencyKey: 'x' });
  const error = await refused(core.as(key)(ScanService).startScan({ url: 'https://www.example.co.uk/shop' }));
  assert.is(error.reason, 'DOMAIN_NOT_VERIFIED');
  const [ownership] = error.findDetails(OwnershipRequiredSchema);
  assert.is(ownership?.domain, 'example.co.uk');
  assert.equal(ownership?.methods, ['dns-txt', 'http-file', 'meta-tag']);
  assert.match(error.rawMessage, 'POST /api/v1/domains {"domain": "example.co.uk"}');
});

test('an address is only ever approved by staff, and the refusal says so', async () => {
  const { orgId } = await newOrg(core);
  const refusal = await inOrg(core.program.core.em, orgId, (tx) => requireDomain(tx, orgId, '192.0.2.1')).catch(
    (error: unknown) => error,
  );
  assert.instance(refusal, Refusal);
  assert.match(toConnectError(refusal as Refusal).message, 'Ask the operator of the service to approve it.');
  await approve(core, orgId, '192.0.2.1');
  assert.is(await covered(orgId, '192.0.2.1'), '192.0.2.1');
});

test('what cannot be approved is refused by field', async () => {
  const { orgId } = await newOrg(core);
  for (const domain of ['co.uk', 'github.io', 'not a domain', 'https://example.com'])
    await isRefused(approve(core, orgId, domain), 'INVALID_PARAMETER');
  for (const domain of ['192.0.2.1', 'localhost'])
    await isRefused(approve(core, orgId, domain, true), 'INVALID_PARAMETER');
  await isRefused(approve(core, 'acme', 'example.com'), 'NOT_FOUND');
  await isRefused(approve(core, '00000000-0000-4000-8000-000000000000', 'example.com'), 'NOT_FOUND');
  await isRefused(core.operator(DomainService).withdrawDomain({ orgId, domain: 'example.com' }), 'NOT_FOUND');
});

test.run();
