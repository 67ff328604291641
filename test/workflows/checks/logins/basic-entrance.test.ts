import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { defaultCredentials } from '../../../../workflows/checks/auth/default-credentials.check.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import { runOn } from '../harness.ts';

const test = suite('logins/basic-entrance');

type Design = { realm: string; accepts(pair: string): boolean };

async function result({ realm, accepts }: Design) {
  const site = await startSite(({ path, headers }) => {
    if (path === '/') return html('<a href="/console">Console</a>');
    if (path !== '/console') return undefined;
    const pair = Buffer.from(headers.authorization?.replace(/^Basic /, '') ?? '', 'base64').toString();
    return accepts(pair)
      ? html('<h1>Console</h1><p>Uptime 12 days</p>')
      : { status: 401, headers: { 'www-authenticate': `Basic ${realm}` }, body: 'no' };
  });
  try {
    return await runOn(site.url, defaultCredentials, {});
  } finally {
    await site.close();
  }
}

test('a page behind HTTP Basic that a usual account opens is found, whether its realm has a name or none', async () => {
  for (const [realm, known] of [
    ['realm="Router console", charset="UTF-8"', 'admin:admin'],
    ['realm="NVR-8 video recorder"', 'admin:12345'],
    ['', 'admin:admin123'],
    ['realm="Tomcat Manager Application"', 'tomcat:s3cret'],
  ] as const) {
    const { outcome, findings } = await result({ realm, accepts: (pair) => pair === known });
    assert.equal([outcome.kind, findings[0]?.location?.parameter], ['found', 'Authorization'], realm);
  }
});

test('a page that another account opens, or that any name or any password opens, is clean', async () => {
  for (const accepts of [
    (pair: string) => pair === 'keeper:k7-ab19f3',
    (pair: string) => pair.startsWith('admin:'),
    (pair: string) => pair.endsWith(':admin'),
  ]) {
    const { outcome, findings } = await result({ realm: 'realm="x"', accepts });
    assert.is(findings.length, 0, outcome.reason);
  }
});

test.run();
