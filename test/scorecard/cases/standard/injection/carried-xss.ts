import ejs from 'ejs';
import express, { type Request } from 'express';
import nunjucks from 'nunjucks';
import type { ScoreCase, Variant } from '../../../case.ts';
import { startApp } from '../../../sites/express.ts';

const cookieOf = ({ headers }: Request, name: string): string => {
  const pairs = (headers.cookie ?? '').split(/;\s*/).map((pair) => pair.split(/=(.*)/s));
  return decodeURIComponent(pairs.find(([each]) => each === name)?.[1] ?? '');
};

/** The engine escapes with "=", and not with "-". */
const ofVariant = (variant: Variant): string => (variant === 'vulnerable' ? '-' : '=');

const greeting: ScoreCase = {
  name: 'Express shop with EJS that greets by a cookie',
  start: (variant) => {
    const page = ejs.compile(`<!doctype html><h1>Welcome back, <%${ofVariant(variant)} nick %></h1>`);
    const app = express();
    app.get('/', (request, response) => {
      const nick = cookieOf(request, 'nick') || 'visitor';
      response.cookie('nick', nick).send(page({ nick }));
    });
    return startApp(app);
  },
};

const theme: ScoreCase = {
  name: 'page whose body has the class that a cookie names',
  start: (variant) => {
    const autoescape = variant === 'patched';
    const page = nunjucks.compile(
      '<!doctype html><body class="{{ theme }}"><p>Lamps</p></body>',
      new nunjucks.Environment(null, { autoescape }),
    );
    const app = express();
    app.get('/', (request, response) => {
      const own = cookieOf(request, 'theme');
      response.cookie('theme', own || 'light').send(page.render({ theme: own || 'light' }));
    });
    return startApp(app);
  },
};

const origin: ScoreCase = {
  name: 'form whose answer leads back to where its visitor comes from',
  start: (variant) => {
    const page = ejs.compile(
      `<!doctype html><p>Thank you.</p><p>Back to <%${ofVariant(variant)} from %></p><p>Nothing else.</p>`,
    );
    const app = express();
    app.get('/', (_request, response) =>
      response.send(
        '<form method="post" action="/look"><input name="term" value="lamp"><button>Search</button></form>',
      ),
    );
    app.post('/look', (request, response) => response.send(page({ from: request.headers.referer ?? 'the start' })));
    return startApp(app, { options: { depth: 'deep', writes: 'create' } });
  },
};

export const cases: ScoreCase[] = [greeting, theme, origin];
