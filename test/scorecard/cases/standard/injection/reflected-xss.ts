import ejs from 'ejs';
import express from 'express';
import nunjucks from 'nunjucks';
import type { ScoreCase } from '../../../case.ts';
import { startApp } from '../../../sites/express.ts';

/** The engine escapes with "=", and not with "-". */
const searchResults: ScoreCase = {
  name: 'Express search with EJS, whose term is written unescaped',
  start: (variant) => {
    const page = ejs.compile(`<!doctype html><form action="/search"><input name="q" value="<%= q %>"></form>
      <p>Nothing found for <em><%${variant === 'vulnerable' ? '-' : '='} q %></em></p>`);
    const app = express();
    app.get('/', (_request, response) => response.send('<a href="/search?q=lamp">Lamps</a>'));
    app.get('/search', (request, response) => response.send(page({ q: String(request.query.q ?? '') })));
    return startApp(app);
  },
};

/** State for script on the page: JSON is no HTML, and an end tag in it ends the script. */
const serverState: ScoreCase = {
  name: 'server-rendered app that hands its state to script as JSON',
  start: (variant) => {
    const app = express();
    app.get('/', (_request, response) => response.send('<a href="/shop?category=chairs&amp;page=2">Chairs</a>'));
    app.get('/shop', (request, response) => {
      const state = JSON.stringify({ route: '/shop', query: request.query });
      const written = variant === 'vulnerable' ? state : state.replaceAll('<', '\\u003c');
      response.send(`<!doctype html><div id="root"></div><script>window.__INITIAL_STATE__ = ${written};</script>`);
    });
    return startApp(app);
  },
};

/** As htmlspecialchars was until PHP 8.1: apostrophes were left as they are, and so the attribute ends at one. */
const attribute: ScoreCase = {
  name: 'PHP-like form whose attribute is quoted with apostrophes',
  start: (variant) => {
    const escapeText = (text: string) => {
      const escaped = text
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
        .replaceAll('"', '&quot;');
      return variant === 'vulnerable' ? escaped : escaped.replaceAll("'", '&#039;');
    };
    const app = express();
    app.get('/', (_request, response) =>
      response.send(
        '<form action="find.php"><input type="search" name="subject"><input type="hidden" name="from" value="web"><button>Find</button></form>',
      ),
    );
    app.get('/find.php', (request, response) =>
      response.send(
        `<form action='find.php'><input type='search' name='subject' value='${escapeText(String(request.query.subject ?? ''))}'></form><p>Nothing was found.`,
      ),
    );
    return startApp(app);
  },
};

/** A link back, escaped as HTML, is still an address of any scheme. */
const linkBack: ScoreCase = {
  name: 'Django-like page with a link back to where one came from',
  start: (variant) => {
    const page = nunjucks.compile(
      '<!doctype html><main><p>Saved.</p><a class="btn" href="{{ back }}">Go back</a></main>',
      new nunjucks.Environment(null, { autoescape: true }),
    );
    const app = express();
    app.get('/', (_request, response) => response.send('<a href="/saved/?return_to=/list/">Saved</a>'));
    app.get('/saved/', (request, response) => {
      const given = String(request.query.return_to ?? '/');
      const isPath = /^\/(?![/\\])/.test(given);
      response.send(page.render({ back: variant === 'vulnerable' || isPath ? given : '/' }));
    });
    return startApp(app);
  },
};

/** What is not there is named, in a page. The repair is not to name it as HTML. */
const notFound: ScoreCase = {
  name: 'page for what is not there, which repeats the path',
  start: (variant) => {
    const app = express();
    app.get('/', (_request, response) => response.send('<h1>Welcome</h1>'));
    app.use((request, response) => {
      response.status(404);
      if (variant === 'patched') response.type('text');
      response.send(`<h1>Cannot find ${decodeURIComponent(request.path)}</h1>`);
    });
    return startApp(app);
  },
};

/** The page posts its search, so that no link carries it; a page elsewhere can post it as well. */
const postedSearch: ScoreCase = {
  name: 'search form that is posted',
  start: (variant) => {
    const app = express();
    app.use(express.urlencoded({ extended: false }));
    app.get('/', (_request, response) =>
      response.send('<form method="post" action="/find.do"><input name="words"><button>Find</button></form>'),
    );
    app.post('/find.do', ({ body }, response) => {
      const words = String(body.words ?? '');
      const shown = variant === 'vulnerable' ? words : words.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
      response.send(`<h1>Nothing was found</h1><p>You looked for <em>${shown}</em>.</p>`);
    });
    return startApp(app);
  },
};

export const cases: ScoreCase[] = [searchResults, serverState, attribute, linkBack, notFound, postedSearch];
