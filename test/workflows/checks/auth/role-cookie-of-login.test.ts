import { createHmac } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { trustedClientInput } from '../../../../workflows/checks/auth/trusted-client-input.check.ts';
import { type Handler, html, startSite } from '../../../fixtures/site.ts';
import { further } from '../../../support/further.ts';
import { checkAgain, openAudit, places } from '../harness.ts';

const test = suite('the role in the cookie of a login');

const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');

type Sender = { user: string; role: string };

function readCookie(value: string): Sender | undefined {
  try {
    return JSON.parse(Buffer.from(value, 'base64').toString());
  } catch {
    return undefined;
  }
}

/** Nothing on the first page shows who asks; the page after the login leads some to more. */
const site =
  (mayOpen: (sender: Sender) => boolean): Handler =>
  ({ path, cookies }) => {
    if (path === '/') return html('<h1>Quarry</h1><a href="/sign-in">Sign in</a>');
    const sender = readCookie(cookies.who ?? '');
    if (!['/shifts', '/shifts/blasting'].includes(path)) return undefined;
    if (!sender) return { status: 302, headers: { location: '/sign-in' } };
    if (path === '/shifts')
      return html(
        `<h1>Shifts</h1><p>Hello ${sender.user}</p>${/admin|manager/.test(sender.role) ? '<a href="/shifts/blasting">Blasting</a>' : ''}`,
      );
    return mayOpen(sender)
      ? html('<h1>Blasting</h1><p>Ina Holm holds the key of shed four, Ole Brandt that of shed six</p>')
      : html('<h1>Quarry</h1><p>Access denied.</p>', 403);
  };

async function found(mayOpen: (sender: Sender) => boolean): Promise<string[]> {
  const running = await startSite(site(mayOpen));
  const cookies = { who: base64({ user: 'ann', role: 'user' }) };
  const identity = { name: 'A', checkPath: '/shifts', marker: 'ann', cookies };
  const audit = await openAudit(running.url, { startPaths: ['/shifts'], identities: [identity] });
  try {
    return places(await checkAgain(audit, trustedClientInput, 'A'));
  } finally {
    await audit.close();
    await running.close();
  }
}

further(test)('a page that only the one after the login leads to, and only under a raised role, is found', async () => {
  assert.equal(await found(({ role }) => role === 'admin'), ['GET /shifts/blasting who']);
});

further(test)('a role by one of the usual names is found, which nothing on the site says', async () => {
  assert.equal(await found(({ role }) => role === 'manager'), ['GET /shifts/blasting who']);
});

test('a role that only the refusal names is found', async () => {
  const running = await startSite(({ path, cookies }) => {
    if (path === '/') return html('<h1>Quarry</h1><a href="/blasting">Blasting</a>');
    if (path !== '/blasting') return undefined;
    if (!cookies.who) return { status: 302, headers: { location: '/sign-in' } };
    return readCookie(cookies.who ?? '')?.role === 'foreman'
      ? html('<h1>Blasting</h1><p>Ina Holm holds the key of shed four</p>')
      : html('<h1>Quarry</h1><p>For foremen and women: this page is for the foreman only.</p>', 403);
  });
  const cookies = { who: base64({ user: 'ann', role: 'digger' }) };
  const audit = await openAudit(running.url, {
    identities: [{ name: 'A', checkPath: '/', marker: 'Quarry', cookies }],
  });
  try {
    assert.equal(places(await checkAgain(audit, trustedClientInput, 'A')), ['GET /blasting who']);
  } finally {
    await audit.close();
    await running.close();
  }
});

further(test)('a link that shows under a raised role to a page that goes by the user is no finding', async () => {
  assert.equal(await found(({ user }) => user === 'owner'), []);
});

for (const [what, isBelieved, expected] of [
  ['the cookie is found', true, ['GET /till who']],
  ['the account is no finding', false, []],
] as const)
  further(test)(`a page that goes by a flag of any name beside the user, as ${what}`, async () => {
    const running = await startSite(({ path, cookies }) => {
      if (path === '/') return html('<h1>Quarry</h1><a href="/till">Till</a>');
      const sender: Record<string, unknown> = { ...readCookie(cookies.who ?? '') };
      if (path !== '/till') return undefined;
      return isBelieved && sender.cashier === true
        ? html('<h1>Till</h1><p>Ina Holm holds the key of shed four</p>')
        : html('<h1>Quarry</h1><p>Access denied.</p>', 403);
    });
    const cookies = { who: base64({ user: 'ann', cashier: false }) };
    const audit = await openAudit(running.url, {
      identities: [{ name: 'A', checkPath: '/', marker: 'Quarry', cookies }],
    });
    try {
      assert.equal(places(await checkAgain(audit, trustedClientInput, 'A')), expected);
    } finally {
      await audit.close();
      await running.close();
    }
  });

/** A role beside the session, which a page further on goes by. */
const beside =
  (mayOpen: (role: string) => boolean): Handler =>
  ({ path, cookies }) => {
    if (path === '/') return html('<h1>Quarry</h1><a href="/sign-in">Sign in</a>');
    if (!['/me', '/shifts', '/shifts/blasting'].includes(path)) return undefined;
    if (cookies.sid !== 'session-of-ann-4b1') return { status: 302, headers: { location: '/sign-in' } };
    if (path === '/me') return html('<p>Hello ann</p><a href="/shifts">Shifts</a>');
    const role = cookies.role ?? '';
    if (path === '/shifts')
      return html(`<h1>Shifts</h1>${role === 'admin' ? '<a href="/shifts/blasting">Blasting</a>' : '<p>None</p>'}`);
    return mayOpen(role)
      ? html('<h1>Blasting</h1><p>Ina Holm holds the key of shed four, Ole Brandt that of shed six</p>')
      : html('<h1>Quarry</h1><p>Access denied.</p>', 403);
  };

for (const [what, mayOpen, expected] of [
  ['goes by the cookie is found', (role: string) => role === 'admin', ['GET /shifts/blasting role']],
  ['goes by the account is no finding', () => false, []],
] as const)
  further(test)(`a page that a further one leads to under a raised role, and that ${what}`, async () => {
    const running = await startSite(beside(mayOpen));
    const cookies = { sid: 'session-of-ann-4b1', role: 'user' };
    const identity = { name: 'A', checkPath: '/me', marker: 'ann', cookies };
    const audit = await openAudit(running.url, { startPaths: ['/me'], identities: [identity] });
    try {
      assert.equal(places(await checkAgain(audit, trustedClientInput, 'A')), expected);
    } finally {
      await audit.close();
      await running.close();
    }
  });

type Verifier = (head: string) => boolean;

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const key = 'f3b1c9d27a6e48f09c55d1b7e20a94cc';
const signature = (signed: string): string => createHmac('sha256', key).update(signed).digest('base64url');
const algorithmOf = (head: string): string => JSON.parse(Buffer.from(head, 'base64url').toString()).alg;

for (const [what, takes, expected] of [
  ['is taken with `alg: none`', (head: string) => algorithmOf(head) === 'none', ['GET /shifts/blasting role']],
  ['is taken under any signature', () => true, ['GET /shifts/blasting role']],
  ['is verified', () => false, []],
] satisfies [string, Verifier, string[]][])
  further(test)(`a role in a token beside the session that ${what}`, async () => {
    const roleIn = (token = ''): string => {
      const [head = '', claims = '', mac = ''] = token.split('.');
      if (claims === '') return '';
      const isSigned = algorithmOf(head) === 'HS256' && mac === signature(`${head}.${claims}`);
      return isSigned || takes(head) ? JSON.parse(Buffer.from(claims, 'base64url').toString()).role : '';
    };
    const page = beside((role) => role === 'admin');
    const running = await startSite((request) =>
      page({ ...request, cookies: { ...request.cookies, role: roleIn(request.cookies.role) } }),
    );
    const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ role: 'user', name: 'ann' })}`;
    const cookies = { sid: 'session-of-ann-4b1', role: `${signed}.${signature(signed)}` };
    const identity = { name: 'A', checkPath: '/me', marker: 'ann', cookies };
    const audit = await openAudit(running.url, { startPaths: ['/me'], identities: [identity] });
    try {
      assert.equal(places(await checkAgain(audit, trustedClientInput, 'A')), expected);
    } finally {
      await audit.close();
      await running.close();
    }
  });

test.run();
