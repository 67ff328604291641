import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fingerprintHost, identifiesPlatform } from '../../../../workflows/checks/pages/fingerprint-host.ts';
import type { OriginSurface, PageSurface, Surface } from '../../../../workflows/model/surface.ts';

const test = suite('what a host is made with');

type Shown = { headers?: [string, string][]; cookie?: string; url?: string; script?: string; field?: string };

function surface({ headers = [], cookie, url = 'https://shop.example/', script, field }: Shown): Surface {
  const page: PageSurface = {
    url,
    status: 200,
    contentType: 'text/html',
    headers,
    setCookies: cookie === undefined ? [] : [`${cookie}=x; Path=/`],
    title: '',
    scripts: script === undefined ? [] : [{ url: script }],
    source: 'target',
  };
  const origin: OriginSurface = {
    origin: 'https://shop.example',
    scheme: 'https',
    host: 'shop.example',
    port: 443,
    status: 200,
    headers,
  };
  const forms: Surface['forms'] =
    field === undefined
      ? []
      : [
          {
            pageUrl: url,
            action: url,
            method: 'POST',
            enctype: '',
            fields: [{ name: field, type: 'hidden', value: '' }],
          },
        ];
  return {
    url,
    host: 'shop.example',
    addresses: [],
    origins: [origin],
    pages: [page],
    forms,
    inputs: [],
    calls: [],
    explored: [],
    skipped: [],
    omitted: [],
  };
}

const shown: Record<string, [Shown, string[]]> = {
  'a header of PHP': [{ headers: [['X-Powered-By', 'PHP/8.3.1']] }, ['php']],
  'a script of WordPress': [{ script: 'https://shop.example/wp-content/a.js' }, ['wordpress', 'php']],
  'a cookie of Laravel behind nginx': [
    { headers: [['Server', 'nginx/1.27']], cookie: 'laravel_session' },
    ['laravel', 'php', 'nginx'],
  ],
  'a form of Django': [{ field: 'csrfmiddlewaretoken' }, ['django', 'python']],
  'a form of ASP.NET on IIS': [
    { headers: [['Server', 'Microsoft-IIS/10.0']], field: '__VIEWSTATE' },
    ['dotnet', 'iis'],
  ],
  'an address of Java': [{ url: 'https://shop.example/list.jsp' }, ['java']],
  'Tomcat, which is no Apache httpd': [{ headers: [['Server', 'Apache-Coyote/1.1']] }, ['tomcat', 'java']],
  'a server that reveals nothing': [{ headers: [['Server', 'cloudflare']] }, []],
};

for (const [what, [given, expected]] of Object.entries(shown))
  test(`${what} is recognised`, () =>
    assert.equal([...fingerprintHost(surface(given))].toSorted(), expected.toSorted()));

test('a server alone does not show what a site is made with', () => {
  assert.is(identifiesPlatform(new Set(['nginx', 'apache'])), false);
  assert.is(identifiesPlatform(new Set()), false);
  assert.is(identifiesPlatform(new Set(['nginx', 'php'])), true);
});

test.run();
