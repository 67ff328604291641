import express, { type Express } from 'express';
import nunjucks from 'nunjucks';
import type { ScoreCase, ScoreSite, Variant } from '../case.ts';
import { certificateForShop } from './certificate.ts';
import { startApp } from './express.ts';

type Answers = {
  /** `‹fresh›` stands for a value that is made anew with each answer. */
  headers?: Record<string, string | string[]>;
  /** Stands in the head of each page. */
  markup?: string;
};
type Settings = Answers & { isSecure?: boolean };

/** What is sent by a site that lacks something, and by the same one when that was mended. */
export type HeaderPair = Record<Variant, Answers>;

/** Gets the headers that the site is about on each of its answers, and none of the framework's own. */
function newApp({ headers = {} }: Answers): Express {
  const app = express();
  app.disable('x-powered-by');
  app.use((_request, response, next) => {
    for (const [name, value] of Object.entries(headers))
      response.append(name, typeof value === 'string' ? value.replace('‹fresh›', crypto.randomUUID()) : value);
    next();
  });
  return app;
}

const sid = () => `sid=${crypto.randomUUID()}; Path=/; Secure; HttpOnly; SameSite=Lax`;

/** Pages of a magazine, with a form for letters. */
function magazine({ markup = '', ...answers }: Answers): Express {
  const page = nunjucks.compile(
    '<!doctype html><html><head>{{ markup | safe }}<title>{{ title }}</title></head><body><a href="/issues/12">No. 12</a> <a href="/letters">Letters</a>{{ content | safe }}</body></html>',
    new nunjucks.Environment(null, { autoescape: true }),
  );
  const app = newApp(answers);
  const form =
    '<form method="post" action="/letters"><input name="name"><textarea name="text"></textarea><button>Send in</button></form>';
  app.get('/', (_request, response) => response.send(page.render({ title: 'Magazine', markup })));
  app.get('/issues/:number', (request, response) =>
    response.send(page.render({ title: `No. ${request.params.number}`, markup })),
  );
  app.get('/letters', (_request, response) =>
    response.append('set-cookie', sid()).send(page.render({ title: 'Letters', markup, content: form })),
  );
  return app;
}

/** The landing page only leads on, to one in the visitor's language. */
function bank({ markup = '', ...answers }: Answers): Express {
  const app = newApp(answers);
  app.get('/', (_request, response) => response.redirect('/en/'));
  app.get('/en/', (_request, response) =>
    response
      .append('set-cookie', sid())
      .send(
        `<HTML><HEAD>${markup}<TITLE>Bank</TITLE></HEAD><FORM METHOD=POST ACTION=/en/login><INPUT NAME=user><INPUT TYPE=password NAME=pin></FORM><SCRIPT SRC=/static/bank.js></SCRIPT></HTML>`,
      ),
  );
  app.get('/static/bank.js', (_request, response) => response.type('js').send('document.forms[0].user.focus()'));
  return app;
}

/** An empty page that script fills, and an API. */
function app({ markup = '', ...answers }: Answers): Express {
  const built = newApp(answers);
  built.get('/', (_request, response) =>
    response
      .append('set-cookie', sid())
      .send(
        `<!doctype html><html lang="en"><head><meta charset="utf-8">${markup}</head><body><div id="root"></div><script type="module" src="/app.js"></script></body></html>`,
      ),
  );
  built.get('/app.js', (_request, response) =>
    response.type('js').send(`fetch('/api/session').then((answer) => answer.json()).then(() => {
      document.getElementById('root').innerHTML = '<form method="post" action="/api/session"><input name="mail"><button>Next</button></form>'; });`),
  );
  built.get('/api/session', (_request, response) => response.json({ user: null }));
  return built;
}

/** Three sites that are built differently, each with its pair of answers. */
export const headerCases = (pairs: [HeaderPair, HeaderPair, HeaderPair], { isSecure = true } = {}): ScoreCase[] => {
  const builds = [
    { name: 'magazine with pages of a template engine', build: magazine },
    { name: 'bank whose landing page leads on', build: bank },
    { name: 'single-page app', build: app },
  ];
  return builds.map(({ name, build }, index) => ({
    name,
    start: (variant) => startBuilt(build, { ...pairs[index]?.[variant], isSecure }),
  }));
};

const startBuilt = async (
  build: (answers: Answers) => Express,
  { isSecure, ...answers }: Settings,
): Promise<ScoreSite> => startApp(build(answers), isSecure ? { tls: await certificateForShop() } : {});

/** The same header with other values; a missing one is not sent. */
export const pairOf = (name: string, vulnerable: string | undefined, patched: string): HeaderPair => ({
  vulnerable: vulnerable === undefined ? {} : { headers: { [name]: vulnerable } },
  patched: { headers: { [name]: patched } },
});
