import express, { type Express } from 'express';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { redirectContent } from '../../../../workflows/checks/access/redirect-content.check.ts';
import { cases } from '../../../scorecard/cases/standard/access/redirect-content.ts';
import { startApp } from '../../../scorecard/sites/express.ts';
import { firstRows } from '../../../support/further.ts';
import { check, openAudit, places } from '../harness.ts';

const test = suite('access.redirect-content');

type Started = { url: string; close(): Promise<void> };

async function findings({ url, close }: Started) {
  const audit = await openAudit(url);
  try {
    const result = await check(audit, redirectContent);
    return { found: places(result), reason: result.outcome.reason };
  } finally {
    await audit.close();
    await close();
  }
}

for (const { name, start } of firstRows(cases, 1))
  test(`${name}: found, and silent once the program ends at the redirect`, async () => {
    const { found, reason } = await findings(await start('vulnerable'));
    assert.is(found.length, 1, reason);
    assert.is((await findings(await start('patched'))).found.length, 0);
  });

const login = '<h1>Sign in</h1><form method=post><input name=mail><input name=pass type=password></form>';
const body = '<h1>Spring sale</h1><p>Chairs from 40 euros</p><p>Tables from 90 euros</p><p>Open until nine</p>';
type Site = (app: Express) => void;
const clean: [what: string, site: Site][] = [
  [
    'a page that has moved, with its text',
    (app) => {
      app.get('/', (_request, response) => response.send('<a href=/old>Sale</a>'));
      app.get('/old', (_request, response) => response.status(301).location('/sale').send(body));
      app.get('/sale', (_request, response) => response.send(body));
    },
  ],
  [
    'a note that names where it leads in full, and what is asked for there',
    (app) => {
      const address = '/login?next=/mine&needs=ORDERS_READ,ORDERS_SHOW,PROFILE';
      const link = `<a href="${address.replaceAll('&', '&amp;')}">${address.replaceAll('&', '&amp;')}</a>`;
      app.get('/', (_request, response) => response.send('<a href=/mine>Mine</a>'));
      app.get('/login', (_request, response) => response.send(login));
      app.get('/mine', (_request, response) =>
        response
          .status(302)
          .location(address)
          .send(`<h1>Redirecting...</h1>\n<p>The target URL is ${link}. If you stay here, use the link.`),
      );
    },
  ],
  [
    'a note of some length to whoever is sent to the login',
    (app) => {
      app.get('/', (_request, response) => response.send('<a href=/mine>Mine</a>'));
      app.get('/login', (_request, response) => response.send(login));
      app.get('/mine', (_request, response) =>
        response
          .status(302)
          .location('/login')
          .send(
            '<title>Redirecting</title><h1>Redirecting...</h1><p>You should be redirected automatically to <a href=/login>/login</a>.<p>If not, click here.',
          ),
      );
    },
  ],
  [
    'the same text with every redirect to the login',
    (app) => {
      app.get('/', (_request, response) => response.send('<a href=/mine>Mine</a>'));
      app.get('/login', (_request, response) => response.send(login));
      app.use((_request, response) => response.status(302).location('/login').send(body));
    },
  ],
];

for (const [what, site] of firstRows(clean, 3))
  test(`${what}: silent`, async () => {
    const app = express();
    site(app);
    assert.is((await findings(await startApp(app))).found.length, 0);
  });

test.run();
