import express, { type Request } from 'express';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { refusalBypass } from '../../../../workflows/checks/auth/refusal-bypass.check.ts';
import { startApp } from '../../../scorecard/sites/express.ts';
import { check, openAudit, places } from '../harness.ts';

const test = suite('a middleware that says itself how often it ran');

const mostRuns = 5;
const runsIn = (request: Request, name: string): number =>
  (request.get('x-middleware-subrequest') ?? '').split(':').filter((each) => each === name).length;

/** Decides as Next.js does whether its middleware runs, which leads everybody from the office to the login. */
async function findings(own: string | undefined, poweredBy: string) {
  const headers = new Set<string>();
  const app = express();
  app.disable('x-powered-by');
  app.use((request, response, next) => {
    headers.add(request.get('x-middleware-subrequest') ?? '');
    response.setHeader('X-Powered-By', poweredBy);
    const isSkipped = own !== undefined && runsIn(request, own) >= mostRuns;
    return /office/i.test(decodeURIComponent(request.originalUrl)) && !isSkipped
      ? response.redirect(307, '/login')
      : next();
  });
  app.get('/', (_request, response) => response.send('<h1>Harbour</h1><a href="/office">Office</a>'));
  app.get('/login', (_request, response) => response.send('<form method=post><input type=password name=pass></form>'));
  app.get('/office', (_request, response) => response.send('<h1>Office</h1><ul><li>Ina Holm owes 412 kr</ul>'));
  const { url, close } = await startApp(app);
  const audit = await openAudit(url);
  try {
    return { found: places(await check(audit, refusalBypass)), headers };
  } finally {
    await audit.close();
    await close();
  }
}

for (const name of ['middleware', 'src/middleware'])
  test(`${name}: the page behind it is found`, async () => {
    assert.equal((await findings(name, 'Next.js')).found, ['GET /office']);
  });

test('one that leaves what clients say alone is clean', async () => {
  assert.equal((await findings(undefined, 'Next.js')).found, []);
});

test('a site that is made with something else is not asked', async () => {
  const { headers } = await findings('middleware', 'Express');
  assert.equal([...headers], ['']);
});

test.run();
