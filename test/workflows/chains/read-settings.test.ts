import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { envSecret } from '../../../workflows/chains/env-secret.step.ts';
import { forgeSession } from '../../../workflows/chains/forge-session.step.ts';
import { leakedLogin } from '../../../workflows/chains/leaked-login.step.ts';
import { readSettingsByTraversal } from '../../../workflows/chains/read-settings.step.ts';
import { pathTraversal } from '../../../workflows/checks/injection/path-traversal.check.ts';
import { type Handler, html, startSite } from '../../fixtures/site.ts';
import { strongKey, type TokenDesign, tokenHolder, tokenSite } from '../../fixtures/token-site.ts';
import { firstRows, further } from '../../support/further.ts';
import { chainsOn } from '../checks/chain-harness.ts';

const test = suite('the chain from a path traversal to the session of an administrator');

const design: TokenDesign = {
  key: strongKey(),
  header: { alg: 'HS256', typ: 'JWT' },
  claims: { sub: 'ann', role: 'customer' },
  carry: 'cookie',
  verify: (token, own) => own(token),
  isAdmin: ({ role }) => role === 'admin',
};

type Mending = { isMended?: 'traversal' | 'key' | 'role' };

/** Reads leaflets by their names, wherever these lead; its settings stand in the folder that it was started in. */
function library(files: Record<string, string>, pages: Handler, { isMended }: Mending): Handler {
  const read = (name: string): string | undefined => {
    if (!name.includes('..') && !name.startsWith('/')) return name === 'flu.txt' ? 'Stay in bed.' : undefined;
    return isMended === 'traversal' ? undefined : files[name.replace(/^(?:\.\.\/|\/)+/, '')];
  };
  return (request) => {
    const { path, target } = request;
    if (path === '/leaflet') {
      const text = read(new URL(target, 'http://site').searchParams.get('file') ?? '');
      return text === undefined
        ? html('No such leaflet.', 404)
        : { headers: { 'content-type': 'text/plain' }, body: text };
    }
    const answer = pages(request);
    return path === '/'
      ? html('<a href="/leaflet?file=flu.txt">Flu</a><a href="/me">me</a><a href="/login">log in</a>')
      : answer;
  };
}

const passwd = 'root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\n';

async function kindsOn(handler: Handler, identified: boolean) {
  const site = await startSite(handler);
  try {
    const steps = [readSettingsByTraversal, envSecret, forgeSession, leakedLogin];
    const options = identified ? { identities: [tokenHolder(design)] } : {};
    const { held } = await chainsOn(site.url, [pathTraversal], steps, options);
    return held.map(({ goal, links }) => [goal, ...links.map(({ actionId }) => actionId)].join(' '));
  } finally {
    await site.close();
  }
}

function forging(mending: Mending = {}, settings = '.env') {
  const { isMended } = mending;
  const key = isMended === 'key' ? strongKey() : design.key;
  const text =
    settings === '.env'
      ? `APP_ENV=production\nDB_HOST=10.0.0.7\nJWT_SECRET=${key}\n`
      : `import os\nJWT_SECRET = "${key}"\nDEBUG = False\n`;
  const pages = tokenSite(isMended === 'role' ? { ...design, isAdmin: () => false } : design);
  return kindsOn(library({ 'etc/passwd': passwd, [`proc/self/cwd/${settings}`]: text }, pages, mending), true);
}

further(test)('four actions that know nothing of each other lead from a leaflet to the administration', async () => {
  assert.equal(await forging(), [
    'session(admin) injection.path-traversal chains.read-settings chains.env-secret chains.forge-session',
  ]);
});

further(test)('a key in the source that was read is enough', async () => {
  assert.equal(await forging({}, 'config.py'), [
    'session(admin) injection.path-traversal chains.read-settings chains.forge-session',
  ]);
});

for (const isMended of firstRows(['traversal', 'key', 'role'] as const, 1))
  test(`the chain is broken where the ${isMended} is mended`, async () => {
    assert.equal(await forging({ isMended }), []);
  });

further(test)('a password in the settings that were read opens an account', async () => {
  const settings = 'APP_ENV=production\nDB_HOST=10.0.0.7\nADMIN_USER=kim\nADMIN_PASSWORD=rope-and-tide-77\n';
  const form =
    '<form method="post" action="/login"><input name="who"><input type="password" name="word"><button>Log in</button></form>';
  const pages: Handler = ({ path, method, body }) => {
    if (path !== '/login') return undefined;
    const fields = new URLSearchParams(body);
    const isIn = fields.get('who') === 'kim' && fields.get('word') === 'rope-and-tide-77';
    return method === 'POST'
      ? html(isIn ? '<h1>Welcome kim</h1><a href="/logout">Log out</a>' : `Wrong.${form}`)
      : html(form);
  };
  const files = { 'etc/passwd': passwd, 'proc/self/cwd/.env': settings };
  assert.equal(await kindsOn(library(files, pages, {}), false), [
    'account takeover injection.path-traversal chains.read-settings chains.leaked-login',
  ]);
});

test.run();
