import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Severity } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { subdomainTakeover } from '../../../../workflows/checks/dns/subdomain-takeover.check.ts';
import type { CheckResult } from '../../../../workflows/checks/run-check.ts';
import { startNameServer, type Zone } from '../../../fixtures/name-server.ts';
import { type Handler, html, startSite } from '../../../fixtures/site.ts';
import { further } from '../../../support/further.ts';
import { runOn } from '../harness.ts';
import { soa } from '../named-site.ts';

const test = suite('dns.subdomain-takeover');

const host = 'docs.northwind.shop';

async function resultOf(handler: Handler, zone: Zone): Promise<CheckResult> {
  const names = await startNameServer({ 'northwind.shop SOA': [soa], ...zone });
  const site = await startSite(handler, { host });
  try {
    return await runOn(site.url, subdomainTakeover, { dnsServer: names.address, hosts: [host] });
  } finally {
    await site.close();
    names.close();
  }
}

/** The host as an alias of a name at a service. */
const aliasOf = (target: string): Zone => ({
  [`${host} CNAME`]: [target],
  [`${host} A`]: [{ alias: target }],
  [`${target} A`]: ['127.0.0.1'],
});
const ownAddress: Zone = { [`${host} A`]: ['127.0.0.1'] };

const everywhere =
  (body: string, status = 404): Handler =>
  () => ({ status, headers: { 'content-type': 'text/html' }, body });

const github = "<p><strong>There isn't a GitHub Pages site here.</strong></p>";
const bucket = '<Error><Code>NoSuchBucket</Code><Message>The specified bucket does not exist</Message></Error>';
const surge = '<title>project not found</title>';
const token = '3f9a0c2e7b1d4f6a8c5e9b0d2a4f6c';

test('a name that is given the session cookie of the whole domain is graver', async () => {
  const session = 'sessionid=3f9a0c2e7b1d4f6a8c5e9b0d2a4f6c71; Domain=northwind.shop; Path=/; HttpOnly';
  const { findings } = await resultOf(
    () => ({ status: 404, headers: { 'content-type': 'text/html', 'set-cookie': session }, body: github }),
    aliasOf('northwind.github.io'),
  );
  assert.is(findings[0]?.severity, Severity.CRITICAL);
  assert.match(findings[0]?.description ?? '', /cookie "sessionid"/);
});

for (const [service, target, body] of [
  ['GitHub Pages', 'northwind.github.io', github],
  ['Amazon S3', 'docs.northwind.shop.s3-website.eu-central-1.amazonaws.com', bucket],
  ['Surge', 'na-west1.surge.sh', surge],
] as const) {
  test(`an alias of a name that nobody has at ${service} is found`, async () => {
    const { outcome, findings } = await resultOf(everywhere(body), aliasOf(target));
    assert.is(outcome.kind, 'found', outcome.reason);
    assert.is(findings[0]?.location?.url, `dns:${host}?type=CNAME`);
    assert.is(findings[0]?.severity, Severity.MEDIUM);
    assert.match(findings[0]?.description ?? '', new RegExp(`${service} says that no customer has it`));
    assert.match(findings[0]?.proof?.curl ?? '', /dig @127\.0\.0\.1 -p \d+ \+short CNAME docs\.northwind\.shop/);
  });

  test(`the same name is clean when it is somebody's at ${service}`, async () => {
    const claimed: Handler = ({ path }) => (path === '/' ? html('<h1>Manual</h1>') : undefined);
    assert.is((await resultOf(claimed, aliasOf(target))).outcome.kind, 'clean');
  });
}

const linking: Handler = ({ path }) =>
  path === '/'
    ? html('<a href="https://old.northwind.shop/">Old shop</a><script src="https://cdn.northwind.shop/a.js"></script>')
    : undefined;

further(test)('names that the site leads to are found by the names alone, and are sent nothing', async () => {
  for (const [target, zone] of [
    ['northwind.azurewebsites.net', 'azurewebsites.net'],
    ['shop-env.eu-west-1.elasticbeanstalk.com', 'elasticbeanstalk.com'],
    ['shop.contoso-hosting.example-lapsed.com', 'com'],
  ] as const) {
    const { outcome, findings } = await resultOf(linking, {
      ...ownAddress,
      'old.northwind.shop CNAME': [target],
      [`${zone} SOA`]: [soa],
      [`${zone} A`]: ['192.0.2.1'],
    });
    assert.is(outcome.kind, 'found', `${target}: ${outcome.reason}`);
    assert.equal(
      findings.map(({ location }) => location?.url),
      ['dns:old.northwind.shop?type=CNAME'],
    );
  }
});

test('a name at a service that is there is clean, and so is one that the owner alone can make', async () => {
  for (const zone of [
    { 'old.northwind.shop CNAME': ['northwind.azurewebsites.net'], 'northwind.azurewebsites.net A': ['192.0.2.1'] },
    { 'old.northwind.shop CNAME': ['gone.northwind.shop'] },
    { 'old.northwind.shop CNAME': ['gone.provider.com'], 'provider.com SOA': [soa] },
  ])
    assert.is((await resultOf(linking, { ...ownAddress, ...zone })).outcome.kind, 'clean');
});

test('a name with a part that the service made up cannot be chosen by anybody', async () => {
  for (const [target, zone] of [
    ['northwind-h7d2a9c1.westeurope-01.azurewebsites.net', 'azurewebsites.net'],
    ['shop.eba-k3m2p1.eu-west-1.elasticbeanstalk.com', 'elasticbeanstalk.com'],
  ] as const) {
    const alias = { 'old.northwind.shop CNAME': [target], [`${zone} SOA`]: [soa], [`${zone} A`]: ['192.0.2.1'] };
    assert.is((await resultOf(linking, { ...ownAddress, ...alias })).outcome.kind, 'clean', target);
  }
});

further(test)(
  'a token by which a service keeps the name for its owner makes it clean, and other text does not',
  async () => {
    const azure: Zone = {
      ...ownAddress,
      'old.northwind.shop CNAME': ['northwind.azurewebsites.net'],
      'azurewebsites.net SOA': [soa],
      'azurewebsites.net A': ['192.0.2.1'],
    };
    const pages = aliasOf('northwind.github.io');
    const challenge = '_github-pages-challenge-northwind';
    for (const [kind, handler, zone] of [
      ['clean', linking, { ...azure, 'asuid.old.northwind.shop TXT': [[token.repeat(2)]] }],
      ['clean', everywhere(github), { ...pages, [`${challenge}.northwind.shop TXT`]: [[token]] }],
      ['clean', everywhere(github), { ...pages, [`${challenge}.${host} TXT`]: [[token]] }],
      ['found', linking, { ...azure, 'asuid.old.northwind.shop TXT': [['v=spf1 -all']] }],
      ['found', everywhere(github), { ...pages, '_github-pages-challenge-other.northwind.shop TXT': [[token]] }],
    ] as const)
      assert.is((await resultOf(handler, zone)).outcome.kind, kind);
  },
);

further(test)(
  'a service whose page says that a link is missing, and not that nobody has the domain, is clean',
  async () => {
    const short = aliasOf('cname.short.io');
    assert.is((await resultOf(everywhere('<h1>Link does not exist</h1>'), short)).outcome.kind, 'clean');
    const nobodys = '<h1>Link does not exist</h1><p>This domain is not configured on Short.io</p>';
    assert.is((await resultOf(everywhere(nobodys), short)).outcome.kind, 'found');
  },
);

further(test)('the words of a service on a page of one’s own are nothing', async () => {
  assert.is((await resultOf(everywhere(github), ownAddress)).outcome.kind, 'clean');
  assert.is((await resultOf(everywhere(surge), aliasOf('northwind.github.io'))).outcome.kind, 'clean');
});

test('a page that shows the words only at one place is not the service’s', async () => {
  const own: Handler = ({ path }) => (path === '/' ? { status: 404, body: github } : html('<h1>Manual</h1>'));
  assert.is((await resultOf(own, aliasOf('northwind.github.io'))).outcome.kind, 'clean');
});

test('a wildcard that leads to the service is found', async () => {
  const zone = { ...aliasOf('northwind.github.io'), '*.northwind.shop CNAME': ['northwind.github.io'] };
  assert.is((await resultOf(everywhere(github), zone)).outcome.kind, 'found');
});

test.run();
