import { createHash, createHmac, randomBytes } from 'node:crypto';
import express, { type Express, type Request } from 'express';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { refusalBypass } from '../../../../workflows/checks/auth/refusal-bypass.check.ts';
import { trustedClientInput } from '../../../../workflows/checks/auth/trusted-client-input.check.ts';
import type { Check } from '../../../../workflows/checks/contract.ts';
import { startApp } from '../../../scorecard/sites/express.ts';
import { firstRows } from '../../../support/further.ts';
import { check, openAudit, places } from '../harness.ts';

const test = suite('refused pages');

const page = (title: string, body: string) => `<!doctype html><title>${title}</title><h1>${title}</h1>${body}`;
const home = page('Lagoon', '<a href=/admin>Administration</a> <a href=/about>About</a>');
const secret = page('Accounts', '<ul><li>Ina Holm, 14 berths</li><li>Ole Brandt, 3 berths</li></ul>');
const cookieOf = (request: Request, name: string): string =>
  decodeURIComponent(new RegExp(`(?:^|; )${name}=([^;]*)`).exec(request.headers.cookie ?? '')?.[1] ?? '');

const digestOf = (text: string): string => createHash('md5').update(text).digest('hex');

type Site = (app: Express) => void;
/** Gives each visitor a cookie, and shows the page to whom the cookie says. */
const cookied =
  (name: string, value: string, isAdmin: (value: string) => boolean, refusal: { status: number; text: string }): Site =>
  (app) => {
    app.get('/', (_request, response) =>
      response.setHeader('Set-Cookie', `${name}=${encodeURIComponent(value)}; Path=/`).send(home),
    );
    app.get('/admin', (request, response) =>
      isAdmin(cookieOf(request, name))
        ? response.send(secret)
        : response.status(refusal.status).send(page('Lagoon', refusal.text)),
    );
  };
/** The same where no page of an ordinary visitor leads to what is refused. */
const hidden =
  (path: string, isAdmin: (value: string) => boolean, { links = true } = {}): Site =>
  (app) => {
    const may = (request: Request) => isAdmin(cookieOf(request, 'state'));
    app.get('/', (request, response) => {
      response.cookie('state', base64('{"uid":2,"role":"user"}'));
      response.send(page('Lagoon', may(request) && links ? `<a href="${path}">Ledger</a>` : '<p>Welcome aboard</p>'));
    });
    app.get(path, (request, response) =>
      may(request) ? response.send(secret) : response.status(403).send(page('Lagoon', 'Access denied.')),
    );
  };
/** Gives the cookie with the first answer alone, in JSON in hex. */
const givenOnce =
  (trusts: boolean): Site =>
  (app) => {
    app.get('/', (request, response) => {
      if (cookieOf(request, 'state') === '')
        response.cookie('state', Buffer.from('{"user": "visitor", "is_admin": false}').toString('hex'));
      response.send(home);
    });
    app.get('/admin', (request, response) => {
      const { is_admin } = parsed(Buffer.from(cookieOf(request, 'state'), 'hex').toString());
      return trusts && is_admin === true ? response.send(secret) : response.status(403).send(page('Lagoon', 'Denied.'));
    });
  };
const forbidden = { status: 403, text: 'Access denied.' };
const base64 = (text: string) => Buffer.from(text).toString('base64');
const fromBase64 = (text: string) => Buffer.from(text, 'base64').toString();
const parsed = (text: string): Record<string, unknown> => {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
};
const key = randomBytes(16);
const signed = (text: string) => `${text}.${createHmac('sha256', key).update(text).digest('hex')}`;

/** Shows the page to whom a guard lets pass. */
const guarded =
  (guard: (request: Request) => boolean): Site =>
  (app) => {
    app.use((request, response, next) =>
      guard(request) ? next() : response.status(403).send(page('Lagoon', 'Forbidden')),
    );
    app.get('/', (_request, response) => response.send(home));
    app.get('/admin', (_request, response) => response.send(secret));
  };
/** Answers whatever method it is asked with, as programs of PHP do, and guards the page from some. */
const guardingMethods =
  (isGuarded: (method: string) => boolean): Site =>
  (app) => {
    app.use((request, response, next) =>
      /admin/i.test(decodeURIComponent(request.path)) && isGuarded(request.method)
        ? response.status(403).send(page('Lagoon', 'Forbidden'))
        : next(),
    );
    app.use((request, response) => {
      if (request.path === '/') return response.send(home);
      return request.path === '/admin'
        ? response.send(secret)
        : response.status(404).send(page('Lagoon', 'No such page'));
    });
  };
/** Guards all below `/admin/`, and serves a page there in any spelling. */
const branch = (app: Express, isGuarded: (request: Request) => boolean): void => {
  app.use((request, response, next) =>
    isGuarded(request) ? response.status(403).send(page('Lagoon', 'Forbidden')) : next(),
  );
  app.get('/', (_request, response) => response.send(page('Lagoon', '<a href=/admin/berths>Berths</a>')));
  app.use((request, response) => {
    const path = decodeURIComponent(request.path).replace(/\/+/g, '/').toLowerCase();
    return path === '/admin/berths' ? response.send(secret) : response.status(404).send(page('Lagoon', 'No such page'));
  });
};
const asked = ({ path }: Request): boolean => path === '/admin' || path === '/admin/';

/** Names in a comment the header by which a page opens. */
const revealing =
  (comment: string, isTrusted: (request: Request) => boolean): Site =>
  (app) => {
    app.get('/', (_request, response) => response.send(home + comment));
    app.get('/admin', (request, response) =>
      isTrusted(request) ? response.send(secret) : response.status(403).send(page('Lagoon', 'Forbidden')),
    );
  };
/** Open to the harbour's own network, which the refusal names. */
const ofNetwork =
  (addressOf: (request: Request) => string | undefined): Site =>
  (app) => {
    app.get('/', (_request, response) => response.send(home));
    app.get('/admin', (request, response) =>
      addressOf(request)?.startsWith('10.42.')
        ? response.send(secret)
        : response.status(403).send(page('Lagoon', 'For the network of the harbour (10.42.0.0/16) only.')),
    );
  };
const agent = '<!-- /admin is for our own program alone: it looks for the user agent "LagoonSync/3.1" -->';
const header = '<!-- Send X-Berth-Staff: harbour-7 to see the administration -->';

const berths = ['<p>Ina Holm, ina@lagoon.example</p>', '<p>The gate code is Q7-4410</p>'];
/** Shows everybody a page, and administrators more of it. */
const byRole =
  (roleOf: (request: Request) => unknown, more: readonly string[] = berths): Site =>
  (app) => {
    app.get('/', (_request, response) => response.send(page('Lagoon', '<a href="/crew?role=guest">Crew</a>')));
    app.get('/crew', (request, response) => {
      if (cookieOf(request, 'role') === '') response.cookie('role', 'guest');
      const who = String(roleOf(request) ?? '').replace(/\W/g, '');
      response.send(page('Crew', `<p>You read this as ${who}.</p>${who === 'admin' ? more.join('') : ''}`));
    });
  };

const vulnerable: [what: string, subject: Check, site: Site][] = [
  [
    'a program that a comment names',
    refusalBypass,
    revealing(agent, (request) => (request.get('user-agent') ?? '').startsWith('LagoonSync/')),
  ],
  [
    'a header that a comment names',
    refusalBypass,
    revealing(header, (request) => request.get('x-berth-staff') === 'harbour-7'),
  ],
  ['a plain role', trustedClientInput, cookied('role', 'user', (role) => role === 'admin', forbidden)],
  [
    'the digest of a role',
    trustedClientInput,
    cookied('level', digestOf('guest'), (level) => level === digestOf('admin'), forbidden),
  ],
  [
    'a flag in JSON in base64',
    trustedClientInput,
    cookied('state', base64('{"lang":"en","isAdmin":false}'), (state) => parsed(fromBase64(state)).isAdmin === true, {
      status: 200,
      text: 'You are not an administrator.',
    }),
  ],
  [
    'a name in base64',
    trustedClientInput,
    cookied('sess', base64('guest'), (sess) => fromBase64(sess) === 'admin', {
      status: 200,
      text: 'This page is for admins only.',
    }),
  ],
  [
    'a role, where only those who have it are led to the page',
    trustedClientInput,
    hidden('/ledger-7f', (state) => parsed(fromBase64(state)).role === 'admin'),
  ],
  [
    'a role, where nobody is led to the page, which has a usual address',
    trustedClientInput,
    hidden('/admin', (state) => parsed(fromBase64(state)).role === 'admin', { links: false }),
  ],
  [
    'fields beside each other',
    trustedClientInput,
    cookied('prefs', 'lang=en&admin=0', (prefs) => prefs.includes('admin=1'), forbidden),
  ],
  [
    'what PHP serialises',
    trustedClientInput,
    cookied(
      'user',
      'a:2:{s:4:"name";s:3:"ole";s:5:"admin";b:0;}',
      (user) => user.includes('s:5:"admin";b:1;'),
      forbidden,
    ),
  ],
  ['a flag in JSON in hex that is given once', trustedClientInput, givenOnce(true)],
  [
    'a parameter',
    trustedClientInput,
    (app) => {
      app.get('/', (_request, response) => response.send(page('Lagoon', '<a href="/panel?admin=0">Panel</a>')));
      app.get('/panel', ({ query }, response) =>
        response.send(query.admin === '1' ? secret : page('Lagoon', 'Permission denied')),
      );
    },
  ],
  [
    'a word in a parameter, on pages that are another one each time',
    trustedClientInput,
    (app) => {
      app.get('/', (_request, response) => response.send(page('Lagoon', '<a href="/panel?role=user">Panel</a>')));
      app.get('/panel', ({ query }, response) =>
        response.send(
          query.role === 'admin'
            ? secret
            : page('Lagoon', `<p>You are not allowed in here</p><i>${randomBytes(4).toString('hex')}</i>`),
        ),
      );
    },
  ],
  [
    'a role in JSON, where blocks have no space between them',
    trustedClientInput,
    cookied(
      'state',
      base64('{"user":"guest","role":"visitor"}'),
      (state) => parsed(fromBase64(state)).role === 'pilot',
      {
        status: 403,
        text: 'Pilots only.',
      },
    ),
  ],
  ['a role in a parameter of a page that refuses nobody', trustedClientInput, byRole(({ query }) => query.role)],
  [
    'a role in a cookie of pages that refuse nobody',
    trustedClientInput,
    byRole((request) => cookieOf(request, 'role'), [...berths, '<p>Hello admin</p>']),
  ],
  [
    'a role in a cookie, and nothing but the name of the place in the page',
    trustedClientInput,
    byRole((request) => cookieOf(request, 'role'), ['<h2>Admin panel</h2><p>Fourteen berths are open.</p>']),
  ],
  ['a guard of two methods', refusalBypass, guardingMethods((method) => method === 'GET' || method === 'POST')],
  ['a guard that forgets WebDAV', refusalBypass, guardingMethods((method) => method !== 'PROPFIND')],
  ['a guard that minds the case', refusalBypass, guarded(({ path }) => !path.startsWith('/admin'))],
  ['a guard of one spelling', refusalBypass, guarded(({ path }) => path !== '/admin')],
  [
    'a guard of a branch that minds the case',
    refusalBypass,
    (app) => branch(app, ({ path }) => path.startsWith('/admin')),
  ],
  [
    'a guard of a branch that compares the address as it came',
    refusalBypass,
    (app) => branch(app, ({ originalUrl }) => /^\/admin/i.test(originalUrl)),
  ],
  [
    'the role that a gateway reports',
    refusalBypass,
    guarded((request) => !/admin/i.test(request.path) || request.get('x-user-role') === 'admin'),
  ],
  [
    'the address that a proxy reports',
    refusalBypass,
    guarded((request) => !asked(request) || request.get('x-real-ip') === '127.0.0.1'),
  ],
  [
    'the network that the refusal names, by what a proxy reports',
    refusalBypass,
    ofNetwork((request) => request.get('x-forwarded-for')),
  ],
  [
    'a parameter that is called as those whom the refusal names',
    refusalBypass,
    (app) => {
      app.get('/', (_request, response) => response.send(home));
      app.get('/admin', (request, response) =>
        request.query.is_pilot === '1'
          ? response.send(secret)
          : response.status(403).send(page('Lagoon', 'Pilots only')),
      );
    },
  ],
  [
    'a parameter of its developers',
    refusalBypass,
    guarded(({ query, path }) => path === '/' || query.debug === 'true'),
  ],
  [
    'a guard that asks whether the administration led there',
    refusalBypass,
    (app) => {
      app.get('/', (_request, response) => response.send(page('Lagoon', '<a href="/berths">Berths</a>')));
      app.get('/berths', (request, response) =>
        (request.get('referer') ?? '').endsWith('/admin')
          ? response.send(secret)
          : response.status(403).send(page('Lagoon', 'Forbidden')),
      );
    },
  ],
  [
    'the page that led there',
    refusalBypass,
    guarded(
      (request) =>
        !/admin/i.test(request.path) || (request.get('referer') ?? '').startsWith(`http://${request.get('host')}`),
    ),
  ],
  [
    'the address of the server itself as its host',
    refusalBypass,
    guarded((request) => !/admin/i.test(request.path) || /^127\.0\.0\.1(?::|$)/.test(request.get('host') ?? '')),
  ],
  [
    'a host that the first page names, by what a proxy reports',
    refusalBypass,
    revealing('<!-- crew: http://deck.lagoon.internal/ -->', (request) =>
      (request.get('x-forwarded-host') ?? '').startsWith('deck.lagoon.internal'),
    ),
  ],
  [
    'two slashes, where visitors are led to the login by an answer without a type',
    refusalBypass,
    (app) => {
      app.use((request, response, next) =>
        request.originalUrl.startsWith('/admin') ? response.writeHead(302, { location: '/login' }).end() : next(),
      );
      app.get('/', (_request, response) => response.send(page('Lagoon', '<a href=/admin/berths>Berths</a>')));
      app.get('/login', (_request, response) => response.send(page('Log in', '<input type=password name=pass>')));
      app.use((request, response) =>
        request.path.replace(/\/+/g, '/') === '/admin/berths' ? response.send(secret) : response.status(404).end(),
      );
    },
  ],
  [
    'a proxy that guards and a program that rewrites',
    refusalBypass,
    (app) => {
      app.use((request, response, next) => {
        if (/admin/i.test(decodeURIComponent(request.path)))
          return response.status(403).send(page('Lagoon', 'Forbidden'));
        request.url = request.get('x-original-url') ?? request.url;
        return next();
      });
      app.get('/', (_request, response) => response.send(home));
      app.get('/admin', (_request, response) => response.send(secret));
    },
  ],
];

async function findings(site: Site, subjects: readonly Check[]) {
  const app = express();
  site(app);
  const { url, close } = await startApp(app);
  const audit = await openAudit(url);
  try {
    const results = [];
    for (const subject of subjects) results.push(await check(audit, subject));
    return { found: results.flatMap(places), results, requests: audit.requests() };
  } finally {
    await audit.close();
    await close();
  }
}

for (const [what, subject, site] of firstRows(vulnerable, 5))
  test(`${what}: the page that it opens is found`, async () => {
    const { found, results } = await findings(site, [subject]);
    assert.is(found.length, 1, results[0]?.outcome.reason);
  });

const never: Site = guarded((request) => !/admin/i.test(decodeURIComponent(request.path)));
const clean: [what: string, site: Site][] = [
  [
    'the digest of a role with a secret',
    cookied('level', digestOf('guest tide'), (level) => level === digestOf('admin tide'), forbidden),
  ],
  [
    'an interface that describes itself where it is asked for its options',
    (app) => {
      app.get('/', (_request, response) => response.send(page('Lagoon', '<a href=/api/berths/>Berths</a>')));
      app.get('/api/berths/', (_request, response) => response.status(403).json({ detail: 'Log in first.' }));
      app.options('/api/berths/', (_request, response) =>
        response
          .set('Allow', 'GET, PUT, HEAD, OPTIONS')
          .json({ name: 'List of berths', description: 'All that may be let.', renders: ['application/json'] }),
      );
    },
  ],
  [
    'a notice for other methods that has the name of the page for its class',
    (app) => {
      app.get('/', (_request, response) => response.send(page('Lagoon', '<a href=/crew/Berths.html>Berths</a>')));
      app.use((request, response) => {
        if (!request.path.startsWith('/crew/')) return response.status(404).send(page('Lagoon', 'No such page'));
        if (request.method === 'GET') return response.status(403).end();
        const name = request.path.replace(/\W+/g, '-').replace(/-html$/, '');
        const word = () => `${randomBytes(4).toString('hex')} `.replace(/\d/g, 'k');
        const words = `<script>LAGOON.words = "${Array.from({ length: 60 }, word).join('')}"</script>`;
        const notice = 'Somebody else may have sent this. <a href=/>Go on</a> if it was you.';
        return response.send(
          `<!doctype html><title>Lagoon</title>${words}<body class=light id="part${name}"><p>${notice}</p></body>`,
        );
      });
    },
  ],
  ['a network that the refusal names, by the connection itself', ofNetwork(({ socket }) => socket.remoteAddress)],
  ['a signed role', cookied('role', signed('user'), (role) => role === signed('admin'), forbidden)],
  ['a flag that is given once and only said', givenOnce(false)],
  [
    'a role in a parameter of a page that explains roles',
    byRole(({ query }) => query.role, ['<h2>Admin panel</h2><p>Whoever has this role may move boats.</p>']),
  ],
  ['a role that is only said', cookied('role', 'user', () => false, forbidden)],
  [
    'a refusal that repeats the role',
    (app) => {
      app.get('/', (_request, response) => response.setHeader('Set-Cookie', 'role=user').send(home));
      app.get('/admin', (request, response) =>
        response.send(page('Lagoon', `Access denied for the role ${cookieOf(request, 'role')}.`)),
      );
    },
  ],
  [
    'a hint for the menu',
    (app) => {
      app.get('/', (request, response) =>
        response
          .setHeader('Set-Cookie', 'logged_in=no')
          .send(
            page(
              'Lagoon',
              cookieOf(request, 'logged_in') === 'yes'
                ? '<a href=/logout>Leave</a><a href=/me>My berths</a>'
                : '<a href=/form>Sign in</a><a href=/admin>Administration</a>',
            ),
          ),
      );
      app.get('/admin', (_request, response) => response.status(403).send(page('Lagoon', 'Forbidden')));
    },
  ],
  [
    'a consent and a variant',
    (app) => {
      app.get('/', (request, response) =>
        response
          .setHeader('Set-Cookie', ['consent=0', 'variant=0', 'type=standard'])
          .send(
            page(
              'Lagoon',
              cookieOf(request, 'consent') === '1'
                ? 'Thank you for the cookies'
                : '<a href=/admin>We need your consent</a>',
            ),
          ),
      );
      app.get('/admin', (_request, response) => response.status(401).send(page('Lagoon', 'Unauthorized')));
    },
  ],
  [
    'a guide that has a chapter for each role',
    byRole(({ query }) => query.role, ['<p>Administrators create accounts, and choose a password for each.</p>']),
  ],
  [
    'a page that shows any word for the role',
    (app) => {
      app.get('/', (_request, response) => response.send(page('Lagoon', '<a href="/crew?role=guest">Crew</a>')));
      app.get('/crew', ({ query }, response) =>
        response.send(
          query.role === 'guest'
            ? page('Crew', 'Hello')
            : page('Crew', `The code is 7A-${String(query.role).replace(/\W/g, '')}`),
        ),
      );
    },
  ],
  ['a guard of every spelling', never],
  ['a comment that names a program which opens nothing', revealing(agent, () => false)],
  ['a comment that names a header which opens nothing', revealing(header, () => false)],
  [
    'a guard of a branch in every spelling',
    (app) => branch(app, ({ path }) => /admin/i.test(decodeURIComponent(path))),
  ],
  [
    'a refusal that repeats what a gateway reports',
    (app) => {
      app.get('/', (_request, response) => response.send(home));
      app.get('/admin', (request, response) =>
        response.status(403).send(page('Lagoon', `Forbidden for ${request.get('x-user') ?? 'you'}`)),
      );
    },
  ],
  [
    'a page that greets whom a gateway names',
    (app) => {
      app.get('/', (_request, response) => response.send(home));
      app.get('/admin', (request, response) => {
        const user = request.get('x-user');
        return user === undefined
          ? response.status(401).send(page('Lagoon', 'Unauthorized'))
          : response.send(page('Lagoon', '<p>You are known to the gateway, and may see your own berths here</p>'));
      });
    },
  ],
  ['a guard of every method', guardingMethods(() => true)],
  [
    'an open list, and a refusal for all other names there, which its own with a slash is one of',
    (app) => {
      app.get('/', (_request, response) =>
        response.send(page('Lagoon', '<a href="/api/berths?page=1">Berths</a> <a href="/api/berths/">All</a>')),
      );
      app.use((request, response) =>
        new URL(request.originalUrl, 'http://lagoon.example').pathname === '/api/berths'
          ? response.send(secret)
          : response.status(401).send(page('Lagoon', 'Unauthorized')),
      );
    },
  ],
  [
    'a description of what may be asked',
    (app) => {
      app.get('/', (_request, response) => response.send(home));
      app.get('/admin', (_request, response) => response.status(403).send('Forbidden'));
      app.options('/admin', (_request, response) =>
        response.json({ name: 'Accounts', description: 'All berths and who has them', methods: ['GET', 'OPTIONS'] }),
      );
    },
  ],
  [
    'an answer to the browser that asks before another site does',
    (app) => {
      app.options(/.*/, (_request, response) => response.set('Access-Control-Allow-Methods', 'GET').send('OK'));
      app.get('/', (_request, response) => response.send(home));
      app.get('/admin', (_request, response) => response.status(403).send('Forbidden'));
    },
  ],
  [
    'properties of a folder',
    (app) => {
      app.get('/', (_request, response) => response.send(home));
      app.use('/admin', ({ method }, response) =>
        method === 'PROPFIND'
          ? response
              .status(207)
              .type('application/xml')
              .send('<d:multistatus xmlns:d="DAV:"><d:response>Berths</d:response></d:multistatus>')
          : response.status(403).send('Forbidden'),
      );
    },
  ],
  [
    'a page for whatever is asked',
    (app) => {
      app.get('/admin', (_request, response) => response.status(403).send('Forbidden'));
      app.use((request, response) =>
        response.send(
          page(
            'Lagoon',
            `<a href=/admin>Administration</a><p>${randomBytes(8).toString('hex')}<p>You asked for ${request.path.replace(/[^\w/]/g, '')}`,
          ),
        ),
      );
    },
  ],
  [
    'a first page for whatever is not there',
    (app) => {
      app.get(/^\/admin$/, (_request, response) => response.status(403).send('Forbidden'));
      app.use((_request, response) => response.send(home));
    },
  ],
  [
    'a refusal with the status of a page in other words',
    (app) => {
      app.get('/', (_request, response) => response.send(home));
      app.use((request, response) =>
        request.path === '/admin'
          ? response.status(403).send('Forbidden')
          : response.send(page('Lagoon', 'Access denied, this was logged.')),
      );
    },
  ],
  [
    'an article on access',
    (app) => {
      app.get('/', (request, response) =>
        response
          .setHeader('Set-Cookie', 'role=user')
          .send(
            page(
              'Lagoon',
              `<p>Whoever is not authorized is refused.<p>${cookieOf(request, 'role') === 'admin' ? 'A page for role admin' : 'Other'}<p>${randomBytes(8).toString('hex')}`,
            ),
          ),
      );
    },
  ],
  [
    'what each role may do, and who has it',
    (app) => {
      const roles: Record<string, string> = {
        guest: '<p>Guests are not allowed to write.</p>',
        admin: '<p>They take letters away, and there are three of them at the harbour.</p>',
      };
      app.get('/', (_request, response) =>
        response.send(page('Lagoon', '<a href="/roles?role=guest">Guests</a><a href="/members?role=user">Users</a>')),
      );
      app.get('/roles', ({ query }, response) =>
        roles[String(query.role)]
          ? response.send(page('Roles', roles[String(query.role)] ?? ''))
          : response.status(404).send(page('Roles', 'No such role')),
      );
      app.get('/members', ({ query }, response) =>
        response.send(
          query.role === 'admin'
            ? secret
            : page('Lagoon', `<p>Names of every ${String(query.role)} are restricted to members.</p>`),
        ),
      );
    },
  ],
  [
    'another page in another language for proxies',
    (app) => {
      app.get('/', (_request, response) => response.send(home));
      app.get('/admin', (request, response) =>
        response.status(403).send(page('Lagoon', request.get('x-forwarded-for') ? 'Verboten' : 'Forbidden')),
      );
    },
  ],
];

for (const [what, site] of firstRows(clean, 3))
  test(`${what}: nothing is found`, async () => {
    const { found } = await findings(site, [trustedClientInput, refusalBypass]);
    assert.equal(found, []);
  });

const journal = (lines: number) =>
  page(
    'Desk',
    '<h2>Journal</h2>' + Array.from({ length: lines }, (_, at) => `<p>Access denied « ina » ${at}</p>`).join(''),
  );
/** A desk that lists what was refused, and has another page behind the spellings of its address. */
const desk =
  (lines: number, other: string): Site =>
  (app) => {
    app.get('/', (_request, response) => response.send(page('Lagoon', '<a href="/admin/">Desk</a>')));
    app.use((request, response) =>
      request.path === '/admin/'
        ? response.send(journal(lines))
        : /^.admin./.test(request.path) && (other.includes('found') || request.path === '/admin/.')
          ? response.send(page('Desk', other))
          : response.status(404).send(page('Lagoon', 'No such page')),
    );
  };

for (const [what, site] of [
  [
    'a desk that lists refusals, and a page that is not found',
    desk(2, '<p>Page not found</p><p>Choose one there.</p>'),
  ],
  ['a desk that lists many refusals, and another page', desk(9, '<p>Berths of this summer</p><p>Boats of guests</p>')],
] as const)
  test(`${what}: nothing is found`, async () => assert.equal((await findings(site, [refusalBypass])).found, []));

test('a refused page that nothing opens takes few requests', async () => {
  const { requests } = await findings(never, [refusalBypass]);
  assert.ok(requests < 48, String(requests));
});

test.run();
