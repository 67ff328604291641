import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Severity } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { abandonedCdn } from '../../../../workflows/checks/client/abandoned-cdn.check.ts';
import { startNameServer } from '../../../fixtures/name-server.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import { runOn } from '../harness.ts';
import { soa } from '../named-site.ts';

const test = suite('client.abandoned-cdn');
const host = 'www.northwind.shop';

/** Names that exist beside the site's own, and the registries above. */
const zone = {
  [`${host} A`]: ['127.0.0.1'],
  'com SOA': [soa],
  'co.uk SOA': [soa],
  'cdn.jsdelivr.net A': ['192.0.2.1'],
  'jsdelivr.net A': ['192.0.2.1'],
  'hosting.com SOA': [soa],
  'hosting.com A': ['192.0.2.2'],
};

async function result(markup: string, failing: Parameters<typeof startNameServer>[1] = {}) {
  const names = await startNameServer(zone, failing);
  const site = await startSite(({ path }) => (path === '/' ? html(markup) : undefined), { host });
  try {
    return await runOn(site.url, abandonedCdn, { dnsServer: names.address, hosts: [host] });
  } finally {
    await site.close();
    names.close();
  }
}

const abandoned: Record<string, [markup: string, severity: Severity, said: RegExp]> = {
  'a polyfill of a service that was sold': [
    '<script src="https://cdn.polyfill.io/v3/polyfill.min.js?features=fetch&amp;flags=gated" nonce="abc"></script>',
    Severity.MEDIUM,
    /polyfill\.io was sold/,
  ],
  'an address without scheme': [
    '<script async src=//cdn.polyfill.io/v2/polyfill.js></script>',
    Severity.MEDIUM,
    /sold/,
  ],
  'a style sheet of those who changed it': [
    '<link href="https://cdn.bootcss.com/bootstrap/3.3.7/css/bootstrap.css" rel="alternate stylesheet">',
    Severity.MEDIUM,
    /bootcss\.com is run by/,
  ],
  'a path below a base of a service that ended': [
    '<base href="https://cdn.rawgit.com/"><script src="someone/repository/master/lib.js"></script>',
    Severity.MEDIUM,
    /rawgit\.com ended its service/,
  ],
  'a module that is fetched beforehand': [
    '<link rel="modulepreload" href="https://gitcdn.xyz/repo/a/b/master/m.js">',
    Severity.MEDIUM,
    /gitcdn\.xyz ended/,
  ],
  'a domain that nobody has': [
    '<script type="module" src="https://static.lapsed-widgets.com/w.js"></script>',
    Severity.MEDIUM,
    /the domain lapsed-widgets\.com does not exist/,
  ],
  'a domain below a suffix of two parts': [
    '<link rel=stylesheet href=https://fonts.lapsed.co.uk/a.css>',
    Severity.MEDIUM,
    /the domain lapsed\.co\.uk does not exist/,
  ],
};

for (const [what, [markup, severity, said]] of Object.entries(abandoned))
  test(`${what} is found`, async () => {
    const { outcome, findings } = await result(markup);
    assert.is(outcome.kind, 'found', outcome.reason);
    assert.is(findings.length, 1);
    assert.is(findings[0]?.severity, severity);
    assert.match(findings[0]?.description ?? '', said);
  });

const kept: Record<string, string> = {
  'a library of a service that is kept': '<script src="https://cdn.jsdelivr.net/npm/vue@3.4.21"></script>',
  'an old service with a hash of the file':
    '<script src="https://cdn.polyfill.io/v3/p.js" integrity="sha384-abc" crossorigin></script>',
  'an element in a comment': '<!-- <script src="https://cdn.polyfill.io/v3/p.js"></script> -->',
  'an element in a template': '<template><script src="https://cdn.polyfill.io/v3/p.js"></script></template>',
  'a link that a visitor may follow': '<a href="https://polyfill.io/">About</a><a href="https://lapsed.com/">Old</a>',
  'a name that ends alike': '<script src="https://notpolyfill.hosting.com/v3/p.js"></script>',
  'a host that is missing below a domain that is there': '<script src="https://gone.hosting.com/x.js"></script>',
  'a name that is for examples': '<script src="https://cdn.example/x.js"></script>',
  'a script that is data': '<script type="text/template" src="https://polyfill.io/x.js"></script>',
  'files of its own': '<script src="/polyfill.io/x.js"></script><link rel=stylesheet href=/a.css>',
};

for (const [what, markup] of Object.entries(kept))
  test(`${what} is no finding`, async () => {
    const { outcome, findings } = await result(markup);
    assert.ok(['clean', 'not-applicable'].includes(outcome.kind), `${outcome.kind} ${outcome.reason}`);
    assert.is(findings.length, 0);
  });

test('a resolver that denies without the zone beside it says nothing', async () => {
  const { findings } = await result('<script src="https://x.lapsed.org/x.js"></script>', { 'lapsed.org A': 'REFUSED' });
  assert.is(findings.length, 0);
});

test('many files of one host on many pages are one finding', async () => {
  const src = (name: string) => `<script src="https://cdn.polyfill.io/${name}.js"></script>`;
  const { findings } = await result(`${src('a')}${src('b')}${src('c')}`);
  assert.is(findings.length, 1);
});

test.run();
