import express from 'express';
import nunjucks from 'nunjucks';
import type { ScoreCase } from '../../../case.ts';
import { startApp } from '../../../sites/express.ts';

/** The address after the choice of a language, as any link may name it. */
const languageSwitch: ScoreCase = {
  name: 'Express site that goes back to an address after choosing a language',
  start: (variant) => {
    const app = express();
    app.get('/', (_request, response) => response.send('<a href="/lang?code=de&amp;continue=%2Fshop">Deutsch</a>'));
    app.get('/shop', (_request, response) => response.send('<h1>Shop</h1>'));
    app.get('/lang', (request, response) => {
      const next = new URL(String(request.query.continue ?? '/'), 'http://own.invalid');
      const target =
        variant === 'vulnerable'
          ? String(request.query.continue ?? '/')
          : next.origin === 'http://own.invalid'
            ? next.pathname + next.search
            : '/';
      response.cookie('lang', String(request.query.code)).redirect(target);
    });
    return startApp(app);
  },
};

/** Only paths are accepted, says the author, and looks at the first character. */
const pathsOnly: ScoreCase = {
  name: 'Rails-like log in page that accepts what begins with a slash',
  start: (variant) => {
    const app = express();
    const isPath = (text: string) =>
      variant === 'vulnerable' ? text.startsWith('/') : /^\/(?![/\\])[^\t\r\n]*$/.test(text);
    app.get('/', (_request, response) => response.send('<a href="/session/new?return_to=/orders">Sign in</a>'));
    app.get('/orders', (_request, response) => response.redirect('/session/new?return_to=%2Forders'));
    app.get('/session/new', (request, response) => {
      const to = String(request.query.return_to ?? '');
      // Who is signed in already has nothing to do here.
      response.redirect(303, isPath(to) ? to : '/');
    });
    return startApp(app);
  },
};

/** A page in between that warns visitors that they leave, and goes on by itself. */
const leavingPage: ScoreCase = {
  name: 'forum with a page in between that goes on by itself',
  start: (variant) => {
    const page = nunjucks.compile(
      '<!doctype html><meta http-equiv="refresh" content="0;url={{ url }}"><p>You are leaving us.</p>',
      new nunjucks.Environment(null, { autoescape: true }),
    );
    const app = express();
    const own = new Set(['/rules', '/faq']);
    app.get('/', (_request, response) => response.send('<a href="/leave?u=/rules">Rules</a>'));
    app.get('/leave', (request, response) => {
      const url = String(request.query.u ?? '');
      response.send(page.render({ url: variant === 'vulnerable' || own.has(url) ? url : '/' }));
    });
    return startApp(app);
  },
};

/** Script reads the address of its page, as apps do after a log in. */
const clientSide: ScoreCase = {
  name: 'single-page app whose script goes where its address says',
  start: (variant) => {
    const check = variant === 'vulnerable' ? 'true' : 'new URL(next, location.href).origin === location.origin';
    const app = express();
    app.get('/', (_request, response) => response.send('<a href="/welcome?redirectUrl=%2Fhome">Go on</a>'));
    app.get('/home', (_request, response) => response.send('<h1>Home</h1>'));
    app.get('/welcome', (_request, response) =>
      response.send(`<!doctype html><div id="app"></div><script>
        const next = new URLSearchParams(location.search).get('redirectUrl');
        if (next && ${check}) window.location.replace(next);</script>`),
    );
    return startApp(app);
  },
};

/** A list of hosts that is compared as text. */
const allowList: ScoreCase = {
  name: 'click counter that compares the beginning of an address',
  start: (variant) => {
    const app = express();
    app.get('/', (request, response) =>
      response.send(`<a href="/click/?ad=17&amp;dest=http://${request.headers.host}/offers">Offers</a>`),
    );
    app.get('/click/', (request, response) => {
      const dest = String(request.query.dest ?? '');
      const own = `http://${request.headers.host}`;
      const host = own.replace(/:\d+$/, '');
      const isOwn = variant === 'vulnerable' ? dest.startsWith(host) : URL.parse(dest)?.origin === own;
      response.redirect(isOwn ? dest : '/');
    });
    return startApp(app);
  },
};

/** A form that anybody's page can post, whose place to go has to begin with a slash, or is written into a page. */
const postedPlace = (how: 'answer' | 'script'): ScoreCase => ({
  name: `form that says where to go on, which the ${how} does`,
  start: (variant) => {
    const app = express();
    app.get('/', (_request, response) =>
      response.send(
        '<form method="post" action="/go-on"><input name="next" value="/offers"><button>Go on</button></form>',
      ),
    );
    app.get('/offers', (_request, response) => response.send('<h1>Offers</h1>'));
    app.post('/go-on', express.urlencoded({ extended: false }), (request, response) => {
      const next = String(request.body.next ?? '');
      const isOwn = URL.parse(next, 'http://own.invalid')?.origin === 'http://own.invalid';
      if (!(variant === 'vulnerable' ? how === 'script' || /^\/[^/]/.test(next) : isOwn))
        return void response.status(400).send('<p>No such page</p>');
      if (how === 'answer') return response.redirect(next);
      const written = JSON.stringify(next).replaceAll('<', '\\u003c');
      response.send(`<p>One moment</p><script>location.replace(${written})</script>`);
    });
    return startApp(app, { options: { depth: 'deep', writes: 'create' } });
  },
});

export const cases: ScoreCase[] = [
  ...[languageSwitch, pathsOnly, leavingPage, clientSide, allowList],
  ...[postedPlace('answer'), postedPlace('script')],
];
