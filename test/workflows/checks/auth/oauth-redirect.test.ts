import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Severity } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { authorizationRequests } from '../../../../workflows/checks/auth/authorization-requests.ts';
import { oauthRedirect } from '../../../../workflows/checks/auth/oauth-redirect.check.ts';
import type { Check } from '../../../../workflows/checks/contract.ts';
import { openRedirect } from '../../../../workflows/checks/injection/open-redirect.check.ts';
import {
  type AuthorizationServer,
  authorizationMember,
  authorizationSite,
} from '../../../fixtures/authorization-server.ts';
import { html, json, startSite } from '../../../fixtures/site.ts';
import { further } from '../../../support/further.ts';
import { check, checkAgain, openAudit, places, stored } from '../harness.ts';

const test = suite('auth.oauth-redirect');

/** As nobody, or as a member where the server asks for a login. */
async function result(server: AuthorizationServer, subject: Check = oauthRedirect) {
  const site = await startSite(authorizationSite(server));
  const audit = await openAudit(site.url, { depth: 'deep', identities: server.hasLogin ? [authorizationMember] : [] });
  try {
    return await (server.hasLogin ? checkAgain(audit, subject, 'ina') : check(audit, subject));
  } finally {
    await audit.close();
    await site.close();
  }
}

const registered = 'https://board.partner.example/back';
const isExact = (address: string): boolean => address === registered;

const weak: [string, AuthorizationServer][] = [
  [
    'what begins with the origin of the client, for members',
    { registered, accepts: (address) => address.startsWith('https://board.partner.example'), hasLogin: true },
  ],
  [
    'any address, and posts the code by a form',
    { registered, accepts: () => true, hands: 'form', shown: 'redirect', knowsClient: true },
  ],
  [
    'hosts that end with the domain of the client, and hands over a token in the fragment',
    {
      ...{ registered, hands: 'token in the fragment', shown: 'script' },
      accepts: (address) => URL.parse(address)?.hostname.endsWith('partner.example') ?? false,
    },
  ],
  ['any address for any client, by script', { registered, accepts: () => true, hands: 'script', shown: 'form' }],
  [
    'what has the host of the client in it',
    { registered, accepts: (address) => address.includes('board.partner.example'), shown: 'redirect' },
  ],
  [
    'the path of the client, by settings of a script and a description of the server',
    { registered, accepts: (address) => URL.parse(address)?.pathname === '/back', shown: 'settings', hasLogin: true },
  ],
];

for (const [how, server] of weak) {
  test(`a server that accepts ${how} is found`, async () => {
    const found = await result(server);
    assert.equal(places(found), ['GET /oauth/authorize redirect_uri'], found.outcome.reason);
    const [finding] = found.findings;
    assert.is(finding?.severity, Severity.HIGH);
    assert.match(finding?.proof?.curl ?? '', /redirect_uri=[^ ]*(?:\.invalid|partner\.example)/);
    assert.not.match(stored(found), /(?:code|access_token)=[0-9a-f]{24}|value=\\?"?[0-9a-f]{24}/);
  });

  test(`one that compares addresses as a whole is clean, where that accepted ${how}`, async () => {
    const { outcome, findings } = await result({ ...server, accepts: isExact });
    assert.equal([outcome.kind, findings.length], ['clean', 0], outcome.reason);
  });
}

test('a host below the domain of the client is a finding of low severity', async () => {
  const accepts = (address: string) => URL.parse(address)?.hostname.endsWith('.partner.example') ?? false;
  const { findings, outcome } = await result({ registered, accepts });
  assert.equal(
    findings.map(({ severity }) => severity),
    [Severity.LOW],
    outcome.reason,
  );
});

const harmless: Record<string, AuthorizationServer> = {
  'an error': { registered, accepts: () => true, hands: 'error' },
  'no code': { registered, accepts: () => true, hands: 'nothing' },
  'a code that is the same for everybody': { registered, accepts: () => true, hands: 'constant' },
};

for (const [what, server] of Object.entries(harmless))
  test(`a server that hands over ${what} is clean`, async () => {
    const { outcome, findings } = await result(server);
    assert.equal([outcome.kind, findings.length], ['clean', 0], outcome.reason);
  });

test('nobody is let in without a login, whatever address its page repeats', async () => {
  const site = await startSite(authorizationSite({ registered, accepts: () => true, hasLogin: true }));
  const audit = await openAudit(site.url);
  try {
    const { outcome, findings } = await check(audit, oauthRedirect);
    assert.equal([outcome.kind, findings.length], ['clean', 0], outcome.reason);
  } finally {
    await audit.close();
    await site.close();
  }
});

test('what a user is asked to allow is not sent, and named', async () => {
  const { outcome, findings } = await result({ registered, accepts: () => true, hasLogin: true, asks: true });
  assert.equal([outcome.kind, findings.length], ['clean', 0], outcome.reason);
  assert.equal(
    outcome.omitted.map(({ code, count }) => [code, count]),
    [['would_act', 1]],
  );
});

further(test)('is one finding with an open redirect in the same place', async () => {
  const server: AuthorizationServer = { registered, accepts: () => true, knowsClient: true };
  const [own, open] = [await result(server), await result(server, openRedirect)];
  assert.is(own.findings[0]?.fingerprint, open.findings[0]?.fingerprint);
});

test('settings of a script are read once in a run, whoever looks for them', async () => {
  const site = await startSite(({ path }) => {
    if (path === '/') return html('<script src="/desk.js"></script>');
    if (path === '/desk.js')
      return { headers: { 'content-type': 'text/javascript' }, body: 'start({ client_id: "desk" })' };
    return path.startsWith('/.well-known/') ? json({ authorization_endpoint: '/allow' }) : undefined;
  });
  const askedBy = async () => {
    const audit = await openAudit(site.url);
    const { http } = audit.context;
    const asked: string[] = [];
    const get: typeof http.get = (url, options) => {
      asked.push(new URL(url).pathname);
      return http.get(url, options);
    };
    try {
      const { length } = await authorizationRequests({ ...audit.context, http: { ...http, get } });
      return [length, asked.includes('/desk.js')];
    } finally {
      await audit.close();
    }
  };
  try {
    assert.equal(await askedBy(), [1, true]);
    assert.equal(await askedBy(), [1, false]);
  } finally {
    await site.close();
  }
});

test('a site without a request for authorization has none', async () => {
  const site = await startSite(({ path }) =>
    path === '/' ? { headers: { 'content-type': 'text/html' }, body: '<p>Desk' } : undefined,
  );
  const audit = await openAudit(site.url);
  try {
    assert.is((await check(audit, oauthRedirect)).outcome.kind, 'not-applicable');
  } finally {
    await audit.close();
    await site.close();
  }
});

test.run();
