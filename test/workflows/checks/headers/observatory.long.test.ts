import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Check } from '../../../../workflows/checks/contract.ts';
import { headerParts } from '../../../../workflows/checks/headers/parts/all.ts';
import { inParallel } from '../../../../workflows/checks/inputs/parallel.ts';
import { loadRegistry } from '../../../../workflows/checks/registry.ts';
import { makeAuthority, makeCertificate, withChain } from '../../../fixtures/certificates.ts';
import { startNameServer } from '../../../fixtures/name-server.ts';
import { type Answer, type Handler, startSite } from '../../../fixtures/site.ts';
import { type Opinions, openObservatory } from './observatory.ts';
import { cases, type ObservatoryCase } from './observatory-cases.ts';
import { foundOn } from './observatory-sites.ts';

/** Which of our checks answers for which test of the Observatory. */
const ours: Record<string, string[]> = {
  'content-security-policy': ['headers.csp-missing', 'headers.csp-bypassable'],
  cookies: ['cookies.session-without-secure'],
  'cross-origin-resource-sharing': ['cors.null-origin-trusted', 'cors.origin-prefix-or-suffix-trusted'],
  redirection: ['tls.redirect-missing'],
  'referrer-policy': ['headers.referrer-policy-missing'],
  'strict-transport-security': ['headers.hsts-missing', 'headers.hsts-short', 'tls.https-missing'],
  'subresource-integrity': ['client.integrity-missing', 'client.mixed-content'],
  'x-content-type-options': ['headers.nosniff-missing'],
  'x-frame-options': ['headers.framing-allowed'],
  'cross-origin-resource-policy': ['headers.isolation-missing'],
};

type Compared = { theirs: Opinions; found: string[] };

const test = suite<{ compared: Map<string, Compared> }>('the MDN HTTP Observatory');

test.before(async (context) => {
  context.compared = await compareAll();
});

async function compareAll(): Promise<Map<string, Compared>> {
  const authority = await makeAuthority('Test Authority');
  const certificate = await makeCertificate({ commonName: '*.northwind.shop', issuer: authority });
  const tls = withChain(certificate);
  const entries = Object.entries(cases).map(([name, site], index) => ({
    name,
    site,
    host: `c${index}.northwind.shop`,
  }));
  const of = (host = '') => entries.find((entry) => host.startsWith(`${entry.host}:`))?.site ?? {};
  const secure = await startSite((request) => pageOf(of(request.headers.host), request), { tls });
  const plain = await startSite(({ headers, path }) => {
    const { host = '' } = headers;
    const url = `http://${host}${path}`;
    const secureUrl = `https://${host.replace(/:\d+$/, '')}:${secure.port}/`;
    return of(host).plain?.(secureUrl, url) ?? { status: 301, headers: { location: secureUrl } };
  });
  const names = await startNameServer(Object.fromEntries(entries.map(({ host }) => [`${host} A`, ['127.0.0.1']])));
  const observatory = await openObservatory(authority.cert);
  const { checks } = await registered();
  const place = { httpPort: plain.port, httpsPort: secure.port, dnsServer: names.address, authority: authority.cert };
  try {
    return new Map(
      await inParallel(entries, 4, async ({ name, host }) => {
        const theirs = await observatory.opinionsOn(host, place);
        return [name, { theirs, found: await foundOn({ ...place, host }, checks) }] as const;
      }),
    );
  } finally {
    observatory.close();
    await Promise.all([secure.close(), plain.close()]);
    names.close();
  }
}

async function registered(): Promise<{ checks: Check[] }> {
  const registry = await loadRegistry();
  return {
    checks: Object.values(ours)
      .flat()
      .flatMap((id) => headerParts.find((part) => part.id === id) ?? registry.check(id) ?? []),
  };
}

/** A site in order, but for what the case says. */
const inOrder = {
  'Content-Security-Policy': "default-src 'none'; script-src 'self'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Content-Type': 'text/html; charset=utf-8',
};

function pageOf(
  { headers = {}, head = '', markup = '', answer }: ObservatoryCase,
  request: Parameters<Handler>[0],
): Answer | undefined {
  const answered = answer?.(request);
  if (answered) return answered;
  if (request.path !== '/') return undefined;
  const all = Object.entries({ ...inOrder, ...headers }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  const form = '<form method="post" action="/basket"><input name="amount"><button>Put in</button></form>';
  return {
    headers: Object.fromEntries(all),
    body: `<!doctype html><html><head><title>Shop</title>${head}</head><body>${markup}<a href="/api">API</a>${form}</body></html>`,
  };
}

for (const [name, { differs = {} }] of Object.entries(cases))
  test(`is of the same opinion on: ${name}${Object.keys(differs).length > 0 ? ', but for what is explained' : ''}`, ({
    compared,
  }) => {
    const { theirs = {}, found = [] } = compared.get(name) ?? {};
    const others = Object.entries(ours).flatMap(([theirName, ids]) => {
      const weFound = ids.filter((id) => found.includes(id));
      const opinion = theirs[theirName];
      return opinion?.pass === (weFound.length === 0) ? [] : [[theirName, `${opinion?.result}; ours: ${weFound}`]];
    });
    assert.equal(
      others.map(([test]) => test),
      Object.keys(differs),
      JSON.stringify(others),
    );
  });

test('has been asked about at least forty sites, and each of its tests has failed and passed', ({ compared }) => {
  assert.ok(compared.size >= 40);
  // It compares Origin with a header that its client does not keep, so that this test of its passes everywhere.
  for (const name of Object.keys(ours).filter((name) => name !== 'cross-origin-resource-sharing')) {
    const verdicts = new Set([...compared.values()].map(({ theirs }) => theirs[name]?.pass));
    assert.equal([...verdicts].toSorted(), [false, true], name);
  }
});

test.run();
