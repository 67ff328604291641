import { createHmac } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { guestSession } from '../../../workflows/activities/guest-sessions.ts';
import { type Answer, html, json, type Request, redirect, startSite } from '../../fixtures/site.ts';
import { firstRows } from '../../support/further.ts';
import { openAudit } from '../checks/harness.ts';

const test = suite('sessions that a site gives to whoever asks');

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const signature = (signed: string) =>
  createHmac('sha256', 'long enough to guess nothing').update(signed).digest('base64url');
const signed = `${part({ alg: 'HS256' })}.${part({ name: 'guest', level: 1 })}`;
const token = `${signed}.${signature(signed)}`;

type Row = { what: string; kind: string; answer(request: Request): Answer | undefined };

const hall = (request: Request) =>
  request.cookies.pass === token || request.headers.authorization === `Bearer ${token}`;
const board = (is: boolean) => (is ? html('<h1>Hall</h1><p>Level one of the gallery</p>') : redirect('/'));
const cookie = { 'set-cookie': `pass=${token}; Path=/; HttpOnly` };

const rows: Row[] = [
  {
    what: 'a form that asks for a name',
    kind: 'cookie',
    answer: ({ method, path }) =>
      path === '/visit'
        ? method === 'POST'
          ? redirect('/hall', 303, cookie)
          : html('<form method="post" action="/visit"><input name="name"><button>Get a pass</button></form>')
        : html('<a href="/visit">Visit</a>'),
  },
  {
    what: 'a link to a trial',
    kind: 'cookie',
    answer: ({ path }) => (path === '/trial' ? redirect('/hall', 302, cookie) : html('<a href="/trial">Try it</a>')),
  },
  {
    what: 'the answer to a bare button',
    kind: 'bearer',
    answer: ({ method, path }) =>
      path === '/api/guest' && method === 'POST'
        ? json({ token })
        : html(
            '<form method="post" action="/api/guest"><button>Continue as guest</button></form><a href="/hall">Hall</a>',
          ),
  },
];

async function found(
  { answer }: Pick<Row, 'answer'>,
  isOpen: (request: Request) => boolean = hall,
  mayStore = true,
  reached: string[] = [],
) {
  const site = await startSite((request) => (request.path === '/hall' ? board(isOpen(request)) : answer(request)));
  const audit = await openAudit(site.url, { depth: 'deep', writes: 'create' });
  const stored: string[] = [];
  try {
    const before = audit.requests();
    const storeFor: Parameters<typeof guestSession>[0]['storeFor'] =
      () =>
      async (_name, { url, method, lasting, ...rest }, look) => {
        if (lasting) stored.push(`${method} ${new URL(url).pathname}`);
        return look(await audit.licensed('lasting').send({ url, ...(method ? { method } : {}), ...rest }));
      };
    const steps = { urls: reached.map((path) => new URL(path, site.url).href), cookies: 'visit=q8w7e6r5' };
    const sessions = await guestSession({ context: audit.context, storeFor }, mayStore, steps);
    return { sessions, stored, requests: audit.requests() - before };
  } finally {
    await audit.close();
    await site.close();
  }
}

for (const row of firstRows(rows, 1))
  test(`${row.what} gives a session`, async () => {
    const { sessions } = await found(row);
    assert.equal(
      sessions.map(({ origin, login }) => [origin, login.kind.case]),
      [['guest', row.kind]],
    );
  });

test('a token that opens nothing is no session', async () => {
  const { sessions, requests } = await found(rows[0] as Row, () => true);
  assert.equal(sessions, []);
  assert.ok(requests < 20);
});

test('a form with a password is not sent', async () => {
  const form =
    '<form method="post" action="/enter"><input name="name"><input type="password" name="word"><button>Visit</button></form>';
  const { sessions, stored } = await found({
    answer: ({ method }) => (method === 'POST' ? redirect('/hall', 303, cookie) : html(form)),
  });
  assert.equal([sessions, stored], [[], []]);
});

const second =
  '<form method="post" action="/card"><textarea name="words"></textarea><button>See the card</button></form>';
const first = '<form method="post" action="/whom"><input name="whom"><button>Next</button></form>';
const isOnItsWay = ({ cookies }: Request) => cookies.visit !== undefined;
const steps =
  (next: (request: Request) => Answer) =>
  (request: Request): Answer =>
    request.path === '/whom' && request.method === 'POST'
      ? redirect('/words', 303, { 'set-cookie': 'visit=q8w7e6r5; Path=/' })
      : request.path === '/words'
        ? next(request)
        : html(first);

test('the first of two steps gives the session in which the second one is shown', async () => {
  const { sessions } = await found({
    answer: steps((request) => (isOnItsWay(request) ? html(second) : redirect('/'))),
  });
  assert.equal(
    sessions.map(({ login }) => [new URL(login.checkUrl).pathname, login.kind.value]),
    [['/words', 'visit=q8w7e6r5']],
  );
});

test('of steps that were taken already the last one with a form is where the session is seen', async () => {
  const steps: Record<string, string> = {
    '/card': '<form method=post><input name=text></form>',
    '/look': '<p>So.</p>',
  };
  const answer = (request: Request) => {
    const step = steps[request.path];
    return step === undefined ? html('<a href="/card">A card</a>') : isOnItsWay(request) ? html(step) : redirect('/');
  };
  const { sessions, stored } = await found({ answer }, hall, true, ['/look', '/card']);
  assert.equal(
    sessions.map(({ login }) => [new URL(login.checkUrl).pathname, login.kind.value]),
    [['/card', 'visit=q8w7e6r5']],
  );
  assert.equal(stored, []);
  const open = await found({ answer: ({ path }) => html(steps[path] ?? '') }, hall, true, ['/look', '/card']);
  assert.equal(open.sessions, []);
});

test('a page that asks for a name no longer is shown to whoever has given one', async () => {
  const { sessions } = await found({
    answer: (request) =>
      request.path === '/' && isOnItsWay(request)
        ? html('<p>Welcome, Tessa</p>')
        : request.path === '/whom'
          ? redirect('/', 303, { 'set-cookie': 'visit=q8w7e6r5; Path=/' })
          : html(first),
  });
  assert.equal(
    sessions.map(({ login }) => new URL(login.checkUrl).pathname),
    ['/'],
  );
});

test('a page with the same forms for everybody takes no session, though it calls the visitor by a name', async () => {
  const { sessions } = await found({
    answer: steps((request) => html(`${isOnItsWay(request) ? '<p>For Tessa</p>' : ''}${second}`)),
  });
  assert.equal(sessions, []);
});

const choice = (inside: (isGerman: boolean) => string) => ({
  answer: ({ path, cookies, query }: Request): Answer =>
    path === '/language'
      ? redirect('/', 302, { 'set-cookie': `lang=${query.get('is') ?? 'en'}; Path=/` })
      : cookies.lang === undefined
        ? html('<a href="/language?is=en">English</a> <a href="/language?is=de">Deutsch</a>')
        : html(inside(cookies.lang === 'de')),
});

test('a link behind which the site begins gives the session of a guest, also where nothing may be stored', async () => {
  const { sessions, stored } = await found(
    choice(() => '<a href="/rooms">Rooms</a> <a href="/garden">Garden</a>'),
    undefined,
    false,
  );
  assert.equal(
    sessions.map(({ origin, login }) => [origin, String(login.kind.value).replace(/=../, '')]),
    [['guest', 'lang']],
  );
  assert.equal(stored, []);
});

test('a choice after which the site has the same pages as before takes no session', async () => {
  const site = choice((isGerman) => (isGerman ? '<p>Willkommen</p>' : '<p>Welcome</p>'));
  const { sessions } = await found(site, undefined, false);
  assert.equal(sessions, []);
});

test('where nothing may be stored, no form is sent for a session', async () => {
  const { sessions, stored } = await found(rows[0] as Row, undefined, false);
  assert.equal([sessions, stored], [[], []]);
});

test.run();
