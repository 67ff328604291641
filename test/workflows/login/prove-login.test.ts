import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LoginSchema } from '../../../proto/gen/scanaudit/v1/domains_pb.ts';
import { makeNonce } from '../../../workflows/activities/audit-context.ts';
import { isAlive, proveLogin } from '../../../workflows/login/prove-login.ts';
import type { OpenProbes } from '../../../workflows/probe/open.ts';
import { openTestProbes } from '../support/checks.ts';
import { apiToken, type LoginSite, openLoginSite, users } from '../support/login-site.ts';

type Kind = NonNullable<MessageInitShape<typeof LoginSchema>['kind']>;
const logins = suite<{ site: LoginSite; probes: OpenProbes }>('prove login');
logins.before.each(async (context) => {
  context.site = await openLoginSite();
  context.probes = openTestProbes(context.site.url);
});
logins.after.each(async ({ site, probes }) => {
  await probes.close();
  await site.close();
});

const password = users.alice ?? '';
const form: Kind = { case: 'form', value: { url: '/login', username: 'alice', password } };
const login = (kind: Kind, more: { checkUrl?: string; marker?: string } = {}) => create(LoginSchema, { kind, ...more });
const proveIt = ({ site, probes }: { site: LoginSite; probes: OpenProbes }, ...given: Parameters<typeof login>) =>
  proveLogin({ http: probes.http, baseUrl: site.url, nonce: makeNonce }, login(...given));

for (const [kind, given] of Object.entries<Kind>({
  form,
  json: { case: 'json', value: { url: '/api/login', username: 'alice', password, tokenPath: 'data.token' } },
  bearer: { case: 'bearer', value: apiToken },
  header: { case: 'header', value: { name: 'X-Token', value: apiToken } },
})) {
  logins(`a ${kind} login is proven by what only its identity sees`, async (scene) => {
    const proof = await proveIt(scene, given);
    assert.is(proof.proven, true, proof.proven ? '' : proof.reason);
    if (proof.proven) {
      assert.is(proof.mark.checkUrl, scene.site.url);
      assert.is(await isAlive(scene.probes.http, proof.session, proof.mark), true);
    }
  });
}

logins('a cookie login is proven with the cookie of a session', async (scene) => {
  scene.site.sessions.set('abc123def', 'alice');
  const proof = await proveIt(scene, { case: 'cookie', value: 'session=abc123def; theme=dark' });
  assert.is(proof.proven, true);
});

logins('the form is sent as a browser would: token, ticked box and button', async (scene) => {
  await proveIt(scene, form);
  assert.equal(scene.site.attempts.at(-1), { user: 'alice', ok: true, tick: true });
});

logins('one wrong password is tried, before the right one', async (scene) => {
  await proveIt(scene, form);
  assert.equal(
    scene.site.attempts.map(({ ok }) => ok),
    [false, true, true],
  );
});

logins('a wrong password is not proven, whatever the site answers', async (scene) => {
  const proof = await proveIt(scene, { case: 'form', value: { url: '/login', username: 'alice', password: 'wrong' } });
  assert.is(proof.proven, false);
  if (!proof.proven) assert.match(proof.reason, /looks the same for anonymous visitors/);
});

logins('a page without a login form is named', async (scene) => {
  const proof = await proveIt(scene, { case: 'form', value: { url: '/nowhere', username: 'alice', password } });
  assert.is(proof.proven, false);
  if (!proof.proven) assert.match(proof.reason, /no login form was found at .*\/nowhere \(status 404\)/);
});

logins('a refused JSON login is named with its status', async (scene) => {
  const proof = await proveIt(scene, { case: 'json', value: { url: '/api/login', username: 'alice', password: 'no' } });
  assert.is(proof.proven, false);
  if (!proof.proven) assert.match(proof.reason, /\/api\/login answered 401/);
});

logins('a given marker is used when it tells, and the login is unproven when it does not', async (scene) => {
  const good = await proveIt(scene, form, { checkUrl: '/', marker: 'Hello, alice' });
  const bad = await proveIt(scene, form, { checkUrl: '/', marker: 'Welcome' });
  assert.is(good.proven && good.mark.marker, 'Hello, alice');
  assert.is(bad.proven, false);
});

logins('a site that looks the same for everybody leaves the login unproven', async () => {
  const site = await openLoginSite({ looksAlike: true });
  const probes = openTestProbes(site.url);
  try {
    assert.is((await proveIt({ site, probes }, form)).proven, false);
  } finally {
    await probes.close();
    await site.close();
  }
});

logins('a session that the site has ended is seen to be dead', async (scene) => {
  const proof = await proveIt(scene, form);
  if (!proof.proven) return assert.unreachable(proof.reason);
  scene.site.forget();
  assert.is(await isAlive(scene.probes.http, proof.session, proof.mark), false);
});

logins.run();
